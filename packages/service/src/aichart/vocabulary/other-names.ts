import { folded } from '../../columns/name-words.ts';
import { languages } from './question-languages.ts';

/** Names that people use besides those of `Intl`, by country code. */
const furtherNames: Readonly<Record<string, string>> = {
  US: 'usa,united states of america,etats unis,estados unidos',
  GB: 'uk,great britain,england,groot brittannie,grande bretagne,grossbritannien,gran bretana',
  NL: 'holland,hollande,holanda',
  CZ: 'czech republic,tsjechie,republique tcheque,tschechien,republica checa',
};

const letters = Array.from({ length: 26 }, (_, at) => String.fromCodePoint(65 + at));

/** Returns the code of each country by its names in the languages of questions, in lower case and without accents. */
function readCodes(): ReadonlyMap<string, string> {
  const codes = new Map<string, string>();
  for (const language of languages) {
    const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
    for (const code of letters.flatMap((first) => letters.map((second) => `${first}${second}`))) {
      const name = names.of(code);
      if (name !== undefined) codes.set(folded(name), code);
    }
  }
  for (const [code, names] of Object.entries(furtherNames)) for (const name of names.split(',')) codes.set(name, code);
  return codes;
}

const cache: { codes?: ReadonlyMap<string, string>; names?: ReadonlyMap<string, readonly string[]> } = {};
const codesByName = (): ReadonlyMap<string, string> => (cache.codes ??= readCodes());

const namesByCode = (): ReadonlyMap<string, readonly string[]> =>
  (cache.names ??= Map.groupBy(codesByName().keys(), (name) => codesByName().get(name) ?? ''));

/** Words for men and for women, as people ask for them and as rows have them. */
const genderNames = [
  'men man male males m homme hommes h mannen mannelijk manner mann mannlich hombre hombres masculino',
  'women woman female females f femme femmes w vrouw vrouwen vrouwelijk v frau frauen weiblich mujer mujeres femenino',
].map((names) => names.split(' '));

/**
 * Returns how else a value may be written in rows: a country by its code and its names in other languages, men and women
 * by other words; none for other texts.
 */
export function otherNamesOf(text: string): readonly string[] {
  const genders = genderNames.find((names) => names.includes(text) && text.length > 2);
  if (genders !== undefined) return genders.filter((name) => name !== text);
  const code = codesByName().get(text);
  if (code === undefined) return [];
  return [code.toLowerCase(), ...(namesByCode().get(code) ?? []).filter((name) => name !== text)];
}

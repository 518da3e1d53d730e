import { careConcepts } from './tables/care.ts';
import { digitalConcepts } from './tables/digital.ts';
import { generalConcepts } from './tables/general.ts';
import { industryConcepts } from './tables/industry.ts';
import { leisureConcepts } from './tables/leisure.ts';
import { moneyConcepts } from './tables/money.ts';
import { peopleConcepts } from './tables/people.ts';
import { publicConcepts } from './tables/public.ts';
import { stateConcepts } from './tables/states.ts';
import { tradeConcepts } from './tables/trade.ts';
import { transportConcepts } from './tables/transport.ts';
import { recent } from '../../store/recent.ts';
import { languages, type Language } from './question-languages.ts';
import { stemOf } from './words.ts';

/**
 * Words of one meaning, in lower case and without accents: English, Dutch, French, German and Spanish ones, with a bar
 * between languages. A hyphen stands for no word. Regular plurals are left out; see `formsOf`.
 */
export const conceptLines: readonly string[] = [
  ...generalConcepts,
  ...tradeConcepts,
  ...moneyConcepts,
  ...peopleConcepts,
  ...careConcepts,
  ...transportConcepts,
  ...industryConcepts,
  ...publicConcepts,
  ...digitalConcepts,
  ...leisureConcepts,
  ...stateConcepts,
];

interface Concepts {
  /** By word, the concepts that it may mean, as positions in `english`. */
  readonly byWord: ReadonlyMap<string, readonly number[]>;
  /** The English words of each concept. */
  readonly english: readonly (readonly string[])[];
  /** The first words of each concept in each language, which name it best. */
  readonly heads: readonly ReadonlySet<string>[];
  /** By word, the languages that have it. */
  readonly languages: ReadonlyMap<string, ReadonlySet<Language>>;
}

function add(concepts: Map<string, number[]>, word: string, concept: number): void {
  const known = concepts.get(word);
  if (known === undefined) concepts.set(word, [concept]);
  else known.push(concept);
}

function readConcepts(): Concepts {
  const byWord = new Map<string, number[]>();
  const english: (readonly string[])[] = [];
  const heads: ReadonlySet<string>[] = [];
  const languagesOf = new Map<string, Set<Language>>();
  for (const [concept, line] of conceptLines.entries()) {
    const lists = line.split('|').map((words) => words.trim().split(' '));
    english.push(lists[0] ?? []);
    heads.push(new Set(lists.flatMap(([head]) => head ?? [])));
    for (const [at, language] of languages.entries())
      for (const word of lists[at] ?? []) languagesOf.set(word, (languagesOf.get(word) ?? new Set()).add(language));
    for (const word of new Set(lists.flat())) if (word !== '-') add(byWord, word, concept);
  }
  // "Collect" has the stem of "collection". A stem that is an English word means something else: "product" is no production.
  const words = new Set(english.flat());
  for (const [concept, synonyms] of english.entries())
    for (const stem of new Set(synonyms.map(stemOf))) if (!words.has(stem)) add(byWord, stem, concept);
  return { byWord, english, heads, languages: languagesOf };
}

const cache: { concepts?: Concepts } = {};
const concepts = (): Concepts => (cache.concepts ??= readConcepts());

/** An end of plurals and inflected forms, what stands in its place in the basic form, and how long that must be. */
interface WordEnd {
  readonly end: RegExp;
  readonly basic: string;
  readonly least: number;
}

const ending = (end: RegExp, basic = '', least = 4): WordEnd => ({ end, basic, least });

/** The ends of all languages of questions. */
const endings: readonly WordEnd[] = [
  ending(/(?<=[^aeiou])ies$/u, 'y', 3),
  ending(/(?<=ch|sh|ss)es$/u, '', 3),
  ending(/s$/u, '', 3),
  ending(/x$/u),
  ending(/(?:n|e)$/u),
  ending(/(?:es|en)$/u),
  ending(/ces$/u, 'z', 3),
  // Dutch doubles the consonant: "ritten" are several times "rit".
  ending(/(?<=([bdfgklmnprst]))\1en$/u, '', 3),
  ending(/as$/u, 'o'),
  ending(/a$/u, 'o'),
];

/** Returns a word and what it may be an inflected form of. */
const formsOf = (word: string): readonly string[] => [
  word,
  ...endings.flatMap(({ end, basic, least }) => {
    const form = word.replace(end, basic);
    return form === word || form.length < least ? [] : [form];
  }),
  // The stem of "bookings" is "book", so it comes last.
  stemOf(word),
];

const noConcepts: readonly number[] = [];
const recentConcepts = recent<string, readonly number[]>(20_000);

/** Returns the concepts of a word, or else of the first of its basic forms that has some. */
function conceptsOf(word: string): readonly number[] {
  const known = recentConcepts.get(word);
  if (known !== undefined) return known;
  const { byWord } = concepts();
  const form = formsOf(word).find((text) => byWord.has(text));
  const found = form === undefined ? noConcepts : (byWord.get(form) ?? noConcepts);
  recentConcepts.set(word, found);
  return found;
}

/** True if the word, or what it is a form of, belongs to a concept. */
export const hasConcept = (word: string): boolean => conceptsOf(word).length > 0;

/** True if two words mean the same, in any languages of questions. */
export function areSynonyms(left: string, right: string): boolean {
  const rights = conceptsOf(right);
  return rights.length > 0 && conceptsOf(left).some((concept) => rights.includes(concept));
}

/**
 * True if a name is the usual word for what a word of another language means: `pais` is Country first, and Nationality
 * only in a dataset without.
 */
export function isTranslation(word: string, name: string): boolean {
  const { english, heads } = concepts();
  const [forms, names] = [formsOf(word), formsOf(name)];
  return conceptsOf(word).some(
    (concept) =>
      names.some((form) => heads[concept]?.has(form) === true) &&
      !(isAny(forms, english[concept]) && isAny(names, english[concept])),
  );
}

const isAny = (forms: readonly string[], words: readonly string[] = []): boolean =>
  forms.some((form) => words.includes(form));

/** Returns the English words of all concepts of a word. */
export const englishSynonymsOf = (word: string): readonly string[] =>
  conceptsOf(word).flatMap((concept) => concepts().english[concept] ?? []);

/** Returns the language of a word, if no other has it or what it may be a form of; null for others. */
export function ownLanguageOf(word: string): Language | null {
  const known = concepts().languages;
  const found = new Set(formsOf(word).flatMap((form) => [...(known.get(form) ?? [])]));
  const [language, ...others] = found;
  return language === undefined || others.length > 0 ? null : language;
}

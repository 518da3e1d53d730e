import { attempt, memoize } from '../../locale/memoize.ts';
import { alternativeNames } from './alternative-names.ts';
import type { Shape } from './shapes.ts';

/** Finds a shape by any of several names or codes; null if none of them is known. */
export type FindShape = (texts: readonly string[], locale: string) => Shape | null;

/** Words that may be missing from a name. */
const optionalWords = new Set(['the', 'and', 'of']);
const synonyms: Readonly<Record<string, string>> = { saint: 'st', islands: 'is', island: 'is', peoples: 'people' };

/** Normalizes a name. Ignores case, accents (`ue` equals `ü`), punctuation, spaces and optional words. */
export function plainName(text: string): string {
  const foldedText = text
    .slice(0, 200)
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036F\u064B-\u065F'’]/gu, '');
  const words = foldedText.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== '' && !optionalWords.has(word));
  return words
    .map((word) => (Object.hasOwn(synonyms, word) ? synonyms[word] : word))
    .join('')
    .replaceAll(/([aou])e/gu, '$1');
}

/** Languages in which country names are looked up, the most likely first. */
export const nameLocales = [
  'en',
  'fr',
  'de',
  'es',
  'nl',
  'it',
  'pt',
  'ar',
  'ru',
  'zh',
  'zh-Hant',
  'ja',
  'ko',
  'tr',
  'pl',
  'sv',
  'da',
  'nb',
  'fi',
  'cs',
  'sk',
  'hu',
  'ro',
  'bg',
  'el',
  'uk',
  'hr',
  'sr',
  'sr-Latn',
  'sl',
  'lt',
  'lv',
  'et',
  'he',
  'fa',
  'ur',
  'hi',
  'bn',
  'ta',
  'te',
  'mr',
  'gu',
  'pa',
  'th',
  'vi',
  'id',
  'ms',
  'fil',
  'sw',
  'am',
  'ka',
  'hy',
  'az',
  'kk',
  'mn',
  'ne',
  'si',
  'km',
  'lo',
  'my',
  'ca',
  'eu',
  'gl',
  'ga',
  'cy',
  'is',
  'mk',
  'sq',
  'bs',
  'be',
  'af',
  'zu',
  'mt',
  'uz',
] as const;

/** Returns a name, followed by the name without its part in parentheses if it has one, such as `Myanmar (Burma)`. */
const withoutBrackets = (name: string): readonly string[] => {
  const shortName = name.replaceAll(/[(（][^()（）]*[)）]/gu, ' ').trim();
  return shortName === '' || shortName === name ? [name] : [name, shortName];
};

type Names = ReadonlyMap<string, Shape>;

/** Indexes shapes by normalized name. If several shapes have the same name, the first one is found. */
function namesOf(entries: readonly (readonly [shape: Shape, names: readonly string[]])[]): Names {
  const byName = new Map<string, Shape>();
  for (const [shape, names] of entries)
    for (const name of names) {
      const plainText = plainName(name);
      if (plainText !== '' && !byName.has(plainText)) byName.set(plainText, shape);
    }
  return byName;
}

/** Normalizes a code: removes dots and leading zeros. */
const plainCode = (text: string): string => {
  const trimmedCode = text.slice(0, 20).trim().replaceAll('.', '');
  return /^\d+$/u.test(trimmedCode) ? String(Number(trimmedCode)) : trimmedCode;
};

const codesOf = (shapes: readonly Shape[]): Names =>
  new Map(shapes.flatMap((shape) => shape.codes.map((code) => [plainCode(code), shape] as const)));

/** Returns the country names that `Intl` does not have. */
const ownNames = (shapes: readonly Shape[]): Names =>
  namesOf(shapes.map((shape) => [shape, (alternativeNames[shape.codes[0] ?? ''] ?? '').split('|')] as const));

/** Returns the country names in one language. Long forms take precedence over short forms. */
const localNames = (shapes: readonly Shape[], locale: string): Names =>
  namesOf(
    (['long', 'short'] as const).flatMap((style) => {
      const names = attempt(() => new Intl.DisplayNames([locale], { type: 'region', style, fallback: 'none' }));
      return shapes.map(
        (shape) => [shape, withoutBrackets(attempt(() => names?.of(shape.codes[0] ?? '')) ?? '')] as const,
      );
    }),
  );

/**
 * Finds countries by code, then by name in the viewer's language, then by name in any other language. Indexes the names
 * of a language on demand.
 */
export function createFindCountry(shapes: readonly Shape[]): FindShape {
  const [codes, ownNameTable] = [codesOf(shapes), ownNames(shapes)];
  const localNameTable = memoize((locale: string) => localNames(shapes, locale));
  const findIn = (index: Names, names: readonly string[]): Shape | null => {
    for (const name of names) {
      const shape = index.get(name);
      if (shape !== undefined) return shape;
    }
    return null;
  };
  return (texts, locale) => {
    const names = texts.map(plainName);
    const codesInTexts = texts.map(plainCode);
    // An uppercase `NGA` is always Nigeria, but `Nga` is Vietnamese for Russia.
    const shape =
      findIn(codes, codesInTexts) ??
      findIn(localNameTable(locale), names) ??
      findIn(
        codes,
        codesInTexts.map((code) => code.toUpperCase()),
      ) ??
      findIn(ownNameTable, names);
    if (shape !== null) return shape;
    for (const nameLocale of nameLocales) {
      const match = findIn(localNameTable(nameLocale), names);
      if (match !== null) return match;
    }
    return null;
  };
}

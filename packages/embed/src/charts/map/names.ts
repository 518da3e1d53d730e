import { attempt, kept } from '../../locale/kept.ts';
import { alternativeNames } from './alternative-names.ts';
import type { Shape } from './shapes.ts';

/** Finds the shape that a text names; null where none is. */
export type FindShape = (texts: readonly string[], locale: string) => Shape | null;

/** Words that names have or lack. */
const unspoken = new Set(['the', 'and', 'of']);
const same: Readonly<Record<string, string>> = { saint: 'st', islands: 'is', island: 'is', peoples: 'people' };

/** A name without what people write differently: case, accents (`ue` for `ü` too), punctuation, spaces, small words. */
export function plainName(text: string): string {
  const letters = text
    .slice(0, 200)
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036F\u064B-\u065F'’]/gu, '');
  const words = letters.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== '' && !unspoken.has(word));
  return words
    .map((word) => (Object.hasOwn(same, word) ? same[word] : word))
    .join('')
    .replaceAll(/([aou])e/gu, '$1');
}

/** Languages in which countries are looked up, the more likely ones first. */
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

/** A name and what it is without what stands in brackets, such as `Myanmar (Burma)`. */
const withoutBrackets = (name: string): readonly string[] => {
  const short = name.replaceAll(/[(（][^()（）]*[)）]/gu, ' ').trim();
  return short === '' || short === name ? [name] : [name, short];
};

type Names = ReadonlyMap<string, Shape>;

/** Names by what is alike in how people write them; the first shape that has one keeps it. */
function namesOf(named: readonly (readonly [shape: Shape, names: readonly string[]])[]): Names {
  const found = new Map<string, Shape>();
  for (const [shape, names] of named)
    for (const name of names) {
      const plain = plainName(name);
      if (plain !== '' && !found.has(plain)) found.set(plain, shape);
    }
  return found;
}

/** A text as a code: without points, and without the zeros before a number. */
const plainCode = (text: string): string => {
  const plain = text.slice(0, 20).trim().replaceAll('.', '');
  return /^\d+$/u.test(plain) ? String(Number(plain)) : plain;
};

const codesOf = (shapes: readonly Shape[]): Names =>
  new Map(shapes.flatMap((shape) => shape.codes.map((code) => [plainCode(code), shape] as const)));

/** Names of countries that `Intl` does not know. */
const ownNames = (shapes: readonly Shape[]): Names =>
  namesOf(shapes.map((shape) => [shape, (alternativeNames[shape.codes[0] ?? ''] ?? '').split('|')] as const));

/** The names in a language, the long ones first. */
const localNames = (shapes: readonly Shape[], locale: string): Names =>
  namesOf(
    (['long', 'short'] as const).flatMap((style) => {
      const names = attempt(() => new Intl.DisplayNames([locale], { type: 'region', style, fallback: 'none' }));
      return shapes.map(
        (shape) => [shape, withoutBrackets(attempt(() => names?.of(shape.codes[0] ?? '')) ?? '')] as const,
      );
    }),
  );

/** Finds countries by their codes, then by their names in the language of the viewer, then in any; languages are read when they are needed. */
export function createFindCountry(shapes: readonly Shape[]): FindShape {
  const [codes, own] = [codesOf(shapes), ownNames(shapes)];
  const local = kept((locale: string) => localNames(shapes, locale));
  const findIn = (found: Names, names: readonly string[]): Shape | null => {
    for (const name of names) {
      const shape = found.get(name);
      if (shape !== undefined) return shape;
    }
    return null;
  };
  return (texts, locale) => {
    const names = texts.map(plainName);
    const written = texts.map(plainCode);
    // `NGA` is Nigeria to everybody, and `Nga` is Russia to those who speak Vietnamese.
    const shape =
      findIn(codes, written) ??
      findIn(local(locale), names) ??
      findIn(
        codes,
        written.map((code) => code.toUpperCase()),
      ) ??
      findIn(own, names);
    if (shape !== null) return shape;
    for (const one of nameLocales) {
      const found = findIn(local(one), names);
      if (found !== null) return found;
    }
    return null;
  };
}

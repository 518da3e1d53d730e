import { isObject, type Json } from './json.ts';

const language = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/u;

/** At most this many languages in one language map. */
export const languagesMax = 100;

/** What is wrong with a language that is none. */
export const languageFault = 'must be a language such as "en" or "nl-BE"';

/** Whether a text is a language code such as `en`, `nl-BE` or `zh-Hans`. */
export const isLanguage = (code: string): boolean => code.length <= 35 && language.test(code);

/**
 * Text as searches compare it: without case and without accents, character by character, so that a piece of a text
 * folds to the same piece of the folded text.
 */
export const fold = (text: string): string =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ς', 'σ');

/** The text of a language map for a viewer: their locale, its language, English, then any; a plain text as it is. */
export function inLanguage(text: Json | undefined, locale: string): string {
  if (typeof text === 'string') return text;
  if (text === undefined || !isObject(text)) return '';
  const language = locale.split('-')[0] ?? locale;
  const near = Object.keys(text).find((key) => key.split('-')[0] === language);
  for (const key of [locale, language, near, 'en']) {
    const found = key !== undefined && Object.hasOwn(text, key) ? text[key] : undefined;
    if (typeof found === 'string' && found !== '') return found;
  }
  return Object.values(text).find((value): value is string => typeof value === 'string' && value !== '') ?? '';
}

import { isObject, type Json } from './json.ts';

const language = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/u;

/** Maximum number of languages in a language map. */
export const languagesMax = 100;

/** The fault of a value that is no language code. */
export const languageFault = 'must be a language such as "en" or "nl-BE"';

/** True for a language code such as `en`, `nl-BE` or `zh-Hans`. */
export const isLanguage = (code: string): boolean => code.length <= 35 && language.test(code);

/**
 * Removes case and accents from a text, for searches. Each character is converted separately, so a part of a text
 * becomes a part of the converted text.
 */
export const fold = (text: string): string =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ς', 'σ');

/**
 * Returns the text of a language map for a locale. If the locale has no text, returns that of its language, of English
 * or of any language, in this order. Returns a plain text unchanged.
 */
export function inLanguage(text: Json | undefined, locale: string): string {
  if (typeof text === 'string') return text;
  if (text === undefined || !isObject(text)) return '';
  const language = locale.split('-')[0] ?? locale;
  const relatedLocale = Object.keys(text).find((key) => key.split('-')[0] === language);
  for (const key of [locale, language, relatedLocale, 'en']) {
    const localText = key !== undefined && Object.hasOwn(text, key) ? text[key] : undefined;
    if (typeof localText === 'string' && localText !== '') return localText;
  }
  return Object.values(text).find((value): value is string => typeof value === 'string' && value !== '') ?? '';
}

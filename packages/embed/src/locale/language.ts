import { isObject, type Json } from '@inlay/contract';

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

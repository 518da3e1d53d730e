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

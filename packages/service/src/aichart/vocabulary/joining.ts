import type { Language } from './question-languages.ts';

/** Words that join alternatives, by language. */
const alternatives: Readonly<Record<Language, readonly string[]>> = {
  en: ['or'],
  nl: ['of'],
  fr: ['ou'],
  de: ['oder'],
  es: ['o', 'u'],
};

const listing = new Set([...'and , en et und y & plus vs versus'.split(' '), ...Object.values(alternatives).flat()]);

/** True for "or" in a language. */
export const joinsAlternatives = (text: string, language: Language): boolean => alternatives[language].includes(text);

/** True for a word that joins the parts of a list, in any language of questions. */
export const joinsList = (text: string): boolean => listing.has(text);

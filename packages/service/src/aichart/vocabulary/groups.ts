import type { Language } from './question-languages.ts';
import type { Word } from './words.ts';

/** Words before a group, by language. Those of other languages are English once the cues are translated. */
const openers: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: new Set(['by', 'per', 'each', 'every', 'across']),
  nl: new Set(['per', 'volgens', 'elke', 'elk', 'iedere', 'ieder']),
  fr: new Set(['par', 'selon', 'chaque']),
  de: new Set(['nach', 'pro', 'je', 'jede', 'jeden', 'jeder', 'jedes']),
  es: new Set(['por', 'segun', 'cada']),
};

/** True for a word before a group, such as "by", in a language. */
export const opensGroup = (text: string, language: Language = 'en'): boolean => openers[language].has(text);

const byOrPer = new Set(['par', 'por']);

/** True for a word that means both "by" and "per", and that is read as "by". */
export const isByOrPer = (word: Word | undefined): boolean => byOrPer.has(word?.typed ?? '');

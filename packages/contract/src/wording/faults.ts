import type { Json } from '../json.ts';
import { nearest } from './nearest.ts';

/** Returns `; did you mean "name"?` with the nearest known word; an empty text if no known word is near. */
export const suggestion = (word: Json | undefined, knownWords: readonly string[]): string => {
  const nearestWord = typeof word === 'string' ? nearest(word, knownWords) : undefined;
  return nearestWord === undefined ? '' : `; did you mean "${nearestWord}"?`;
};

/** Returns `is not known; did you mean "name"?`. If no known word is near, lists the known words instead. */
export function unknownWord(word: string, knownWords: readonly string[]): string {
  if (knownWords.length === 0) return 'is not known; leave it out';
  return `is not known${suggestion(word, knownWords) || `; known are: ${knownWords.join(', ')}`}`;
}

/** Returns `must be one of: viewer, owner; did you mean "viewer"?`. Suggests a word only if one is similar enough. */
export const oneOf = (words: readonly string[], value: Json | undefined): string =>
  `must be one of: ${words.join(', ')}${suggestion(value, words)}`;

/** Returns the fault of an id that is not a UUID. */
export const uuidFault = (value: Json | undefined): string =>
  value === undefined || value === null ? 'is required: a UUID' : 'must be a UUID';

/** Returns a noun with its indefinite article: `an account`, `a user`. */
export const withArticle = (noun: string): string => `${/^(?:[aeio]|umb)/iu.test(noun) ? 'an' : 'a'} ${noun}`;

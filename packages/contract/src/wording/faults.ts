import type { Json } from '../json.ts';
import { nearest } from './nearest.ts';

/** `; did you mean "name"?`; empty if no known word is near. */
export const suggestion = (word: Json | undefined, known: readonly string[]): string => {
  const near = typeof word === 'string' ? nearest(word, known) : undefined;
  return near === undefined ? '' : `; did you mean "${near}"?`;
};

/** `is not known; did you mean "name"?`; lists the known words if none is near. */
export function unknownWord(word: string, known: readonly string[]): string {
  if (known.length === 0) return 'is not known; leave it out';
  return `is not known${suggestion(word, known) || `; known are: ${known.join(', ')}`}`;
}

/** `must be one of: viewer, owner; did you mean "viewer"?`; asks only if a word is near. */
export const oneOf = (words: readonly string[], value: Json | undefined): string =>
  `must be one of: ${words.join(', ')}${suggestion(value, words)}`;

/** Returns the fault of an id that is not a UUID. */
export const uuidFault = (value: Json | undefined): string =>
  value === undefined || value === null ? 'is required: a UUID' : 'must be a UUID';

/** Returns a noun with its indefinite article: `an account`, `a user`. */
export const withArticle = (noun: string): string => `${/^(?:[aeio]|umb)/iu.test(noun) ? 'an' : 'a'} ${noun}`;

import { remembered } from './recent.ts';

/** Maximum total length of the prepared statements of a connection, in characters. */
export const maxCharacters = 4_000_000;

/**
 * Returns the weight of a prepared statement: its length plus a constant, which limits the number of statements to 300.
 */
export const weightOf = (text: string): number => text.length + maxCharacters / 300;

/** Memoizes the preparation of statements. A text longer than a tenth of the limit is not cached. */
export function preparing<Prepared extends object>(prepare: (text: string) => Prepared): (text: string) => Prepared {
  const cachedPrepare = remembered(maxCharacters, prepare, weightOf);
  return (text) => (text.length > maxCharacters / 10 ? prepare(text) : cachedPrepare(text));
}

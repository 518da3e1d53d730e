import { remembered } from './recent.ts';

/** Total size limit of the prepared statements of a connection, in characters. */
export const maxCharacters = 4_000_000;

/** Weight of a prepared statement: its length plus a fixed overhead, which limits their number to 300. */
export const weightOf = (text: string): number => text.length + maxCharacters / 300;

/** Prepares statements and caches recent ones. A text longer than a tenth of the limit is not cached. */
export function preparing<Prepared extends object>(prepare: (text: string) => Prepared): (text: string) => Prepared {
  const cachedPrepare = remembered(maxCharacters, prepare, weightOf);
  return (text) => (text.length > maxCharacters / 10 ? prepare(text) : cachedPrepare(text));
}

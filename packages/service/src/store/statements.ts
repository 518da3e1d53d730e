import { remembered } from './recent.ts';

/** What the prepared statements of a connection may weigh together, in letters. */
export const mostLetters = 4_000_000;

/** What a prepared statement weighs: its text, and what is kept of any. No more than 300 are kept therefore, and fewer long ones. */
export const weightOf = (text: string): number => text.length + mostLetters / 300;

/** Prepares a text, unless it was prepared lately and is kept. One of more than a tenth of all is not kept. */
export function preparing<Prepared extends object>(prepare: (text: string) => Prepared): (text: string) => Prepared {
  const kept = remembered(mostLetters, prepare, weightOf);
  return (text) => (text.length > mostLetters / 10 ? prepare(text) : kept(text));
}

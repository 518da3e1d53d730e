import { remembered } from './recent.ts';

/**
 * The prepared statements that a connection keeps: so many, and none with a longer text, so that all of them have at most
 * 5 million letters. Preparing a longer one takes little beside running it.
 */
export const keptStatements = { most: 300, longest: 16_384 } as const;

/** Prepares a text, unless it was prepared lately and is kept. */
export function preparing<Prepared extends object>(prepare: (text: string) => Prepared): (text: string) => Prepared {
  const kept = remembered(keptStatements.most, prepare);
  return (text) => (text.length > keptStatements.longest ? prepare(text) : kept(text));
}

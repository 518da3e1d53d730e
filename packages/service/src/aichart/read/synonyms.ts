import type { Profile } from '../profile.ts';
import type { Word } from '../vocabulary/words.ts';
import type { WordRange } from './phrase.ts';

/** Returns where a question names a column by a complete synonym. These words are a name, whatever else they mean. */
export const synonymRanges = ({ synonyms }: Profile, words: readonly Word[]): readonly WordRange[] =>
  words.flatMap((_, start) =>
    synonyms
      .filter((synonym) => synonym.every((text, index) => words[start + index]?.text === text))
      .map(({ length }) => ({ start, end: start + length })),
  );

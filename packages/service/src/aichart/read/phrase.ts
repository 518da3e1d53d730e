import type { Word } from '../vocabulary/words.ts';

/** A range of words; `end` is exclusive. */
export interface WordRange {
  readonly start: number;
  readonly end: number;
}

/** A match of a regular expression, as a range of words, with the named groups of the expression. */
export interface PhraseMatch extends WordRange {
  readonly parts: Readonly<Record<string, string>>;
  /** Returns the range of a named group; null if the group did not match. */
  range(part: string): WordRange | null;
}

/** Words joined to a single text, which regular expressions can search. Matches are returned as ranges of words. */
export interface PhraseText {
  readonly text: string;
  findAll(expression: RegExp): readonly PhraseMatch[];
  find(expression: RegExp): PhraseMatch | null;
}

/**
 * Joins words to a text with single spaces between them, at the start and at the end. A word for which `isShown`
 * returns false becomes `_`.
 */
export function phraseOf(words: readonly Word[], isShown: (at: number) => boolean = () => true): PhraseText {
  const starts: number[] = [];
  let text = ' ';
  words.forEach((word, at) => {
    starts.push(text.length);
    const plainText = word.kind === 'quoted' ? '"q"' : word.text;
    text += `${isShown(at) ? plainText : '_'} `;
  });
  const wordAt = (place: number): number => {
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const findAll = (expression: RegExp): readonly PhraseMatch[] => {
    // Most expressions do not match, so the more expensive search for positions runs only after a test.
    if (!expression.test(text)) return [];
    return [...text.matchAll(new RegExp(expression.source, 'dgu'))].map((match) => {
      const [from, to] = match.indices?.[0] ?? [0, 0];
      const lead = match[0].length - match[0].trimStart().length;
      const groups = match.groups ?? {};
      const parts = Object.fromEntries(
        Object.entries(groups).filter((entry): entry is [string, string] => entry[1] !== undefined),
      );
      return {
        start: wordAt(from + lead),
        end: wordAt(to),
        parts,
        range: (part) => {
          const place = match.indices?.groups?.[part];
          return place === undefined ? null : { start: wordAt(place[0]), end: wordAt(place[1]) };
        },
      };
    });
  };
  return { text, findAll, find: (expression) => findAll(expression)[0] ?? null };
}

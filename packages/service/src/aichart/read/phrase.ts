import type { Word } from '../vocabulary/words.ts';

/** A stretch of words; `end` not included. */
export interface WordRange {
  readonly start: number;
  readonly end: number;
}

/** A stretch found by an expression, with its named parts. */
export interface PhraseMatch extends WordRange {
  readonly parts: Readonly<Record<string, string>>;
  /** Where a named part stands. */
  range(part: string): WordRange | null;
}

/** Words as one text, so that expressions can be looked for, each find told in words again. */
export interface PhraseText {
  readonly text: string;
  findAll(expression: RegExp): readonly PhraseMatch[];
  find(expression: RegExp): PhraseMatch | null;
}

/** Joins words with single spaces, a space before and after; a word for which `shown` says no is left out as `_`. */
export function phraseOf(words: readonly Word[], shown: (at: number) => boolean = () => true): PhraseText {
  const starts: number[] = [];
  let text = ' ';
  words.forEach((word, at) => {
    starts.push(text.length);
    const plain = word.kind === 'quoted' ? '"q"' : word.text;
    text += `${shown(at) ? plain : '_'} `;
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
    // Most are not in a question: places are worked out only where one is.
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

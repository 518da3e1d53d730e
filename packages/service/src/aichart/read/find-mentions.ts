import type { Word } from '../vocabulary/words.ts';

/**
 * A column to which a mention may refer. `strength` says how certain this is: 1 for the complete name of the column,
 * more than 1 for the exact spelling.
 */
export interface Option {
  readonly column: number;
  readonly strength: number;
}

/** A mention of a column in a question. `start` and `end` are word positions; `end` is exclusive. */
export interface Mention {
  readonly start: number;
  readonly end: number;
  /** The columns to which the mention may refer; the most certain one comes first. */
  readonly options: readonly Option[];
  /** True if the words are not the name of the column, but a phrase such as "male and female". */
  readonly pointer: boolean;
}

/**
 * The mentions in a question. `hints`: for each column, how strongly any words refer to it, even if that is too weak
 * for a mention.
 */
export interface FoundMentions {
  readonly mentions: readonly Mention[];
  readonly hints: ReadonlyMap<number, number>;
}

/** Words that match the name of a column, and how strongly they match. */
export interface WordRun {
  readonly start: number;
  readonly end: number;
  readonly column: number;
  readonly strength: number;
  readonly words: number;
  readonly pointer?: true;
}

/** True if a mention only continues the previous name, as the second word of "major id". */
const isTail = (words: readonly Word[], { start, end }: Mention, previousMention: Mention | undefined): boolean =>
  previousMention?.end === start &&
  end - start === 1 &&
  ['id', 'ids', 'code', 'codes', 'name', 'names', 'number'].includes(words[start]?.text ?? '') &&
  words[start]?.within === null;

/** Minimum strength of a match that counts as a mention. */
export const leastStrength = 0.42;

/**
 * If several columns match the same words, columns with a larger value are preferred: totals come first, and columns
 * such as "previous" or "other" last.
 */
export const preference = (name: readonly string[]): number =>
  name.some((word) => /^(?:total|overall|gross)$/u.test(word))
    ? 1
    : name.some((word) => /^(?:other|misc|previous|prev|prior|old|parent|alternate|secondary|second)$/u.test(word))
      ? -1
      : 0;

/**
 * Finds mentions that do not overlap. `tellingRuns` are the matches that may become mentions. All matches in `wordRuns`
 * contribute hints.
 */
export function findMentions(
  words: readonly Word[],
  tellingRuns: readonly WordRun[],
  wordRuns: readonly WordRun[],
  preferenceOf: (column: number) => number,
): FoundMentions {
  const runs = tellingRuns
    .filter(({ strength }) => strength >= leastStrength)
    .map((run) => ({ ...run, worth: run.strength * (0.5 + run.words) }))
    .sort(
      (left, right) =>
        right.worth - left.worth ||
        left.start - right.start ||
        preferenceOf(right.column) - preferenceOf(left.column) ||
        left.column - right.column,
    );
  const mentions: { start: number; end: number; words: number; options: Option[]; pointer: boolean }[] = [];
  for (const run of runs) {
    const overlapping = mentions.filter(({ start, end }) => run.start < end && start < run.end);
    if (overlapping.length === 0) {
      mentions.push({
        start: run.start,
        end: run.end,
        words: run.words,
        options: [{ column: run.column, strength: run.strength }],
        pointer: run.pointer === true,
      });
      continue;
    }
    const [rival] = overlapping;
    if (rival === undefined || overlapping.length > 1 || rival.options.some(({ column }) => column === run.column))
      continue;
    const best = rival.options[0]?.strength ?? 0;
    // Of the compound `Zahlungsart`, "category" has one part and "payment method" both.
    const isPart = run.start === rival.start && run.end === rival.end && run.words <= rival.words - 1;
    const isInside = run.start >= rival.start && run.end <= rival.end;
    if (isInside && !isPart && run.strength >= best * 0.6 && rival.options.length < 4) {
      rival.options.push({
        column: run.column,
        strength: run.strength * ((run.end - run.start) / (rival.end - rival.start)) ** 0.5,
      });
    }
  }
  const hints = new Map<number, number>();
  for (const run of wordRuns) {
    const other = mentions.some(
      ({ start, end, options }) =>
        run.start < end && start < run.end && !options.some(({ column }) => column === run.column),
    );
    if (!other) hints.set(run.column, Math.max(hints.get(run.column) ?? 0, run.strength));
  }
  for (const run of mentions)
    run.options.sort(
      (left, right) =>
        right.strength - left.strength ||
        preferenceOf(right.column) - preferenceOf(left.column) ||
        left.column - right.column,
    );
  const sortedMentions = mentions.sort((left, right) => left.start - right.start);
  return { mentions: sortedMentions.filter((mention, at) => !isTail(words, mention, sortedMentions[at - 1])), hints };
}

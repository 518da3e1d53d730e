import type { Word } from '../vocabulary/words.ts';

/** A column that a mention may mean, with a certainty: 1 for the whole name of the column, above 1 for an exact match. */
export interface Option {
  readonly column: number;
  readonly strength: number;
}

/** Where a question mentions a column. `start` and `end` are word positions; `end` is exclusive. */
export interface Mention {
  readonly start: number;
  readonly end: number;
  /** Best first. */
  readonly options: readonly Option[];
  /** A phrase such as "male and female" points at the column, not its name. */
  readonly pointer: boolean;
}

/** The columns in a range of words. `hints`: how strongly each column is touched on at all. */
export interface FoundMentions {
  readonly mentions: readonly Mention[];
  readonly hints: ReadonlyMap<number, number>;
}

/** Words that match the name of a column, with their score. */
export interface WordRun {
  readonly start: number;
  readonly end: number;
  readonly column: number;
  readonly strength: number;
  readonly words: number;
  readonly pointer?: true;
}

/** "major id": the second word belongs to the preceding name. */
const isTail = (words: readonly Word[], { start, end }: Mention, previousMention: Mention | undefined): boolean =>
  previousMention?.end === start &&
  end - start === 1 &&
  ['id', 'ids', 'code', 'codes', 'name', 'names', 'number'].includes(words[start]?.text ?? '') &&
  words[start]?.within === null;

/** The weakest partial name that counts as a mention. */
export const leastStrength = 0.42;

/** Of several columns that match the same words, complete names precede their parts. */
export const preference = (name: readonly string[]): number =>
  name.some((word) => /^(?:total|overall|gross)$/u.test(word))
    ? 1
    : name.some((word) => /^(?:other|misc|previous|prev|prior|old|parent|alternate|secondary|second)$/u.test(word))
      ? -1
      : 0;

/** Chooses among overlapping runs. All runs, including those about the dataset's rows, contribute hints. */
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
  const mentions: { start: number; end: number; options: Option[]; pointer: boolean }[] = [];
  for (const run of runs) {
    const overlapping = mentions.filter(({ start, end }) => run.start < end && start < run.end);
    if (overlapping.length === 0) {
      mentions.push({
        start: run.start,
        end: run.end,
        options: [{ column: run.column, strength: run.strength }],
        pointer: run.pointer === true,
      });
      continue;
    }
    const [rival] = overlapping;
    if (rival === undefined || overlapping.length > 1 || rival.options.some(({ column }) => column === run.column))
      continue;
    const best = rival.options[0]?.strength ?? 0;
    const isInside = run.start >= rival.start && run.end <= rival.end;
    if (isInside && run.strength >= best * 0.6 && rival.options.length < 4) {
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

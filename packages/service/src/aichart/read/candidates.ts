import type { QuestionReading, CuedMention } from './reading.ts';

export interface MentionCandidates {
  readonly mention: CuedMention;
  readonly columns: readonly number[];
}

/** Returns each mention with its possible columns. Omits a column if another mention refers to it more clearly. */
export const candidatesFor = ({ mentions }: QuestionReading): readonly MentionCandidates[] =>
  mentions.map((mention) => {
    const [firstOption] = mention.options;
    const isTaken = (column: number): boolean =>
      column !== firstOption?.column &&
      mentions.some((other) => other !== mention && other.options[0]?.column === column);
    return { mention, columns: mention.options.flatMap(({ column }) => (isTaken(column) ? [] : [column])) };
  });

/** Returns a function that finds the mentions of a column. */
export function mentionsOfColumns({ mentions }: QuestionReading): (column: number) => readonly CuedMention[] {
  const mentionsByColumn = new Map<number, readonly CuedMention[]>();
  for (const mention of mentions)
    for (const { column, strength } of mention.options) {
      const previousMentions = mentionsByColumn.get(column) ?? [];
      if (strength > 0 && !previousMentions.includes(mention))
        mentionsByColumn.set(column, [...previousMentions, mention]);
    }
  return (column) => mentionsByColumn.get(column) ?? noMentions;
}
const noMentions: readonly CuedMention[] = [];

import type { QuestionReading, CuedMention } from './reading.ts';

export interface MentionCandidates {
  readonly mention: CuedMention;
  readonly columns: readonly number[];
}

/** Mentions with their candidate columns, without columns that another mention matches better. */
export const candidatesFor = ({ mentions }: QuestionReading): readonly MentionCandidates[] =>
  mentions.map((mention) => {
    const [firstOption] = mention.options;
    const isTaken = (column: number): boolean =>
      column !== firstOption?.column &&
      mentions.some((other) => other !== mention && other.options[0]?.column === column);
    return { mention, columns: mention.options.flatMap(({ column }) => (isTaken(column) ? [] : [column])) };
  });

/** Indexes the mentions of a question by column. */
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

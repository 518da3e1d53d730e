import type { QuestionReading, CuedMention } from './reading.ts';

export interface MentionCandidates {
  readonly mention: CuedMention;
  readonly columns: readonly number[];
}

/** Mentions with their candidate columns, without columns that another mention matches better. */
export const candidatesFor = ({ mentions }: QuestionReading): readonly MentionCandidates[] =>
  mentions.map((mention) => {
    const [first] = mention.options;
    const taken = (column: number): boolean =>
      column !== first?.column && mentions.some((other) => other !== mention && other.options[0]?.column === column);
    return { mention, columns: mention.options.flatMap(({ column }) => (taken(column) ? [] : [column])) };
  });

/** Indexes the mentions of a question by column. */
export function mentionsOfColumns({ mentions }: QuestionReading): (column: number) => readonly CuedMention[] {
  const known = new Map<number, readonly CuedMention[]>();
  for (const mention of mentions)
    for (const { column, strength } of mention.options) {
      const before = known.get(column) ?? [];
      if (strength > 0 && !before.includes(mention)) known.set(column, [...before, mention]);
    }
  return (column) => known.get(column) ?? none;
}
const none: readonly CuedMention[] = [];

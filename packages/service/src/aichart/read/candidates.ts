import type { QuestionReading, CuedMention } from './reading.ts';

export interface MentionCandidates {
  readonly said: CuedMention;
  readonly columns: readonly number[];
}

/** Mentions with their candidate columns, without columns that another mention matches better. */
export const candidatesFor = ({ said }: QuestionReading): readonly MentionCandidates[] =>
  said.map((mention) => {
    const [first] = mention.options;
    const taken = (column: number): boolean =>
      column !== first?.column && said.some((other) => other !== mention && other.options[0]?.column === column);
    return { said: mention, columns: mention.options.flatMap(({ column }) => (taken(column) ? [] : [column])) };
  });

/** Indexes the mentions of a question by column. */
export function mentionsOfColumns({ said }: QuestionReading): (column: number) => readonly CuedMention[] {
  const known = new Map<number, readonly CuedMention[]>();
  for (const mention of said)
    for (const { column, strength } of mention.options) {
      const before = known.get(column) ?? [];
      if (strength > 0 && !before.includes(mention)) known.set(column, [...before, mention]);
    }
  return (column) => known.get(column) ?? none;
}
const none: readonly CuedMention[] = [];

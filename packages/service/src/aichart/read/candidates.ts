import type { QuestionReading, CuedMention } from './reading.ts';

/** A mention with its candidate columns. */
export interface MentionCandidates {
  readonly said: CuedMention;
  readonly columns: readonly number[];
}

/** Mentions with their candidate columns, without columns that another mention matches better. */
export const candidatesFor = ({ said }: QuestionReading): readonly MentionCandidates[] =>
  said.map((one) => {
    const [first] = one.options;
    const taken = (column: number): boolean =>
      column !== first?.column && said.some((other) => other !== one && other.options[0]?.column === column);
    return { said: one, columns: one.options.flatMap(({ column }) => (taken(column) ? [] : [column])) };
  });

/** Indexes the mentions of a question by column. */
export function mentionsOfColumns({ said }: QuestionReading): (column: number) => readonly CuedMention[] {
  const known = new Map<number, readonly CuedMention[]>();
  for (const one of said)
    for (const { column, strength } of one.options) {
      const before = known.get(column) ?? [];
      if (strength > 0 && !before.includes(one)) known.set(column, [...before, one]);
    }
  return (column) => known.get(column) ?? none;
}
const none: readonly CuedMention[] = [];

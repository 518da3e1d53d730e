import type { Aggregation } from '../read/cues.ts';
import type { Group, Hypothesis, Quantity } from '../plan.ts';
import type { QuestionReading } from '../read/reading.ts';
import type { Scale } from './score.ts';

const unique = <T>(items: readonly T[], key: (item: T) => string): readonly T[] => [
  ...new Map(items.map((item) => [key(item), item])).values(),
];

/** Returns up to `maxCount` columns that a question mentions. The column with the most certain mention comes first. */
function spokenColumns(reading: QuestionReading, maxCount: number): readonly number[] {
  const strengths = new Map<number, number>();
  for (const { options } of reading.mentions) {
    for (const { column, strength } of options) strengths.set(column, Math.max(strengths.get(column) ?? 0, strength));
  }
  return [...strengths]
    .sort((left, right) => right[1] - left[1])
    .slice(0, maxCount)
    .map(([column]) => column);
}

/**
 * Returns every quantity that the words allow: the row count, each number with and without an aggregation, and distinct
 * counts.
 */
function quantities({ profile, reading }: Scale, columns: readonly number[]): readonly Quantity[] {
  const result: Quantity[] = [{ column: null, aggregation: 'count' }];
  for (const column of columns) {
    const profiledColumn = profile.columns[column];
    if (profiledColumn === undefined) continue;
    const cues = reading.mentions
      .filter(({ options }) => options.some((option) => option.column === column))
      .map((mention) => mention.cues);
    const requestedAggregations = cues.flatMap(({ aggregations }) => aggregations);
    if (profiledColumn.type === 'numeric') {
      const aggregations: (Aggregation | null)[] = [null, ...requestedAggregations];
      if (cues.some(({ counted }) => counted !== 'no')) aggregations.push('sum');
      result.push(...aggregations.map((aggregation) => ({ column, aggregation })));
    }
    if (cues.some(({ distinct }) => distinct)) result.push({ column, aggregation: 'distinctcount' });
  }
  return unique(result, ({ column, aggregation }) => `${column} ${aggregation}`);
}

/**
 * Returns every chart that the words could mean: each combination of group, quantity and legend. For scatter charts,
 * also each pair of quantities. There are at most a few thousand.
 */
export function candidates(scale: Scale): readonly Hypothesis[] {
  const { profile, reading, plane } = scale;
  const columns = spokenColumns(reading, 12);
  const times = reading.grain === null && !scale.overTime ? [] : timeColumns(scale);
  const having = (wantedRole: string): readonly number[] =>
    profile.columns.flatMap(({ role }, index) => (role === wantedRole ? [index] : []));
  const titleColumns = reading.eachEntity ? having('title').slice(0, 2) : [];
  // For a question such as "the longest 3 flights", rows without a name are identified by an identifier column.
  const titles = reading.fewRows && titleColumns.length === 0 ? having('identifier').slice(0, 1) : titleColumns;
  const grain = reading.grain?.grain ?? null;
  const group = (column: number): Group => ({
    column,
    grain: profile.columns[column]?.type === 'datetime' ? grain : null,
  });
  const groupable = columns.filter((column) => profile.columns[column]?.isFormula !== true);
  const xs: readonly Group[] = [...new Set([...groupable, ...times, ...titles])].map(group);
  const ys = quantities(scale, columns);
  const legends: (Group | null)[] = [
    null,
    ...groupable.filter((column) => profile.columns[column]?.role !== 'amount' || regroups(reading, column)).map(group),
  ];
  const hypotheses: Hypothesis[] = [];
  for (const y of ys) {
    for (const legend of legends) {
      for (const x of xs) {
        if (x.column === legend?.column) continue;
        hypotheses.push({ x, y, legend, across: null });
      }
      if (!plane) continue;
      for (const across of ys) hypotheses.push({ x: null, y, legend, across });
    }
    hypotheses.push({ x: null, y, legend: null, across: null });
  }
  return hypotheses;
}

/** True if a column is a further group, even if it is a number, as in "and group by age". */
const regroups = (reading: QuestionReading, column: number): boolean =>
  reading.mentions.some(
    ({ options, cues }) =>
      (cues.legend || cues.regrouped !== 'no') && options.some((option) => option.column === column),
  );

/** Returns at most four time columns of a dataset. Those to which the question refers most clearly come first. */
function timeColumns({ profile, reading }: Scale): readonly number[] {
  return profile.columns
    .flatMap(({ type }, index) => (type === 'datetime' ? [index] : []))
    .sort((left, right) => (reading.hints.get(right) ?? 0) - (reading.hints.get(left) ?? 0) || left - right)
    .slice(0, 4);
}

import type { Aggregation } from '../read/cues.ts';
import type { Group, Hypothesis, Quantity } from './hypothesis.ts';
import type { QuestionReading } from '../read/reading.ts';
import type { Scale } from './score.ts';

const unique = <T>(items: readonly T[], key: (item: T) => string): readonly T[] => [
  ...new Map(items.map((item) => [key(item), item])).values(),
];

/** Returns up to `maxCount` columns that a question mentions, the most certain first. */
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

/** Returns every quantity the words allow: a row count, each number raw or aggregated, distinct counts. */
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
 * Returns every chart the words could mean: each group × each quantity × each legend; for scatter charts, each pair of
 * numbers. At most a few thousand.
 */
export function candidates(scale: Scale): readonly Hypothesis[] {
  const { profile, reading, plane } = scale;
  const columns = spokenColumns(reading, 12);
  const times = reading.grain === null && !scale.overTime ? [] : timeColumns(scale);
  const having = (wantedRole: string): readonly number[] =>
    profile.columns.flatMap(({ role }, index) => (role === wantedRole ? [index] : []));
  const titleColumns = reading.eachEntity ? having('title').slice(0, 2) : [];
  // Rows without a name are identified by a number: "the longest 3 flights".
  const titles = reading.fewRows && titleColumns.length === 0 ? having('identifier').slice(0, 1) : titleColumns;
  const grain = reading.grain?.grain ?? null;
  const group = (column: number): Group => ({
    column,
    grain: profile.columns[column]?.type === 'datetime' ? grain : null,
  });
  const xs: readonly Group[] = [...new Set([...columns, ...times, ...titles])].map(group);
  const ys = quantities(scale, columns);
  const legends: (Group | null)[] = [
    null,
    ...columns.filter((column) => profile.columns[column]?.role !== 'amount' || regroups(reading, column)).map(group),
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

/** "and group by age": a number that becomes a further group. */
const regroups = (reading: QuestionReading, column: number): boolean =>
  reading.mentions.some(
    ({ options, cues }) =>
      (cues.legend || cues.regrouped !== 'no') && options.some((option) => option.column === column),
  );

/** Returns the time columns of a dataset, those the question hints at first; at most four. */
function timeColumns({ profile, reading }: Scale): readonly number[] {
  return profile.columns
    .flatMap(({ type }, index) => (type === 'datetime' ? [index] : []))
    .sort((left, right) => (reading.hints.get(right) ?? 0) - (reading.hints.get(left) ?? 0) || left - right)
    .slice(0, 4);
}

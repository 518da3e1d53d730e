import type { Expression, ScanColumn } from '../expression.ts';

/** Levels of time at which a rollup groups: 1 year, 2 quarter, 3 month, 4 week, 5 day. */
export type BucketLevel = 1 | 2 | 3 | 4 | 5;

/** A time that a rollup groups by its period in the calendar of a zone. */
export interface RollupTime {
  readonly column: ScanColumn;
  readonly zone: string;
  readonly level: BucketLevel;
  /** First day of the week, 1 Monday … 7 Sunday; 1 for other levels. */
  readonly weekstart: number;
}

/** An aggregate whose values for parts of a group give its value for the group. `of` is null for `rows`. */
export interface RollupPart {
  readonly name: 'rows' | 'count' | 'sum' | 'min' | 'max' | 'average' | 'deviation';
  readonly of: Expression | null;
  /** Columns that `of` reads. */
  readonly reads: readonly ScanColumn[];
}

/**
 * What a rollup of a dataset groups by and computes. Plain data without values of rows. Lists are sorted, so that equal
 * shapes have equal texts.
 */
export interface RollupShape {
  readonly columns: readonly ScanColumn[];
  readonly times: readonly RollupTime[];
  readonly parts: readonly RollupPart[];
}

/** Name of the relation in the expressions of a shape. */
export const shapeAlias = 'r';

const distinctSorted = <Entry>(entries: readonly Entry[]): readonly Entry[] => {
  const byText = new Map(entries.map((entry) => [JSON.stringify(entry), entry]));
  return [...byText].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, entry]) => entry);
};

/** Combines shapes to the shape that has the columns, times and parts of all of them. */
export function unionOfShapes(shapes: readonly RollupShape[]): RollupShape {
  const columns = distinctSorted(shapes.flatMap((shape) => shape.columns));
  const names = new Set(columns.map(({ name }) => name));
  const times = shapes.flatMap((shape) => shape.times).filter((time) => !names.has(time.column.name));
  const byCalendar = Map.groupBy(times, ({ column: { name }, zone }) => JSON.stringify([name, zone]));
  return {
    columns,
    times: distinctSorted([...byCalendar.values()].flatMap((entries) => commonTime(entries) ?? [])),
    parts: distinctSorted(shapes.flatMap((shape) => shape.parts)),
  };
}

/** True if periods of the first bucket make up the periods of the second. */
export const servesPeriod = (
  bucket: Pick<RollupTime, 'level' | 'weekstart'>,
  level: number,
  weekstart: number,
): boolean =>
  bucket.level === 4
    ? level === 4 && bucket.weekstart === weekstart
    : level === 4
      ? bucket.level === 5
      : level <= bucket.level;

/** Returns the coarsest time that serves all of the times, which are of one column and zone. */
function commonTime(times: readonly RollupTime[]): RollupTime | undefined {
  const [first] = times;
  if (first === undefined) return undefined;
  const weekstart = times.find(({ level }) => level === 4)?.weekstart ?? 1;
  const levels = [1, 2, 3, 4, 5] as const;
  const level = levels.find((candidate) =>
    times.every((time) => servesPeriod({ level: candidate, weekstart }, time.level, time.weekstart)),
  );
  return { ...first, level: level ?? 5, weekstart: level === 4 ? weekstart : 1 };
}

/** True if a rollup of the first shape answers every query that a rollup of the second shape answers. */
export function coversShape(shape: RollupShape, need: RollupShape): boolean {
  const names = new Set(shape.columns.map(({ name }) => name));
  const parts = new Set(shape.parts.map((part) => JSON.stringify(part)));
  return (
    need.columns.every(({ name }) => names.has(name)) &&
    need.parts.every((part) => parts.has(JSON.stringify(part))) &&
    need.times.every(
      ({ column: { name }, zone, level, weekstart }) =>
        names.has(name) ||
        shape.times.some(
          (time) => time.column.name === name && time.zone === zone && servesPeriod(time, level, weekstart),
        ),
    )
  );
}

/** Name of the column of a rollup with the values of a column, a time or a part, by its index in the shape. */
export const rollupColumn = {
  column: (index: number): string => `k${index}`,
  time: (index: number): string => `t${index}`,
  part: (index: number): string => `p${index}`,
} as const;

/** Returns the wall clock of a time in a zone. Periods are computed from it. */
export const wallClock = (of: Expression, zone: string): Expression =>
  zone === 'UTC' ? of : { kind: 'zone', of, to: 'local', zone, type: of.type };

import { test, type Expression, type Scan } from '../expression.ts';
import type { ModelColumn, ModelDataset } from '../model.ts';
import { and, or } from './expressions/tests.ts';
import { storedValue } from './expressions/values.ts';
import { withAlias } from './expressions/walk.ts';
import { timeLiteral } from './time/time.ts';

/** Which rows a copy of a dataset reads. */
export interface CopyRange {
  /** Columns with times. A row is read if any of its times is in the range, or if the first one is missing. */
  readonly columns: readonly ModelColumn[];
  /** Start of the range in ms since 1970, inclusive; null if it has no start. */
  readonly sinceMs: number | null;
  /** End of the range in ms since 1970, exclusive; null if it has no end. */
  readonly untilMs: number | null;
}

const inRange = (time: Expression, { sinceMs, untilMs }: CopyRange): Expression =>
  and([
    ...(sinceMs === null ? [] : [test('>=', time, timeLiteral(sinceMs))]),
    ...(untilMs === null ? [] : [test('<', time, timeLiteral(untilMs))]),
  ]);

/**
 * Plans which rows of a dataset to read for a copy of it: all stored columns, without row filters. `range` is null for
 * all rows. Write the scan with `emitScan` and `isStrict`, since a filter that is left out would read rows twice.
 */
export function copyScan({ id, columns }: ModelDataset, range: CopyRange | null): Scan {
  const stored = [...columns.values()].filter(({ expression }) => expression === null);
  const times = range === null ? [] : range.columns.map((column) => withAlias(storedValue(column), id, 't'));
  const [first] = times;
  const filters =
    range === null || first === undefined
      ? []
      : [or([test('isNull', first), ...times.map((time) => inRange(time, range))])];
  return {
    kind: 'scan',
    datasetId: id,
    columns: stored
      .map(({ source: name, storageType, nativeText }) => ({
        name,
        storageType,
        ...(nativeText === true ? { nativeText } : {}),
      }))
      .toSorted((left, right) => (left.name < right.name ? -1 : 1)),
    rowFilters: [],
    filters,
  };
}

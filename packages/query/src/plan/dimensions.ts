import type { Cell } from '../cell.ts';
import type { Expression, Level } from '../expression.ts';
import { QueryProblem } from '../problem.ts';
import type { Bins, Dimension, TimePart } from '../query.ts';
import type { PlanContext } from './context.ts';
import type { JoinTree } from './join-tree/join-tree.ts';
import { atLevel, columnIn, datetimeLevel, valueOf, type ColumnValue } from './expressions/values.ts';
import { partRules } from './time/parts.ts';
import { minutesPastHour } from './time/zone.ts';

/**
 * A dimension before it is placed in a join tree. `key` computes the grouping key from `value`. If `zoned`, the key is
 * a period in the calendar of a zone, computed from local time, and the answer is the UTC time at which the period
 * starts.
 */
export interface Grouping {
  readonly own: ColumnValue;
  readonly value: Expression;
  readonly key: (value: Expression) => Expression;
  /** Computes the answer of a group from its key. */
  readonly answer: (key: Expression) => Expression;
  readonly cell: Cell;
  readonly bins: Bins | null;
  readonly zoned: boolean;
}

const unchanged = (expression: Expression): Expression => expression;

function periods(
  columnValue: ColumnValue,
  groupLevel: Level | null,
  context: PlanContext,
): Pick<Grouping, 'key' | 'answer' | 'zoned'> {
  const { zone, weekstart } = context.clock;
  const { type } = columnValue.value;
  const level: Level = columnValue.sort === 'date' && (groupLevel === null || groupLevel > 5) ? 5 : (groupLevel ?? 9);
  const key = (of: Expression): Expression => ({ kind: 'periodKey', of, level, weekstart, type });
  const start = (of: Expression): Expression => ({ kind: 'periodStart', of, level, weekstart, type });
  if (columnValue.sort === 'date' && level === 5) return { key: unchanged, answer: unchanged, zoned: false };
  if (columnValue.sort === 'date' || zone.isUtc || level > 6) return { key, answer: start, zoned: false };
  const minutesPast = level === 6 ? minutesPastHour(zone) : null;
  if (minutesPast === 0) return { key, answer: start, zoned: false };
  const moved = (of: Expression, quantity: number): Expression => ({ kind: 'shift', of, level: 7, quantity, type });
  if (minutesPast !== null)
    return { key: (of) => key(moved(of, minutesPast)), answer: (of) => moved(start(of), -minutesPast), zoned: false };
  const { name } = zone;
  return {
    key: (of) => key({ kind: 'zone', of, to: 'local', zone: name, type }),
    answer: (of) => ({ kind: 'zone', of: start(of), to: 'utc', zone: name, type }),
    zoned: true,
  };
}

/** Groups by a part of a time in the zone's calendar. A date has no zone. */
function parts(
  columnValue: ColumnValue,
  part: TimePart,
  context: PlanContext,
): Pick<Grouping, 'key' | 'answer' | 'zoned' | 'cell'> {
  const { zone, weekstart } = context.clock;
  const { key, answer } = partRules[part];
  const zoned = columnValue.sort !== 'date' && !zone.isUtc;
  const wall = (of: Expression): Expression =>
    zoned ? { kind: 'zone', of, to: 'local', zone: zone.name, type: of.type } : of;
  return {
    key: (of) => key(wall(of), weekstart),
    answer: (of) => answer(of, weekstart),
    zoned,
    cell: { kind: 'number', type: 'integer' },
  };
}

/**
 * Returns the grouping of a dimension. Times are grouped by their level in the zone of the query, or by millisecond if
 * they have no level; dates have no zone. Hierarchies are grouped by the path down to their level, numbers by value or
 * bin. Raises QueryProblem `column_unknown`, `level_invalid`, `bins_invalid`.
 */
export function groupingOf(context: PlanContext, dimension: Dimension, at: string): Grouping {
  const column = columnIn(context.model, dimension, at);
  const columnValue = valueOf(context, column, at);
  const plainGrouping = {
    own: columnValue,
    value: columnValue.value,
    key: unchanged,
    answer: unchanged,
    bins: null,
    zoned: false,
  };
  if (dimension.bins !== null) {
    if (column.type !== 'numeric')
      throw new QueryProblem('bins_invalid', `${at}.discretization`, 'only numbers are cut into bins');
    return { ...plainGrouping, cell: { kind: 'bin', bins: dimension.bins.count }, bins: dimension.bins };
  }
  if (dimension.part !== null) {
    if (column.type !== 'datetime') throw new QueryProblem('level_invalid', `${at}.part`, 'only times have parts');
    return { ...plainGrouping, ...parts(columnValue, dimension.part, context) };
  }
  if (column.type === 'datetime') {
    const level = datetimeLevel(dimension.level, at);
    return { ...plainGrouping, ...periods(columnValue, level, context), cell: { kind: 'datetime' } };
  }
  if (column.type === 'numeric') return { ...plainGrouping, cell: { kind: 'number', type: columnValue.value.type } };
  return {
    ...plainGrouping,
    value: atLevel(columnValue, dimension.level),
    cell: { kind: 'member', separator: column.separator, type: columnValue.value.type },
  };
}

/**
 * Returns the keys of a grouping over joined rows: one key, or three for bins (index of the bin, lowest and highest of
 * all values).
 */
export function keysIn(
  tree: JoinTree,
  grouping: Grouping,
  filters: (datasetId: string) => readonly Expression[],
  at: string,
): readonly Expression[] {
  const { bins, value, key, own } = grouping;
  if (bins !== null) return tree.bins(value, bins, filters(own.column.datasetId), at);
  return [tree.place(key(value), at)];
}

import { isList, member, objectOr, textOr, type Json } from '../../../json.ts';
import type { WholePeriod } from '../../../item/compared-periods.ts';
import type { Condition, Filter } from '../../filters/filter.ts';
import { dayOf, moveMonths, periodAt } from '../../../calendar/period.ts';

const dayMs = 86_400_000;
const plainDay = /^\d{4}-\d\d-\d\d$/u;
const always: WholePeriod = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/** A time column, and what its conditions are evaluated with: the current day and the time zone. */
export interface ReadTime {
  readonly datasetId: string;
  readonly columnId: string;
  /** The current day. All days in this file are midnights UTC. */
  readonly today: number;
  readonly timeZone: string;
}

/**
 * Returns the first and last day of a value. They are those of the period of a level that contains the value; without a
 * level, both are the day of the value. Null if the value is not a time.
 */
function daysAt(value: Json | undefined, level: number | null, timeZone: string): WholePeriod | null {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (typeof value !== 'string' || Number.isNaN(at)) return null;
  const day = plainDay.test(value) ? at : dayOf(at, timeZone);
  const period = periodAt(day, level ?? 5);
  return { from: period?.start ?? day, to: period === null ? day : period.end - dayMs };
}

/** True if a test compares times of day with a value, not whole days. */
const isMoment = (value: Json | undefined, level: number | null): value is string =>
  level === null && typeof value === 'string' && !plainDay.test(value);

/** Returns the day that contains the millisecond before a time. */
const dayBefore = (moment: string, timeZone: string): number => dayOf(Date.parse(moment) - 1, timeZone);

/** By unit of relative dates: its datetime level, and how to move a day by such units. */
const moves: Readonly<Record<string, { readonly level: number; readonly move: (day: number, by: number) => number }>> =
  {
    year: { level: 1, move: (day, by) => moveMonths(day, by * 12) },
    quarter: { level: 2, move: (day, by) => moveMonths(day, by * 3) },
    month: { level: 3, move: moveMonths },
    week: { level: 4, move: (day, by) => day + by * 7 * dayMs },
    day: { level: 5, move: (day, by) => day + by * dayMs },
  };
const toDate: Readonly<Record<string, number>> = { YTD: 1, QTD: 2, MTD: 3, WTD: 4 };

/** Returns the first and last day of a relative date; null if they depend on the rows. */
function relativeDays(expression: string, value: Json | undefined, today: number): WholePeriod | null {
  const toDateUnit = toDate[expression];
  if (toDateUnit !== undefined) return { from: periodAt(today, toDateUnit)?.start ?? today, to: today };
  const operand = objectOr(value);
  const count = member(operand, 'quantity') ?? 1;
  const unit = moves[textOr(member(operand, 'unit'), '')];
  if (unit === undefined || typeof count !== 'number') return null;
  const startOf = (by: number): number => periodAt(today, unit.level, by)?.start ?? today;
  switch (expression) {
    case 'to_date':
      return { from: startOf(1 - count), to: today };
    case 'last_now':
      // The range starts at the current time of day, so its first complete day is one day later.
      return { from: unit.move(today, -count) + dayMs, to: today };
    case 'last_completed':
      return { from: startOf(-count), to: startOf(0) - dayMs };
    case 'ago':
      return { from: startOf(-count), to: startOf(1 - count) - dayMs };
    case 'more_than_ago':
      return { ...always, to: unit.move(today, -count) };
    default:
      return null;
  }
}

function daysOf({ expression, level, value }: Filter, { today, timeZone }: ReadTime): WholePeriod {
  const values = value !== undefined && isList(value) ? value : [value];
  const days = values.flatMap((entry) => daysAt(entry, level, timeZone) ?? []);
  const [firstDay] = days;
  if (firstDay === undefined) return relativeDays(expression, value, today) ?? always;
  switch (expression) {
    case '? = ?':
    case '? in ?':
    case '? between ?':
      return { from: Math.min(...days.map(({ from }) => from)), to: Math.max(...days.map(({ to }) => to)) };
    case '? >= ?':
      return { ...always, from: firstDay.from };
    case '? > ?':
      return { ...always, from: isMoment(value, level) ? firstDay.from : firstDay.to + dayMs };
    case '? <= ?':
      return { ...always, to: firstDay.to };
    case '? < ?':
      return { ...always, to: isMoment(value, level) ? dayBefore(value, timeZone) : firstDay.from - dayMs };
    default:
      return always;
  }
}

/**
 * Returns the first and last day of a time column that satisfy a condition. An end is infinite if the condition does
 * not limit it, or if it depends on the rows.
 */
export function letThrough(condition: Condition, time: ReadTime): WholePeriod {
  if ('join' in condition) {
    const [of, isEvery] = [
      condition.of.map((joinedCondition) => letThrough(joinedCondition, time)),
      condition.join === 'and',
    ];
    const [starts, ends] = [of.map(({ from }) => from), of.map(({ to }) => to)];
    return isEvery
      ? { from: Math.max(...starts), to: Math.min(...ends) }
      : { from: Math.min(...starts), to: Math.max(...ends) };
  }
  const { datasetId, columnId, clause } = condition;
  const isOn = clause === 'where' && datasetId === time.datasetId && columnId === time.columnId;
  return isOn ? daysOf(condition, time) : always;
}

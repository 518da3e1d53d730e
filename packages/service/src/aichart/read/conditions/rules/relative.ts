import { timeUnits, type RelativeExpression } from '../clauses.ts';
import type { SpanReading } from '../lexemes.ts';
import type { ReadingRule } from './rule.ts';

/** A whole number of units, of a size that a question may mean. */
const isCount = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= 999;

function relative(expression: RelativeExpression, quantity: number, unitLevel: number): SpanReading | null {
  const unit = timeUnits[unitLevel - 1];
  if (unit === undefined || !isCount(quantity)) return null;
  return { span: { kind: 'relative', expression, unit, quantity }, assumed: null, weak: false, inYear: null };
}

/** "this month": one unit, of which the pattern has the level. */
const one =
  (expression: RelativeExpression, quantity: number): ReadingRule['read'] =>
  ([unit = 0]) =>
    relative(expression, quantity, unit);
/** "last 6 weeks": a number and a unit. */
const several =
  (expression: RelativeExpression): ReadingRule['read'] =>
  ([count = 0, unit = 0]) =>
    count === 0 ? null : relative(expression, count, unit);
/** Whole periods, years excepted: "older than 30 years" is an age. */
const moreThan: ReadingRule['read'] = ([count = 0, unit = 0]) =>
  unit === 1 ? null : relative('more_than_ago', count, unit);

/**
 * Spans that depend on the current day. "last month" is the month before this one, "past month" the time from a month
 * ago until now, as "last 6 weeks" and "past 6 weeks" are.
 */
export const relativeRules: readonly ReadingRule[] = [
  { pattern: ['this', 'unit'], read: one('ago', 0) },
  { pattern: ['unit', 'thisAfter'], read: one('ago', 0) },
  { pattern: ['last', 'unit'], read: one('ago', 1) },
  { pattern: ['unit', 'lastAfter'], read: one('ago', 1) },
  { pattern: ['previousUnit'], read: one('ago', 1) },
  { pattern: ['past', 'unit'], read: one('last_now', 1) },
  { pattern: ['beforeLast', 'unit'], read: one('ago', 2) },
  { pattern: ['unit', 'beforeLast'], read: one('ago', 2) },
  { pattern: ['relativeDay'], read: ([day = 1]) => relative('ago', day - 1, 5) },
  { pattern: ['tomorrow'], read: () => relative('next_full', 1, 5) },
  { pattern: ['next', 'unit'], read: one('next_full', 1) },
  { pattern: ['unit', 'nextAfter'], read: one('next_full', 1) },
  { pattern: ['next', 'number', 'unit'], read: several('next_now') },
  { pattern: ['number', 'nextSeveral', 'unit'], read: several('next_now') },
  { pattern: ['number', 'unit', 'nextAfter'], read: several('next_now') },
  { pattern: ['last', 'number', 'unit'], read: several('last_now') },
  { pattern: ['past', 'number', 'unit'], read: several('last_now') },
  { pattern: ['number', 'lastSeveral', 'unit'], read: several('last_now') },
  { pattern: ['number', 'unit', 'lastAfter'], read: several('last_now') },
  { pattern: ['last', 'number', 'complete', 'unit'], read: several('last_completed') },
  { pattern: ['past', 'number', 'complete', 'unit'], read: several('last_completed') },
  { pattern: ['last', 'complete', 'unit'], read: one('last_completed', 1) },
  { pattern: ['number', 'lastSeveral', 'unit', 'complete'], read: several('last_completed') },
  { pattern: ['last', 'number', 'unit', 'complete'], read: several('last_completed') },
  { pattern: ['last', 'unit', 'complete'], read: one('last_completed', 1) },
  { pattern: ['latest', 'unit'], read: one('last_available', 1) },
  { pattern: ['unit', 'latest'], read: one('last_available', 1) },
  { pattern: ['latest', 'number', 'unit'], read: several('last_available') },
  { pattern: ['last', 'available', 'unit'], read: one('last_available', 1) },
  { pattern: ['last', 'unit', 'available'], read: one('last_available', 1) },
  { pattern: ['last', 'number', 'available', 'unit'], read: several('last_available') },
  { pattern: ['last', 'number', 'unit', 'available'], read: several('last_available') },
  { pattern: ['number', 'unit', 'agoAfter'], read: several('ago') },
  { pattern: ['agoBefore', 'number', 'unit'], read: several('ago') },
  { pattern: ['more', 'number', 'unit', 'agoAfter'], read: several('more_than_ago') },
  { pattern: ['agoBefore', 'more', 'number', 'unit'], read: several('more_than_ago') },
  { pattern: ['older', 'number', 'unit'], read: moreThan },
  { pattern: ['toDateCode'], read: one('to_date', 1) },
  { pattern: ['unit', 'toDate'], read: one('to_date', 1) },
  { pattern: ['this', 'unit', 'toDate'], read: one('to_date', 1) },
  { pattern: ['toDate', 'this', 'unit'], read: one('to_date', 1) },
  { pattern: ['soFar', 'this', 'unit'], read: one('to_date', 1) },
  { pattern: ['this', 'unit', 'soFar'], read: one('to_date', 1) },
  { pattern: ['soFar', 'unit'], read: one('to_date', 1) },
  { pattern: ['since', 'the?', 'startOf', 'the?', 'unit'], read: one('to_date', 1) },
  { pattern: ['since', 'the?', 'startOf', 'this', 'unit'], read: one('to_date', 1) },
];

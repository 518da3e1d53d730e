import { literal, type Expression, type Level } from '../../expression.ts';
import { parseTimestamp } from '@inlay/contract';
import { QueryProblem } from '../../problem.ts';
import type { Scalar } from '../../query.ts';
import { move, startOf, type Zone } from './zone.ts';

/** A span from `from` to before `until`, in milliseconds since 1970. A null end is unlimited. */
export interface Span {
  readonly from: number | null;
  readonly until: number | null;
}

export interface Clock {
  readonly nowMs: number;
  readonly zone: Zone;
  readonly weekstart: number;
}

const dateOnly = /^(\d{4})-(\d{2})-(\d{2})$/u;
/** The years 1 to 9999, which every database supports. */
const firstMs = -62_135_596_800_000;
const lastMs = Date.UTC(9999, 11, 30);
const clamped = (unixMs: number): number => Math.min(Math.max(Number.isNaN(unixMs) ? lastMs : unixMs, firstMs), lastMs);

const levels: Readonly<Record<string, Level>> = {
  year: 1,
  quarter: 2,
  month: 3,
  week: 4,
  day: 5,
  hour: 6,
  minute: 7,
  second: 8,
  millisecond: 9,
};

/** Returns the level of a unit by its name. An unknown name means days. */
export const levelOfUnit = (unit: string): Level => levels[unit] ?? 5;

/**
 * Returns the span of a filter value. With a level, it is the period that contains the value. Without a level, it is
 * the millisecond of a time, or the day of a date in the zone of the query. Raises QueryProblem `value_invalid`.
 */
export function spanOf(value: Scalar, level: Level | null, clock: Clock, at: string): { from: number; until: number } {
  const { zone, weekstart } = clock;
  const day = typeof value === 'string' ? dateOnly.exec(value) : null;
  const timestampText =
    typeof value !== 'string' ? undefined : parseTimestamp(day === null ? value : `${value}T00:00:00Z`);
  if (timestampText === undefined)
    throw new QueryProblem('value_invalid', at, 'must be an ISO 8601 time with a zone, or a date such as 2024-03-01');
  const unixMs = day === null ? Date.parse(timestampText) : zone.toUtc(Date.parse(timestampText));
  const finestLevel = level ?? (day === null ? 9 : 5);
  const from = startOf(unixMs, finestLevel, zone, weekstart);
  return { from, until: move(from, finestLevel, 1, zone) };
}

/**
 * Returns the span of a relative date. `last_available` is not included, because it depends on the data. `last_now`:
 * from `quantity` units ago until now. `to_date`: from the start of the current unit, or of the unit `quantity` − 1
 * units before it, until now. `last_completed`: the `quantity` complete units before the current one. `next_now`: from
 * now until `quantity` units later. `next_full`: the `quantity` complete units after the current one. `ago`: the
 * complete unit that lies `quantity` units before the current one. `more_than_ago`: everything earlier than `quantity`
 * units ago.
 */
export function relativeSpan(expression: string, level: Level, quantity: number, clock: Clock): Span {
  const { nowMs, zone, weekstart } = clock;
  const unit = (count: number): number => move(startOf(nowMs, level, zone, weekstart), level, count, zone);
  const momentAt = (count: number): number => move(nowMs, level, count, zone);
  switch (expression) {
    case 'last_now':
      return { from: momentAt(-quantity), until: nowMs + 1 };
    case 'to_date':
      return { from: unit(1 - Math.max(quantity, 1)), until: nowMs + 1 };
    case 'last_completed':
      return { from: unit(-quantity), until: unit(0) };
    case 'next_now':
      return { from: nowMs, until: momentAt(quantity) + 1 };
    case 'next_full':
      return { from: unit(1), until: unit(1 + quantity) };
    case 'ago':
      return { from: unit(-quantity), until: unit(1 - quantity) };
    default:
      return { from: null, until: momentAt(-quantity) };
  }
}

const iso = (unixMs: number): string => new Date(clamped(unixMs)).toISOString();

/** Returns a time in milliseconds as a bound UTC time. */
export const timeLiteral = (unixMs: number): Expression =>
  literal(iso(unixMs).replace('T', ' ').replace('Z', ''), 'timestamp');

/** Returns the day of a time in the zone, as a bound date. */
export const dateLiteral = (unixMs: number, zone: Zone): Expression =>
  literal(iso(zone.toLocal(clamped(unixMs))).slice(0, 10), 'date');

import { literal, type Expression, type Level } from '../../expression.ts';
import { parseTimestamp } from '@inlay/contract';
import { QueryProblem } from '../../problem.ts';
import type { Scalar } from '../../query.ts';
import { move, startOf, type Zone } from './zone.ts';

/** From `from` until before `until`, milliseconds since 1970; null: no bound on that side. */
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
/** From year 1 to 9999: what every database keeps. */
const firstMs = -62_135_596_800_000;
const lastMs = Date.UTC(9999, 11, 30);
const kept = (unixMs: number): number => Math.min(Math.max(Number.isNaN(unixMs) ? lastMs : unixMs, firstMs), lastMs);

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

/** The level of a unit in words. */
export const levelOfUnit = (unit: string): Level => levels[unit] ?? 5;

/**
 * The span of time a value of a filter names: its period at the level; without one, the millisecond of a time and the
 * day of a date without time, which is a day of the asked zone. Raises QueryProblem `value_invalid`.
 */
export function spanOf(value: Scalar, level: Level | null, clock: Clock, at: string): { from: number; until: number } {
  const { zone, weekstart } = clock;
  const day = typeof value === 'string' ? dateOnly.exec(value) : null;
  const written = typeof value !== 'string' ? undefined : parseTimestamp(day === null ? value : `${value}T00:00:00Z`);
  if (written === undefined)
    throw new QueryProblem('value_invalid', at, 'must be an ISO 8601 time with a zone, or a date such as 2024-03-01');
  const unixMs = day === null ? Date.parse(written) : zone.toUtc(Date.parse(written));
  const finest = level ?? (day === null ? 9 : 5);
  const from = startOf(unixMs, finest, zone, weekstart);
  return { from, until: move(from, finest, 1, zone) };
}

/**
 * The span of a relative date but `last_available`, whose anchor is in the data:
 * `last_now` from so many units ago to now; `to_date` from the start of this unit (of the one quantity − 1 before) to
 * now; `last_completed` the whole units before this one; `next_now` from now on for so many units; `next_full` the
 * whole units after this one; `ago` the whole unit that many before this one; `more_than_ago` before that long ago.
 */
export function relativeSpan(expression: string, level: Level, quantity: number, clock: Clock): Span {
  const { nowMs, zone, weekstart } = clock;
  const unit = (count: number): number => move(startOf(nowMs, level, zone, weekstart), level, count, zone);
  const away = (count: number): number => move(nowMs, level, count, zone);
  switch (expression) {
    case 'last_now':
      return { from: away(-quantity), until: nowMs + 1 };
    case 'to_date':
      return { from: unit(1 - Math.max(quantity, 1)), until: nowMs + 1 };
    case 'last_completed':
      return { from: unit(-quantity), until: unit(0) };
    case 'next_now':
      return { from: nowMs, until: away(quantity) + 1 };
    case 'next_full':
      return { from: unit(1), until: unit(1 + quantity) };
    case 'ago':
      return { from: unit(-quantity), until: unit(1 - quantity) };
    default:
      return { from: null, until: away(-quantity) };
  }
}

const iso = (unixMs: number): string => new Date(kept(unixMs)).toISOString();

/** An instant as a bound time in UTC. */
export const timeLiteral = (unixMs: number): Expression =>
  literal(iso(unixMs).replace('T', ' ').replace('Z', ''), 'timestamp');

/** The day of the zone in which an instant lies, as a bound date. */
export const dateLiteral = (unixMs: number, zone: Zone): Expression =>
  literal(iso(zone.toLocal(kept(unixMs))).slice(0, 10), 'date');

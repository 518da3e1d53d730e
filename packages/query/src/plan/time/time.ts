import { literal, type Expression, type Level } from '../../expression.ts';
import { move, parseTimestamp, startOf, type Clock, type Zone } from '@inlay/contract';
import { QueryProblem } from '../../problem.ts';
import type { Scalar } from '../../query.ts';

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

const iso = (unixMs: number): string => new Date(clamped(unixMs)).toISOString();

/** Returns a time in milliseconds as a bound UTC time. */
export const timeLiteral = (unixMs: number): Expression =>
  literal(iso(unixMs).replace('T', ' ').replace('Z', ''), 'timestamp');

/** Returns the day of a time in the zone, as a bound date. */
export const dateLiteral = (unixMs: number, zone: Zone): Expression =>
  literal(iso(zone.toLocal(clamped(unixMs))).slice(0, 10), 'date');

import type { Expression } from '../expression.ts';
import { startOf, type Zone } from '@inlay/contract';
import { timeLiteral } from '../plan/time/time.ts';
import type { RollupTime } from './shape.ts';

const stepMs = 900_000;
const nearSteps = 12;
const hourMs = 3_600_000;
const nearHours = 26;

/** Distances from an edge at which wall clocks are compared with it: zones change their clocks by less than a day. */
const distancesMs = [
  1,
  ...Array.from({ length: nearSteps }, (_, index) => (index + 1) * stepMs),
  ...Array.from({ length: nearHours }, (_, index) => (index + 1) * hourMs),
];

/** Returns the time of a bound literal in ms; null if it is no time with a time of day. */
export function unixMsOf(literal: Expression): number | null {
  if (literal.kind !== 'literal' || literal.type !== 'timestamp' || typeof literal.value !== 'string') return null;
  const unixMs = Date.parse(`${literal.value.replace(' ', 'T')}Z`);
  return Number.isNaN(unixMs) ? null : unixMs;
}

/**
 * Returns the wall clock of an edge as a bound time, if a test `time >= edge` is the same as a test of the buckets of a
 * rollup; otherwise null. It is the same if the edge is the start of a bucket, and if the clock was not turned back across
 * it, so that all earlier times have an earlier wall clock.
 */
export function bucketEdge(unixMs: number, { level, weekstart }: RollupTime, zone: Zone): Expression | null {
  if (startOf(unixMs, level, zone, weekstart) !== unixMs) return null;
  const wallMs = zone.toLocal(unixMs);
  const isOrdered = distancesMs.every(
    (distanceMs) => zone.toLocal(unixMs - distanceMs) < wallMs && zone.toLocal(unixMs + distanceMs) >= wallMs,
  );
  return zone.isUtc || isOrdered ? timeLiteral(wallMs) : null;
}

/** The newest value of columns with times, in ms since 1970, by name. It is rounded down to a millisecond. */
export type NewestTimes = Readonly<Record<string, number>>;

/** True if an edge lies after all values of a column, so that a test compares no rows with it. */
export function isAfterAll(newest: NewestTimes, name: string, edgeMs: number): boolean {
  const newestMs = newest[name];
  return newestMs !== undefined && edgeMs > newestMs;
}

import { wallClock } from './wall-clock.ts';

const dayMs = 86_400_000;

/** A calendar period. Its days are days of the wall clock, as midnight UTC in milliseconds since 1970. */
export interface Period {
  readonly start: number;
  /** The first day after the period. */
  readonly end: number;
}

/** How to find the start of a period and to move by periods. Weeks start on Monday. */
interface Step {
  readonly startOf: (at: Date) => number;
  readonly move: (start: Date, by: number) => number;
}

const months = (count: number): Step => ({
  startOf: (at) => Date.UTC(at.getUTCFullYear(), Math.floor(at.getUTCMonth() / count) * count),
  move: (start, by) => Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + by * count),
});
const days = (count: number): Step => ({
  startOf: (at) => {
    const day = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate());
    return count === 7 ? day - ((at.getUTCDay() + 6) % 7) * dayMs : day;
  },
  move: (start, by) => start.getTime() + by * count * dayMs,
});

/** By datetime level: year, quarter, month, week, day. */
const steps: Readonly<Record<number, Step>> = { 1: months(12), 2: months(3), 3: months(1), 4: days(7), 5: days(1) };

/** Returns the day that the wall clock in a zone shows, as midnight UTC. */
export const dayOf = (atMs: number, timeZone: string): number => {
  const wall = wallClock(new Date(atMs), timeZone);
  return Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate());
};

/** Returns the period that contains a day, shifted by whole periods. Null if the level is finer than a day. */
export function periodAt(day: number, level: number, by = 0): Period | null {
  const step = steps[level];
  if (step === undefined) return null;
  const start = step.move(new Date(step.startOf(new Date(day))), by);
  return { start, end: step.move(new Date(start), 1) };
}

/** Returns the same day of another month, or the last day of that month if it is shorter. */
export function moveMonths(day: number, by: number): number {
  const at = new Date(day);
  const start = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + by));
  const lastDayOfMonth = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 0)).getUTCDate();
  return Date.UTC(start.getUTCFullYear(), start.getUTCMonth(), Math.min(at.getUTCDate(), lastDayOfMonth));
}

import { isTimeZone } from '../contents.ts';

/** Levels of times: 1 year, 2 quarter, 3 month, 4 week, 5 day, 6 hour, 7 minute, 8 second, 9 millisecond. */
export type Level = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** No zone has ever changed its clocks and changed them back within this span. */
const stepMs = 4 * dayMs;
const unitMs: Readonly<Record<6 | 7 | 8 | 9, number>> = { 6: 3_600_000, 7: minuteMs, 8: 1000, 9: 1 };
const utc = /^(?:Etc\/)?(?:UTC|GMT|UCT|Zulu|Universal)$/iu;

/**
 * The calendar of a time zone. Times are milliseconds since 1970 in UTC. A wall clock is given as the milliseconds of a
 * UTC time that reads the same. A wall clock that occurs twice means the second time, as in databases. A skipped wall
 * clock is moved forward by the length of the gap.
 */
export interface Zone {
  readonly name: string;
  readonly isUtc: boolean;
  readonly toLocal: (unixMs: number) => number;
  readonly toUtc: (localMs: number) => number;
}

/** Returns the calendar of an IANA zone; null if there is no such zone. */
export function zoneOf(name: string): Zone | null {
  if (utc.test(name)) return { name: 'UTC', isUtc: true, toLocal: (unixMs) => unixMs, toUtc: (localMs) => localMs };
  if (!isTimeZone(name)) return null;
  const format = formatOf(name);
  const offsetByStep = new Map<number, number>();
  const computedLocal = (unixMs: number): number => {
    const part = Object.fromEntries(format.formatToParts(unixMs).map(({ type, value }) => [type, value]));
    const date = new Date(0);
    const year = Number(part['year']);
    date.setUTCFullYear(part['era'] === 'BC' ? 1 - year : year, Number(part['month']) - 1, Number(part['day']));
    date.setUTCHours(Number(part['hour']), Number(part['minute']), Number(part['second']));
    return date.getTime() + (((unixMs % 1000) + 1000) % 1000);
  };
  /** Returns the offset at the start of a step. If the next step has the same offset, it applies to the whole step. */
  const offsetOf = (step: number): number => {
    const knownOffset = offsetByStep.get(step);
    if (knownOffset !== undefined) return knownOffset;
    const offset = computedLocal(step * stepMs) - step * stepMs;
    offsetByStep.set(step, offset);
    return offset;
  };
  const toLocal = (unixMs: number): number => {
    const step = Math.floor(unixMs / stepMs);
    const offset = offsetOf(step);
    return offset === offsetOf(step + 1) ? unixMs + offset : computedLocal(unixMs);
  };
  const offset = (unixMs: number): number => toLocal(unixMs) - unixMs;
  const toUtc = (localMs: number): number => {
    const [earlierMs, laterMs] = [localMs - offset(localMs - dayMs), localMs - offset(localMs + dayMs)];
    return toLocal(laterMs) === localMs ? laterMs : earlierMs;
  };
  return { name, isUtc: false, toLocal, toUtc };
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const twoDigits = '2-digit';
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: twoDigits,
    day: twoDigits,
    hour: twoDigits,
    minute: twoDigits,
    second: twoDigits,
  });
}

const dateOf = (year: number, month: number, day: number): number => {
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  return date.getTime();
};

/** Truncates a wall clock to the start of its period. */
function startOfLocal(localMs: number, level: Level, weekstart: number): number {
  if (level >= 6) {
    const unit = level === 6 ? unitMs[6] : level === 7 ? unitMs[7] : level === 8 ? unitMs[8] : unitMs[9];
    return Math.floor(localMs / unit) * unit;
  }
  const date = new Date(localMs);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const day = Math.floor(localMs / dayMs) * dayMs;
  if (level === 1) return dateOf(year, 0, 1);
  if (level === 2) return dateOf(year, month - (month % 3), 1);
  if (level === 3) return dateOf(year, month, 1);
  return level === 5 ? day : day - ((date.getUTCDay() + 7 - (weekstart % 7)) % 7) * dayMs;
}

/** Shifts a wall clock by whole periods. A shift by months keeps the day, or takes the last day of a shorter month. */
function moveLocal(localMs: number, level: Level, quantity: number): number {
  if (level >= 6)
    return localMs + quantity * (level === 6 ? unitMs[6] : level === 7 ? unitMs[7] : level === 8 ? 1000 : 1);
  if (level === 5 || level === 4) return localMs + quantity * dayMs * (level === 4 ? 7 : 1);
  const date = new Date(localMs);
  const months = date.getUTCMonth() + quantity * (level === 1 ? 12 : level === 2 ? 3 : 1);
  const lastDayOfMonth = new Date(dateOf(date.getUTCFullYear(), months + 1, 0)).getUTCDate();
  const day = dateOf(date.getUTCFullYear(), months, Math.min(date.getUTCDate(), lastDayOfMonth));
  return day + (localMs - Math.floor(localMs / dayMs) * dayMs);
}

/**
 * Truncates a UTC time to the start of its period in the zone. Hours and shorter periods use the offset at that time.
 */
export function startOf(unixMs: number, level: Level, zone: Zone, weekstart: number): number {
  const localMs = zone.toLocal(unixMs);
  const start = startOfLocal(localMs, level, weekstart);
  return level >= 6 ? unixMs - (localMs - start) : zone.toUtc(start);
}

/** Shifts a UTC time by periods of the zone's calendar. Hours and shorter periods have a fixed duration. */
export const move = (unixMs: number, level: Level, quantity: number, zone: Zone): number =>
  level >= 6 ? moveLocal(unixMs, level, quantity) : zone.toUtc(moveLocal(zone.toLocal(unixMs), level, quantity));

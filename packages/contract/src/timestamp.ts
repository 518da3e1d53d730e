const iso = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})$/u;

/** The last time with a four-digit year, as ISO 8601 requires. */
const lastMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * Formats milliseconds since 1970 as ISO 8601 text in UTC with milliseconds. Times after the year 9999 become its last
 * millisecond.
 */
export const timestamp = (unixMs: number): string => new Date(Math.min(unixMs, lastMs)).toISOString();

/**
 * Converts an ISO 8601 time with a zone to UTC with milliseconds. Undefined if the text is malformed, has no zone, or
 * names a date that does not exist.
 */
export function parseTimestamp(text: string): string | undefined {
  const match = iso.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second] = match.map(Number);
  const fraction = Number((match[7] ?? '0').padEnd(3, '0').slice(0, 3));
  const writtenMs = Date.UTC(2000, (month ?? 0) - 1, day, hour, minute, second, fraction);
  const writtenDate = new Date(writtenMs);
  writtenDate.setUTCFullYear(year ?? 0, (month ?? 0) - 1, day);
  const inCalendar =
    writtenDate.getUTCFullYear() === year &&
    writtenDate.getUTCMonth() + 1 === month &&
    writtenDate.getUTCDate() === day &&
    (hour ?? 24) < 24 &&
    (minute ?? 60) < 60 &&
    (second ?? 60) < 60;
  if (!inCalendar) return undefined;
  const zone = match[8] ?? 'Z';
  const offsetMinutes = zone === 'Z' ? 0 : Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4));
  if (offsetMinutes > 14 * 60 || Number(zone.slice(4)) > 59) return undefined;
  const unixMs = writtenDate.getTime() - (zone.startsWith('-') ? -1 : 1) * offsetMinutes * 60_000;
  const movedDate = new Date(unixMs);
  const isInRange = movedDate.getUTCFullYear() >= 0 && movedDate.getUTCFullYear() <= 9999;
  return isInRange ? movedDate.toISOString() : undefined;
}

import { type ItemQuery, type Json, type SlotContent, wallClock } from '@inlay/contract';

/** A time formatted for a file. */
export interface FileTime {
  /** ISO 8601: the name of a calendar period, or a moment with the offset of the time zone. */
  readonly text: string;
  /**
   * Wall-clock time for a spreadsheet cell, expressed as UTC, and the spreadsheet format that displays it. Null if
   * spreadsheets cannot represent the time.
   */
  readonly cell: { readonly wall: Date; readonly format: string } | null;
}

type TimeWriter = (iso: string) => FileTime | null;

const day = 86_400_000;
const [year, quarter, month, week, oneDay, hour, minute] = [1, 2, 3, 4, 5, 6, 7];
const twoDigits = (value: number): string => String(value).padStart(2, '0');
const dayText = (wall: Date): string => wall.toISOString().slice(0, -14);

/** Returns the ISO 8601 week; the year is the year of the Thursday in the week. */
function weekText(wall: Date): string {
  const thursday = new Date(wall.getTime() + (3 - ((wall.getUTCDay() + 6) % 7)) * day);
  const yearStart = Date.UTC(thursday.getUTCFullYear(), 0, 1);
  return `${thursday.getUTCFullYear()}-W${twoDigits(Math.floor((thursday.getTime() - yearStart) / day / 7) + 1)}`;
}

function offsetText(seconds: number): string {
  const distance = Math.abs(seconds);
  const parts = [Math.floor(distance / 3600), Math.floor(distance / 60) % 60, distance % 60].map(twoDigits);
  return `${seconds < 0 ? '-' : '+'}${(distance % 60 === 0 ? parts.slice(0, 2) : parts).join(':')}`;
}

function momentText(at: Date, wall: Date): string {
  const clock = wall
    .toISOString()
    .slice(0, -1)
    .replace(/\.000$/u, '');
  return `${clock}${offsetText(Math.round((wall.getTime() - at.getTime()) / 1000))}`;
}

/**
 * Text and spreadsheet format of calendar periods, by level. The format is null if spreadsheets cannot display the
 * period.
 */
const byLevel: Readonly<Record<number, { readonly text: (wall: Date) => string; readonly format: string | null }>> = {
  [year]: { text: (wall) => dayText(wall).slice(0, -6), format: 'yyyy' },
  [quarter]: {
    text: (wall) => `${dayText(wall).slice(0, -6)}-Q${Math.floor(wall.getUTCMonth() / 3) + 1}`,
    format: null,
  },
  [month]: { text: (wall) => dayText(wall).slice(0, -3), format: 'yyyy-mm' },
  [week]: { text: weekText, format: null },
  [oneDay]: { text: dayText, format: 'yyyy-mm-dd' },
};

/** First day that spreadsheets support. */
const firstInSheets = Date.UTC(1900, 2, 1);

function timeWriter(level: number | null, isDate: boolean, zone: string): TimeWriter {
  const levelForm = byLevel[isDate ? Math.min(level ?? oneDay, oneDay) : (level ?? 0)];
  const clock = level === hour || level === minute || level === null ? 'yyyy-mm-dd hh:mm' : 'yyyy-mm-dd hh:mm:ss';
  return (iso) => {
    const at = new Date(iso);
    if (Number.isNaN(at.getTime())) return null;
    // A date without a time has no time zone.
    const wall = isDate || zone === 'UTC' ? at : wallClock(at, zone);
    const format = levelForm === undefined ? clock : levelForm.format;
    return {
      text: levelForm === undefined ? momentText(at, wall) : levelForm.text(wall),
      cell: format === null || wall.getTime() < firstInSheets ? null : { wall, format },
    };
  };
}

/** Aggregations of times whose result is a time. */
const keeping = [null, 'none', 'min', 'max'];

/** Returns a formatter for each column of an answer; null for columns without times. */
export function timesOf(query: ItemQuery | null, zone: string): readonly (TimeWriter | null)[] {
  const writer = (content: SlotContent | null, level: number | null): TimeWriter | null =>
    content?.type === 'datetime' && content.part === null ? timeWriter(level, content.subtype === 'date', zone) : null;
  return [
    ...(query?.dimensions ?? []).map(({ content }) => writer(content, content?.level ?? null)),
    ...(query?.measures ?? []).map(({ content }) =>
      keeping.includes(content?.aggregation ?? null) ? writer(content, null) : null,
    ),
  ];
}

/** Formats a cell as a time; null if it is not one. */
export const timeIn = (writer: TimeWriter | null | undefined, cell: Json | undefined): FileTime | null =>
  typeof cell === 'string' ? (writer?.(cell) ?? null) : null;

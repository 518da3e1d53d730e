import type { DayRange } from './presets.ts';

const dayMs = 86_400_000;
const calendar = { timeZone: 'UTC', calendar: 'gregory' } as const;

/** Formats and parses days in a language; days are midnights in UTC. */
interface DayText {
  write(day: number): string;
  /** Parses a day; null if the text is not a date. */
  read(text: string): number | null;
}

/** Converts Arabic and Persian digits to Latin digits. */
export const latinDigits = (text: string): string =>
  text.replaceAll(/[٠-٩۰-۹]/gu, (digit) => String((digit.codePointAt(0) ?? 0) & 15));

/** Returns a calendar day; null if it does not exist, such as 30 February. */
function dayFrom(year: number, month: number, day: number): number | null {
  const at = new Date(Date.UTC(year, month - 1, day));
  const isReal = at.getUTCFullYear() === year && at.getUTCMonth() === month - 1 && at.getUTCDate() === day;
  return isReal ? at.getTime() : null;
}

/** Formats and parses days in the order that the locale has for day, month and year. Parses ISO 8601 too. */
export function dayTextOf(locale: string): DayText {
  const format = new Intl.DateTimeFormat(locale, {
    ...calendar,
    ...({ numberingSystem: 'latn', year: 'numeric', month: '2-digit', day: '2-digit' } as const),
  });
  const order = format
    .formatToParts(0)
    .map(({ type }) => type)
    .filter((type) => type === 'year' || type === 'month' || type === 'day');
  return {
    write: (day) => format.format(day).replaceAll(/[\u200e\u200f]/gu, ''),
    read: (text) => {
      const numbers = (latinDigits(text).match(/\d+/gu) ?? []).map(Number);
      if (numbers.length !== 3) return null;
      const isIso = /^\s*\d{4}\D/u.test(latinDigits(text));
      const at = (part: string): number =>
        numbers[(isIso ? ['year', 'month', 'day'] : order).findIndex((name) => name === part)] ?? 0;
      const year = at('year');
      return dayFrom(year < 100 ? year + 2000 : year, at('month'), at('day'));
    },
  };
}

/** Formats a range of days. `openTexts` formats a range of which only one end is set. */
export function dayRangeText(
  { from, to }: DayRange,
  locale: string,
  openTexts: { readonly since: (day: string) => string; readonly until: (day: string) => string },
): string {
  const format = new Intl.DateTimeFormat(locale, { ...calendar, dateStyle: 'medium' });
  if (from !== null && to !== null) return from === to ? format.format(from) : format.formatRange(from, to);
  if (from !== null) return openTexts.since(format.format(from));
  return to === null ? '' : openTexts.until(format.format(to));
}

/** First day of the week in a locale; 0 is Sunday, 1 Monday. */
export function firstWeekday(locale: string): number {
  const localeObject: object = new Intl.Locale(locale);
  const get: unknown = Reflect.get(localeObject, 'getWeekInfo') ?? null;
  const info: unknown =
    typeof get === 'function' ? Reflect.apply(get, localeObject, []) : Reflect.get(localeObject, 'weekInfo');
  const firstDay: unknown = typeof info === 'object' && info !== null ? Reflect.get(info, 'firstDay') : null;
  return typeof firstDay === 'number' ? firstDay % 7 : 1;
}

/**
 * Returns the weeks of the month that contains the day `month`: six rows of seven days. `weekStart` is the first
 * weekday of a row, where 0 is Sunday.
 */
export function weeksOf(month: number, weekStart: number): readonly (readonly number[])[] {
  const at = new Date(month);
  const start = Date.UTC(at.getUTCFullYear(), at.getUTCMonth());
  const firstShownDay = start - ((new Date(start).getUTCDay() - weekStart + 7) % 7) * dayMs;
  return Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (_day, day) => firstShownDay + (week * 7 + day) * dayMs),
  );
}

import { type TimePart, wallClock } from '@inlay/contract';
import { datePattern } from './date-pattern.ts';
import { attempt, memoize } from './memoize.ts';
import { createNumberWriter, type NumberStyle, type NumberWriter } from './number.ts';

/** Datetime levels by number. */
export const dateLevels = [
  ...(['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second', 'millisecond'] as const),
] as const;
export type DateLevel = (typeof dateLevels)[number];

/** Length of a name: `Monday`, `Mon`, `M`. */
export type NameLength = 'long' | 'short' | 'narrow';

/**
 * Formats a part of a time from a query. Weekdays and months are formatted by name if the part asks for names. All
 * other parts are numbers without separators.
 */
export type PartFormat = (value: number, part: TimePart, length?: NameLength) => string;

/** Formats numbers and dates for a viewer. */
export interface Formats {
  readonly locale: string;
  readonly timeZone: string;
  /** ISO 4217 code of the viewer's currency; null if unknown. */
  readonly currency: string | null;
  number(value: number): string;
  /** Creates the number formatters of a measure. */
  readonly numbers: (style: NumberStyle) => NumberWriter;
  /** Formats an ISO 8601 time in UTC. `pattern` is a d3 time pattern; without one, the level decides the format. */
  date(iso: string, level?: number | null, pattern?: string | null): string;
  /** Formatters for dates without a time. Such dates are midnights in UTC and are not converted to a time zone. */
  readonly utc: Formats;
  /**
   * Returns a date without its year, and the year, for an axis that shows the year only below the first date of each
   * year. Null for years, and for levels finer than days.
   */
  axisDate(iso: string, level: number): { readonly text: string; readonly year: string } | null;
  readonly part: PartFormat;
}

const byLevel: Readonly<Record<DateLevel, Intl.DateTimeFormatOptions>> = {
  year: { year: 'numeric' },
  quarter: { year: 'numeric' },
  month: { year: 'numeric', month: 'short' },
  week: { year: 'numeric', month: 'short', day: 'numeric' },
  day: { year: 'numeric', month: 'short', day: 'numeric' },
  hour: { year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' },
  minute: { year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' },
  second: { dateStyle: 'medium', timeStyle: 'medium' },
  millisecond: { dateStyle: 'medium', timeStyle: 'medium' },
};

/** By level: options that format a date without its year. */
const withinYear: Readonly<Partial<Record<DateLevel, Intl.DateTimeFormatOptions>>> = {
  quarter: {},
  month: { month: 'short' },
  week: { month: 'short', day: 'numeric' },
  day: { month: 'short', day: 'numeric' },
};

/** By language: the letter of quarter numbers, if it is not Q. */
const quarterLetters: Readonly<Record<string, string>> = {
  ...({ fr: 'T', es: 'T', it: 'T', pt: 'T', ca: 'T' } as const),
  ...({ nl: 'K', sv: 'K', nb: 'K', no: 'K', da: 'K' } as const),
};

export const isNamed = (part: TimePart): boolean => part === 'weekday_name' || part === 'month_name';

/** Returns the locale if `Intl` supports it, otherwise `fallback`. */
export const knownLocale = (locale: string | null | undefined, fallback = 'en'): string =>
  attempt(() => Intl.getCanonicalLocales(locale ?? fallback)[0]) ?? fallback;

/** Returns the time zone if `Intl` supports it, otherwise UTC. */
export const knownZone = (timeZone: string | null | undefined): string =>
  attempt(() => new Intl.DateTimeFormat('en', { timeZone: timeZone ?? 'UTC' }).resolvedOptions().timeZone) ?? 'UTC';

/**
 * Creates a formatter of parts of times. Months are Gregorian, even in locales that have another calendar by default.
 */
export function createPartFormat(locale: string): PartFormat {
  const numbers = new Intl.NumberFormat(locale, { useGrouping: false });
  const nameFormats = (unit: 'weekday' | 'month') =>
    memoize(
      (length: NameLength) => new Intl.DateTimeFormat(locale, { [unit]: length, timeZone: 'UTC', calendar: 'gregory' }),
    );
  const [weekday, month] = [nameFormats('weekday'), nameFormats('month')];
  return (value, part, length = 'long') => {
    // 1 January 2024 was a Monday.
    if (part === 'weekday_name') return weekday(length).format(Date.UTC(2024, 0, value));
    return part === 'month_name' ? month(length).format(Date.UTC(2024, value - 1)) : numbers.format(value);
  };
}

/**
 * Creates formatters for a locale and time zone. They use only `Intl`, so no locale data is loaded. The patterns of
 * columns (`,.2f`, `%B %Y`) are written with the separators and names of the locale.
 */
export function createFormats(wantedLocale: string, wantedZone: string, currency: string | null = null): Formats {
  const locale = knownLocale(wantedLocale);
  const timeZone = knownZone(wantedZone);
  const numbers = createNumberWriter(locale);
  const quarterLetter = quarterLetters[locale.split('-')[0] ?? ''] ?? 'Q';
  const timePattern = memoize((text) => datePattern(text.replaceAll('Q%q', `${quarterLetter}%q`), locale));
  const levelFormat = memoize(
    (level) =>
      new Intl.DateTimeFormat(locale, { timeZone, ...byLevel[dateLevels.find((name) => name === level) ?? 'day'] }),
  );
  const shortDate = memoize((level: DateLevel) => new Intl.DateTimeFormat(locale, { timeZone, ...withinYear[level] }));
  const quarterText = (at: Date): string =>
    `${quarterLetter}${Math.floor(wallClock(at, timeZone).getUTCMonth() / 3) + 1}`;
  const dateText = (iso: string, level?: number | null, pattern?: string | null): string => {
    const at = new Date(iso);
    if (Number.isNaN(at.getTime())) return iso;
    if (pattern?.includes('%')) return timePattern(pattern)(wallClock(at, timeZone));
    const word = dateLevels[(level ?? 5) - 1] ?? 'day';
    const text = levelFormat(word).format(at);
    return word === 'quarter' ? `${quarterText(at)} ${text}` : text;
  };
  let utc: Formats | null = null;
  return {
    locale,
    timeZone,
    currency,
    number: numbers({}).full,
    numbers,
    part: createPartFormat(locale),
    get utc() {
      return (utc ??= createFormats(locale, 'UTC', currency));
    },
    axisDate: (iso, level) => {
      const at = new Date(iso);
      const word = dateLevels[level - 1] ?? 'millisecond';
      if (Number.isNaN(at.getTime()) || withinYear[word] === undefined) return null;
      const text = word === 'quarter' ? quarterText(at) : shortDate(word).format(at);
      return { text, year: levelFormat('year').format(at) };
    },
    date: dateText,
  };
}

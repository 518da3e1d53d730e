import { formatLocale, type FormatLocaleDefinition } from 'd3-format';
import type { TimePart } from '@inlay/contract';
import { datePattern } from './date-pattern.ts';

/** Datetime levels in the order of their numbers. */
export const dateLevels = [
  ...(['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second', 'millisecond'] as const),
] as const;
export type DateLevel = (typeof dateLevels)[number];

/** How long a name is: `Monday`, `Mon`, `M`. */
export type NameLength = 'long' | 'short' | 'narrow';

/** Writes a part of a time, as a query answers it: weekdays and months by name where that is asked for, other numbers without separators. */
export type PartFormat = (value: number, part: TimePart, length?: NameLength) => string;

/** Writes numbers and dates as a viewer expects them. */
export interface Formats {
  readonly locale: string;
  readonly timeZone: string;
  /** `pattern` is a d3 number pattern; one that cannot be read is left aside. */
  number(value: number | string, pattern?: string | null): string;
  /** Short, for axes: `1.2M`. */
  compact(value: number): string;
  /** `pattern` is a d3 time pattern; without one the level decides. `iso` is ISO 8601 UTC. */
  date(iso: string, level?: number | null, pattern?: string | null): string;
  readonly part: PartFormat;
}

const numberParts = (locale: string): FormatLocaleDefinition => {
  const plain = new Intl.NumberFormat(locale, { useGrouping: false });
  const parts = new Intl.NumberFormat(locale, { useGrouping: true }).formatToParts(12_345_678_901.5);
  const find = (type: string): string => parts.find((part) => part.type === type)?.value ?? '';
  const groups = parts.filter(({ type }) => type === 'integer').map(({ value }) => Array.from(value).length);
  return {
    decimal: find('decimal') || '.',
    thousands: find('group') || ',',
    grouping: groups.slice(1).toReversed(),
    currency: ['$', ''],
    numerals: Array.from({ length: 10 }, (_, digit) => plain.format(digit)),
    minus: '\u2212',
    percent: '%',
  };
};

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

/** The same wall clock as in `timeZone`, as if it were UTC: what d3 formats then reads as local. */
function wallClock(at: Date, timeZone: string): Date {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    calendar: 'gregory',
    numberingSystem: 'latn',
    ...({ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric' } as const),
    ...({ minute: 'numeric', second: 'numeric', fractionalSecondDigits: 3 } as const),
  }).formatToParts(at);
  const part = (type: string): number => Number(parts.find((one) => one.type === type)?.value ?? 0);
  const ms = part('fractionalSecond');
  return new Date(
    Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'), ms),
  );
}

/** What stands before the number of a quarter, where it is not Q. */
const quarterLetters: Readonly<Record<string, string>> = {
  ...({ fr: 'T', es: 'T', it: 'T', pt: 'T', ca: 'T' } as const),
  ...({ nl: 'K', sv: 'K', nb: 'K', no: 'K', da: 'K' } as const),
};

/** Whether a part is shown by names rather than numbers. */
export const isNamed = (part: TimePart): boolean => part === 'weekday_name' || part === 'month_name';

/** `make` called once for each key. */
export const kept = <Value, Key = string>(make: (key: Key) => Value): ((key: Key) => Value) => {
  const held = new Map<Key, Value>();
  return (key) => {
    const found = held.get(key);
    if (found !== undefined) return found;
    const made = make(key);
    held.set(key, made);
    return made;
  };
};

const attempt = <Value>(make: () => Value): Value | undefined => {
  try {
    return make();
  } catch {
    return undefined;
  }
};

/** A locale as `Intl` knows it; the fallback where it does not. */
export const knownLocale = (locale: string | null | undefined, fallback = 'en'): string =>
  attempt(() => Intl.getCanonicalLocales(locale ?? fallback)[0]) ?? fallback;

/** A zone as `Intl` knows it, else UTC. */
export const knownZone = (timeZone: string | null | undefined): string =>
  attempt(() => new Intl.DateTimeFormat('en', { timeZone: timeZone ?? 'UTC' }).resolvedOptions().timeZone) ?? 'UTC';

/** How parts of times are written in a locale, which need not have a calendar of its own months. */
export function createPartFormat(locale: string): PartFormat {
  const numbers = new Intl.NumberFormat(locale, { useGrouping: false });
  const named = (unit: 'weekday' | 'month') =>
    kept(
      (length: NameLength) => new Intl.DateTimeFormat(locale, { [unit]: length, timeZone: 'UTC', calendar: 'gregory' }),
    );
  const [weekday, month] = [named('weekday'), named('month')];
  return (value, part, length = 'long') => {
    // 1 January 2024 was a Monday.
    if (part === 'weekday_name') return weekday(length).format(Date.UTC(2024, 0, value));
    return part === 'month_name' ? month(length).format(Date.UTC(2024, value - 1)) : numbers.format(value);
  };
}

/**
 * Numbers and dates in the viewer's locale and the dashboard's zone. Everything comes from `Intl`, so no locale has to
 * be loaded; d3 patterns of columns (`,.2f`, `%B %Y`) are written with the separators and names of that locale.
 */
export function createFormats(wantedLocale: string, wantedZone: string): Formats {
  const locale = knownLocale(wantedLocale);
  const timeZone = knownZone(wantedZone);
  const numbers = formatLocale(numberParts(locale));
  const pattern = kept((text) => attempt(() => numbers.format(text)));
  const plain = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
  const short = new Intl.NumberFormat(locale, { notation: 'compact', maximumSignificantDigits: 3 });
  const small = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 });
  const q = quarterLetters[locale.split('-')[0] ?? ''] ?? 'Q';
  const timePattern = kept((text) => datePattern(text.replaceAll('Q%q', `${q}%q`), locale));
  const levelFormat = kept(
    (level) =>
      new Intl.DateTimeFormat(locale, { timeZone, ...byLevel[dateLevels.find((one) => one === level) ?? 'day'] }),
  );
  return {
    locale,
    timeZone,
    number: (value, wanted) => {
      const number = Number(value);
      if (!Number.isFinite(number)) return String(value);
      // Digits beyond what a double holds come as text; they are shown rather than rounded.
      if (typeof value === 'string' && !Number.isSafeInteger(Math.trunc(number)) && /^-?\d+$/u.test(value))
        return plain.format(BigInt(value));
      const format = wanted === null || wanted === undefined || wanted === '' ? undefined : pattern(wanted);
      if (format !== undefined) return format(number);
      return number !== 0 && Math.abs(number) < 0.01 ? small.format(number) : plain.format(number);
    },
    compact: (value) => short.format(value),
    part: createPartFormat(locale),
    date: (iso, level, wanted) => {
      const at = new Date(iso);
      if (Number.isNaN(at.getTime())) return iso;
      if (wanted !== null && wanted !== undefined && wanted.includes('%'))
        return timePattern(wanted)(wallClock(at, timeZone));
      const word = dateLevels[(level ?? 5) - 1] ?? 'day';
      const text = levelFormat(word).format(at);
      return word === 'quarter' ? `${q}${Math.floor(wallClock(at, timeZone).getUTCMonth() / 3) + 1} ${text}` : text;
    },
  };
}

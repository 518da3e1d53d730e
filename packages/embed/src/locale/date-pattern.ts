/** Formats a date by a d3 time pattern such as `%d %B %Y`, with the names of a locale. */
export type DatePattern = (wallClock: Date) => string;

const pad = (value: number, length = 2, fill = '0'): string => String(value).padStart(length, fill);
const dayMs = 86_400_000;
const dayOfYear = (at: Date): number => Math.floor((at.getTime() - Date.UTC(at.getUTCFullYear(), 0, 1)) / dayMs);
/** Returns the number of days since the first day of the week, `firstWeekday` (0 Sunday, 1 Monday). */
const weekdayFrom = (at: Date, firstWeekday: number): number => (at.getUTCDay() - firstWeekday + 7) % 7;
const weekOfYear = (at: Date, firstWeekday: number): number =>
  Math.floor((dayOfYear(at) + 7 - weekdayFrom(at, firstWeekday)) / 7);

/** Returns the ISO 8601 week of a day, and the year of that week: the year of its Thursday. */
function isoWeek(at: Date): { readonly year: number; readonly week: number } {
  const thursday = new Date(at.getTime() + (3 - weekdayFrom(at, 1)) * dayMs);
  return { year: thursday.getUTCFullYear(), week: Math.floor(dayOfYear(thursday) / 7) + 1 };
}

type Directive = (at: Date, format: (options: Intl.DateTimeFormatOptions) => string) => string;

/** Format directives of d3-time-format (`locale.format`), by the character after `%`. */
const directives: Readonly<Record<string, Directive>> = {
  a: (_, format) => format({ weekday: 'short' }),
  A: (_, format) => format({ weekday: 'long' }),
  b: (_, format) => format({ month: 'short' }),
  B: (_, format) => format({ month: 'long' }),
  c: (_, format) => format({ dateStyle: 'medium', timeStyle: 'medium' }),
  d: (at) => pad(at.getUTCDate()),
  e: (at) => pad(at.getUTCDate(), 2, ' '),
  f: (at) => pad(at.getUTCMilliseconds() * 1000, 6),
  g: (at) => pad(isoWeek(at).year % 100),
  G: (at) => pad(isoWeek(at).year, 4),
  H: (at) => pad(at.getUTCHours()),
  I: (at) => pad(at.getUTCHours() % 12 === 0 ? 12 : at.getUTCHours() % 12),
  j: (at) => pad(dayOfYear(at) + 1, 3),
  L: (at) => pad(at.getUTCMilliseconds(), 3),
  m: (at) => pad(at.getUTCMonth() + 1),
  M: (at) => pad(at.getUTCMinutes()),
  p: (at) => (at.getUTCHours() < 12 ? 'AM' : 'PM'),
  q: (at) => String(Math.floor(at.getUTCMonth() / 3) + 1),
  Q: (at) => String(at.getTime()),
  s: (at) => String(Math.floor(at.getTime() / 1000)),
  S: (at) => pad(at.getUTCSeconds()),
  u: (at) => String(weekdayFrom(at, 1) + 1),
  U: (at) => pad(weekOfYear(at, 0)),
  V: (at) => pad(isoWeek(at).week),
  w: (at) => String(at.getUTCDay()),
  W: (at) => pad(weekOfYear(at, 1)),
  x: (_, format) => format({ dateStyle: 'short' }),
  X: (_, format) => format({ timeStyle: 'medium' }),
  y: (at) => pad(at.getUTCFullYear() % 100),
  Y: (at) => pad(at.getUTCFullYear(), 4),
  '%': () => '%',
};

/** Compiles a pattern for a locale. Unknown directives stay as they are. `-`, `_` or `0` after `%` sets the padding. */
export const datePattern =
  (pattern: string, locale: string): DatePattern =>
  (at) => {
    const format = (options: Intl.DateTimeFormatOptions): string =>
      new Intl.DateTimeFormat(locale, { timeZone: 'UTC', calendar: 'gregory', ...options }).format(at);
    return pattern.replaceAll(/%([-_0]?)([a-zA-Z%])/gu, (directive, padding: string, letter: string) => {
      const directiveText = Object.hasOwn(directives, letter) ? directives[letter]?.(at, format) : undefined;
      if (directiveText === undefined) return directive;
      const unpaddedText = directiveText.replace(/^[0 ]+(?=\d)/u, '');
      return padding === '-'
        ? unpaddedText
        : padding === '_'
          ? unpaddedText.padStart(directiveText.length)
          : directiveText;
    });
  };

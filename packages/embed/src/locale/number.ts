import type { NumberNotation } from '@inlay/contract';
import { formatLocale, formatSpecifier, type FormatLocaleDefinition, type FormatSpecifier } from 'd3-format';
import { attempt, memoize } from './memoize.ts';

/** Number format of a measure. */
export interface NumberStyle {
  /** A d3 number pattern; an invalid pattern is ignored. */
  readonly format?: string | null;
  /** ISO 4217 currency code. */
  readonly currency?: string | null;
  /** Suffix, such as `kg`. */
  readonly unit?: string | null;
  readonly notation?: NumberNotation | null;
}

/** Formatters for numbers of one style: `full` for texts, `short` for axes and labels. */
export interface NumberWriter {
  /** Formats a number in full. A number beyond the precision of a double arrives as text and is not rounded. */
  readonly full: (value: number | string) => string;
  readonly short: (value: number) => string;
}

const numberParts = (locale: string): FormatLocaleDefinition => {
  const digitFormat = new Intl.NumberFormat(locale, { useGrouping: false });
  const parts = new Intl.NumberFormat(locale, { useGrouping: true }).formatToParts(12_345_678_901.5);
  const find = (type: string): string => parts.find((part) => part.type === type)?.value ?? '';
  const groups = parts.filter(({ type }) => type === 'integer').map(({ value }) => Array.from(value).length);
  return {
    decimal: find('decimal') || '.',
    thousands: find('group') || ',',
    grouping: groups.slice(1).toReversed(),
    currency: ['$', ''],
    numerals: Array.from({ length: 10 }, (_, digit) => digitFormat.format(digit)),
    minus: '\u2212',
    percent: '%',
  };
};

type Digits = Pick<
  Intl.NumberFormatOptions,
  'minimumFractionDigits' | 'maximumFractionDigits' | 'maximumSignificantDigits' | 'signDisplay' | 'trailingZeroDisplay'
>;

/** Converts the digits of a d3 pattern to options of `Intl`; null if `Intl` has no equivalent. */
function digitsOf({ type, precision, trim, sign }: FormatSpecifier): Digits | null {
  const signDisplay = sign === '+' ? ({ signDisplay: 'exceptZero' } as const) : {};
  const trailing = trim ? ({ trailingZeroDisplay: 'stripIfInteger' } as const) : {};
  const places = Math.min(precision ?? (type === 'd' ? 0 : 6), 20);
  if (type === 'f' || type === '%' || type === 'd')
    return { minimumFractionDigits: trim ? 0 : places, maximumFractionDigits: places, ...trailing, ...signDisplay };
  if (type === 'r' || type === 's' || type === 'p' || type === 'g')
    return { maximumSignificantDigits: Math.min(Math.max(precision ?? 6, 1), 21), ...signDisplay };
  return type === '' ? { maximumFractionDigits: 2, ...signDisplay } : null;
}

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'] as const;

function bytesIn(locale: string): (value: number) => string {
  const units = byteUnits.map(
    (unit) =>
      new Intl.NumberFormat(locale, {
        style: 'unit',
        unit,
        unitDisplay: unit === 'byte' ? 'narrow' : 'short',
        maximumSignificantDigits: 3,
      }),
  );
  return (value) => {
    const step = Math.min(byteUnits.length - 1, Math.max(0, Math.floor(Math.log10(Math.abs(value) || 1) / 3)));
    return units[step]?.format(value / 1000 ** step) ?? '';
  };
}

const durationUnits = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Returns a formatter that writes a number of seconds in its two largest units. */
function durationIn(locale: string): (value: number) => string {
  const units = durationUnits.map(([unit, seconds]) => ({
    seconds,
    format: new Intl.NumberFormat(locale, {
      style: 'unit',
      unit,
      unitDisplay: 'narrow',
      maximumFractionDigits: seconds === 1 ? 1 : 0,
    }),
  }));
  return (value) => {
    const totalSeconds = Math.abs(value);
    const roundedTo = (seconds: number): number => Math.round(totalSeconds / seconds) * seconds;
    const fits = units.findIndex(({ seconds }, index) => roundedTo(units[index + 1]?.seconds ?? 0.1) >= seconds);
    const [largeUnit, smallUnit] = fits === -1 ? [units.at(-1)] : [units[fits], units[fits + 1]];
    if (largeUnit === undefined) return '';
    const sign = value < 0 ? '\u2212' : '';
    if (smallUnit === undefined) return `${sign}${largeUnit.format.format(totalSeconds)}`;
    const largeCount = Math.floor(roundedTo(smallUnit.seconds) / largeUnit.seconds);
    const smallCount = Math.round((roundedTo(smallUnit.seconds) - largeCount * largeUnit.seconds) / smallUnit.seconds);
    return `${sign}${largeUnit.format.format(largeCount)}${smallCount === 0 ? '' : ` ${smallUnit.format.format(smallCount)}`}`;
  };
}

/** Formatters for the full and the short form of a number, without its unit. */
interface NumberForms {
  readonly full: (value: number) => string;
  readonly short: (value: number) => string;
}

/**
 * Creates number formatters for a locale. `Intl` chooses separators, digits and the position of currency and percent
 * signs. A d3 pattern sets the number of digits.
 */
export function createNumberWriter(locale: string): (style: NumberStyle) => NumberWriter {
  const formatter = (options: Intl.NumberFormatOptions): ((value: number) => string) => {
    const format = new Intl.NumberFormat(locale, options);
    return (value) => format.format(value);
  };
  /**
   * Returns a formatter with three digits and the locale's unit for the magnitude. Locales without such a unit get all
   * integer digits.
   */
  const compactFormatter = (options: Intl.NumberFormatOptions): ((value: number) => string) => {
    const format = new Intl.NumberFormat(locale, { ...options, notation: 'compact', maximumSignificantDigits: 3 });
    const wholeFormat = new Intl.NumberFormat(locale, { ...options, maximumFractionDigits: 0 });
    return (value) => {
      const isShort = Math.abs(value) < 999.5 || format.formatToParts(value).some(({ type }) => type === 'compact');
      return (isShort ? format : wholeFormat).format(value);
    };
  };
  const d3 = formatLocale(numberParts(locale));
  const plainNumber = formatter({ maximumFractionDigits: 2 });
  const smallNumber = formatter({ maximumSignificantDigits: 3 });
  const compact = compactFormatter({});
  const notations: Readonly<Record<'bytes' | 'duration', () => (value: number) => string>> = {
    bytes: () => bytesIn(locale),
    duration: () => durationIn(locale),
  };
  const percent = (digits: Digits): NumberForms => ({
    full: formatter({ style: 'percent', ...digits }),
    short: formatter({ style: 'percent', maximumFractionDigits: 1 }),
  });
  const currencyForms = (currency: string, digits: Digits | null, isShort: boolean): NumberForms => {
    const style = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const;
    const shortForm = compactFormatter(style);
    const defaultDigits = { maximumFractionDigits: 2, trailingZeroDisplay: 'stripIfInteger' } as const;
    return { full: isShort ? shortForm : formatter({ ...style, ...(digits ?? defaultDigits) }), short: shortForm };
  };
  const numberForms = ({ format, currency, notation }: NumberStyle): NumberForms => {
    if (notation === 'bytes' || notation === 'duration') {
      const fullForm = notations[notation]();
      return { full: fullForm, short: fullForm };
    }
    const specifier = format ? attempt(() => formatSpecifier(format)) : undefined;
    const digits = specifier ? digitsOf(specifier) : null;
    const type = specifier?.type ?? '';
    if (notation === 'percent' || type === '%' || type === 'p') return percent(digits ?? { maximumFractionDigits: 1 });
    const isShort = notation === 'compact' || type === 's';
    if (currency && /^[A-Z]{3}$/u.test(currency)) return currencyForms(currency, digits, isShort);
    const d3Format = specifier && attempt(() => d3.format(format ?? ''));
    const defaultForm = (value: number): string =>
      value !== 0 && Math.abs(value) < 0.01 ? smallNumber(value) : plainNumber(value);
    return { full: notation === 'compact' ? compact : (d3Format ?? defaultForm), short: compact };
  };
  const wholeNumber = new Intl.NumberFormat(locale);
  const writers = memoize((key: string): NumberWriter => {
    const style: NumberStyle = JSON.parse(key);
    const { full, short } = numberForms(style);
    const unitSuffix = style.unit ? `\u00a0${style.unit}` : '';
    return {
      full: (value) => {
        const number = Number(value);
        if (!Number.isFinite(number)) return String(value);
        const isLong = typeof value === 'string' && !Number.isSafeInteger(Math.trunc(number)) && /^-?\d+$/u.test(value);
        return `${isLong ? wholeNumber.format(BigInt(value)) : full(number)}${unitSuffix}`;
      },
      short: memoize((value: number) => `${short(value)}${unitSuffix}`),
    };
  });
  return ({ format = null, currency = null, unit = null, notation = null }) =>
    writers(JSON.stringify({ format, currency, unit, notation }));
}

import type { ItemQuery, SlotContent } from '@inlay/contract';

const specifier = /^(?:.?[<>=^])?[+\-( ]?([$#])?0?\d*(,)?(?:\.(\d+))?(~)?([a-z%])?$/iu;
const counting = ['count', 'distinctcount'];

interface Digits {
  readonly isGrouped: boolean;
  /** Number of decimal places; null if it depends on the value. */
  readonly places: number | null;
  readonly isTrimmed: boolean;
  readonly isPercent: boolean;
}

/** Parses the parts of a d3 number pattern that spreadsheets support. */
function digitsOf(format: string | null, isPercent: boolean): Digits {
  const match = specifier.exec(format ?? '');
  const [, , comma, precision, trim, type] = match ?? [];
  const isFixed = type === 'f' || type === '%' || type === 'd';
  const places = type === 'd' ? 0 : Number(precision ?? 6);
  return {
    isGrouped: comma !== undefined || format === null,
    places: isFixed ? Math.min(places, 20) : null,
    isTrimmed: trim !== undefined,
    isPercent: isPercent || type === '%' || type === 'p',
  };
}

/** How a locale formats an amount: its sign, and whether the sign follows the number. */
function currencyIn(
  locale: string,
  currency: string,
): { readonly sign: string; readonly isBehind: boolean; readonly places: number } {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' });
  const parts = format.formatToParts(1);
  const sign = parts.find(({ type }) => type === 'currency')?.value ?? currency;
  const place = (type: string): number => parts.findIndex((part) => part.type === type);
  return {
    sign: sign.replaceAll(/[[\]"\\;\u200e\u200f-]/gu, ''),
    isBehind: place('currency') > place('integer'),
    places: format.resolvedOptions().maximumFractionDigits ?? 2,
  };
}

/**
 * Returns the spreadsheet format for a measure or numeric column, from its d3 pattern, currency, unit and notation;
 * null for the spreadsheet's default. `currency`: currency of the viewer.
 */
export function numberFormat(content: SlotContent | null, locale: string, currency: string | null): string | null {
  if (content === null || counting.includes(content.aggregation ?? '')) return '#,##0';
  const code = content.currency === 'viewer' ? currency : content.currency;
  const { format, unit, notation } = content;
  const isAmount = code !== null && /^[A-Z]{3}$/u.test(code);
  if (format === null && !isAmount && unit === null && notation !== 'percent') return null;
  if (notation === 'duration' || notation === 'bytes') return null;
  const { isGrouped, places, isTrimmed, isPercent } = digitsOf(format, notation === 'percent');
  const currencyForm = isAmount ? currencyIn(locale, code) : null;
  const count = places ?? (isPercent ? 1 : (currencyForm?.places ?? null));
  if (count === null && unit === null) return null;
  const point = count === null || count === 0 ? '' : `.${(isTrimmed ? '#' : '0').repeat(count)}`;
  const number = `${isGrouped ? '#,##0' : '0'}${point}${isPercent ? '%' : ''}`;
  if (currencyForm !== null)
    return currencyForm.isBehind ? `${number} [$${currencyForm.sign}]` : `[$${currencyForm.sign}]${number}`;
  const suffix = (unit ?? '').replaceAll(/["\\]/gu, '');
  return suffix === '' ? number : `${number} "${suffix}"`;
}

/** Returns the number formats of the columns of an answer. */
export const formatsOf = (
  query: ItemQuery | null,
  locale: string,
  currency: string | null,
): readonly (string | null)[] => [
  ...(query?.dimensions ?? []).map(({ content }) =>
    content?.type === 'numeric' && content.part === null ? numberFormat(content, locale, currency) : null,
  ),
  ...(query?.measures ?? []).map(({ content }) =>
    content?.type === 'datetime' && !counting.includes(content.aggregation ?? '')
      ? null
      : numberFormat(content, locale, currency),
  ),
];

const [leastWidth, maxWidth] = [8, 50];

/** Returns the width of a spreadsheet column in characters, from its heading and a sample of its values. */
export function sheetWidth(
  heading: string,
  values: readonly (string | number | boolean | null)[],
  format: string | null,
): number {
  const extraLength = format === null ? 0 : format.replaceAll(/[#,0.]/gu, '').length + 1;
  const places = /\.(0+)/u.exec(format ?? '')?.[1]?.length ?? 0;
  const lengthOf = (value: string | number | boolean | null): number => {
    if (typeof value !== 'number') return /^\d{4}-\d\d-\d\dT/u.test(String(value)) ? 16 : String(value ?? '').length;
    if (format === null) return String(value).length;
    return String(Math.trunc(value)).length * 1.34 + places + extraLength;
  };
  const longestLength = values.reduce<number>((so, value) => Math.max(so, lengthOf(value)), heading.length * 1.1);
  return Math.min(maxWidth, Math.max(leastWidth, Math.ceil(longestLength) + 2));
}

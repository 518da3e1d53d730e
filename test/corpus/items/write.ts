import type { ExpectedRow, Member } from './evaluate.ts';
import type { Group, ItemFacts } from './draw.ts';

type Locale = ItemFacts['locale'];

const empty: Readonly<Record<Locale, string>> = {
  en: '(empty)',
  fr: '(vide)',
  de: '(leer)',
  nl: '(leeg)',
  ar: '(فارغ)',
};
const others: Readonly<Record<Locale, string>> = {
  en: 'Others',
  fr: 'Autres',
  de: 'Sonstige',
  nl: 'Overige',
  ar: 'أخرى',
};
const quarters: Readonly<Record<Locale, string>> = { en: 'Q', fr: 'T', de: 'Q', nl: 'K', ar: 'Q' };
export const soFar: Readonly<Record<Locale, string>> = {
  en: 'so far',
  fr: 'à ce jour',
  de: 'bisher',
  nl: 'tot nu toe',
  ar: 'حتى الآن',
};
export const sameDays: Readonly<Record<Locale, string>> = {
  en: 'same days',
  fr: 'mêmes jours',
  de: 'gleiche Tage',
  nl: 'zelfde dagen',
  ar: 'نفس الأيام',
};

const dayMs = 86_400_000;
const two = (value: number): string => String(value).padStart(2, '0');

/** Returns a number as pages write it: at most two decimals, and three digits where it would be none. */
export function numberText(value: number | null, locale: Locale): string {
  if (value === null) return '';
  const isSmall = value !== 0 && Math.abs(value) < 0.01;
  return new Intl.NumberFormat(locale, isSmall ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 2 }).format(
    value,
  );
}

/** How a number changed. */
export const changeText = (now: number, then: number, locale: Locale): string =>
  new Intl.NumberFormat(locale, {
    style: 'percent',
    minimumFractionDigits: 0,
    maximumFractionDigits: 1,
    trailingZeroDisplay: 'stripIfInteger',
    signDisplay: 'exceptZero',
  }).format((now - then) / Math.abs(then));

/** Returns the first day of a period as pages write it. */
export function periodText(day: number, level: number, locale: Locale): string {
  const write = (options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options }).format(day);
  if (level === 1) return write({ year: 'numeric' });
  if (level === 2)
    return `${quarters[locale]}${Math.floor(new Date(day).getUTCMonth() / 3) + 1} ${write({ year: 'numeric' })}`;
  return level === 3
    ? write({ year: 'numeric', month: 'short' })
    : write({ year: 'numeric', month: 'short', day: 'numeric' });
}

export function pageText(member: Member, { level }: Group, locale: Locale): string {
  if (member === null) return empty[locale];
  return typeof member === 'number' ? periodText(member, level ?? 5, locale) : member;
}

/** Returns a member as a field of CSV, with its quotes: a text without characters has some, none has none. */
export function csvText(member: Member, { level }: Group): string {
  if (member === null) return '';
  if (typeof member === 'string') return `"${member.replaceAll('"', '""')}"`;
  const at = new Date(member);
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth() + 1];
  const thursday = new Date(member + 3 * dayMs);
  const week = 1 + Math.floor((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / (7 * dayMs));
  switch (level) {
    case 1:
      return `"${year}"`;
    case 2:
      return `"${year}-Q${Math.ceil(month / 3)}"`;
    case 3:
      return `"${year}-${two(month)}"`;
    case 4:
      return `"${thursday.getUTCFullYear()}-W${two(week)}"`;
    default:
      return `"${year}-${two(month)}-${two(at.getUTCDate())}"`;
  }
}

interface RowTexts {
  readonly csv: readonly string[];
  readonly page: readonly string[];
}

/** Returns the texts of a row in CSV and in the table of a page, dimensions first. */
export function textsOf({ group, split, locale }: ItemFacts, row: ExpectedRow): RowTexts {
  const isOthers = row.others !== null;
  const count = numberText(row.others, locale);
  return {
    csv: [
      isOthers ? `"${others[locale]}"` : csvText(row.member, group),
      ...(split === null ? [] : [csvText(row.split, split)]),
      ...row.values.map((value) => (value === null ? '' : String(value))),
    ],
    page: [
      isOthers ? `${others[locale]} (${count})` : pageText(row.member, group, locale),
      ...(split === null ? [] : [pageText(row.split, split, locale)]),
      ...row.values.map((value) => numberText(value, locale)),
    ],
  };
}

import type { ColumnType, StorageType } from '@inlay/query';
import type { SourceColumn } from './connector.ts';

/** What a source's type becomes here. */
export type TypeMeaning = readonly [kept: StorageType, type: ColumnType, subtype: string | null];

/** What values are when only the way they are kept is known. */
export const meaningOf: Readonly<Record<StorageType, TypeMeaning>> = {
  text: ['text', 'hierarchy', null],
  integer: ['integer', 'numeric', null],
  decimal: ['decimal', 'numeric', null],
  double: ['double', 'numeric', null],
  boolean: ['boolean', 'hierarchy', null],
  date: ['date', 'datetime', 'date'],
  timestamp: ['timestamp', 'datetime', 'datetime'],
  timestamptz: ['timestamptz', 'datetime', 'datetime'],
  json: ['json', 'hierarchy', null],
};

export const column = (
  name: string,
  [kept, type, subtype]: TypeMeaning,
  nullable: boolean,
  native: string,
  nativeText = false,
): SourceColumn => ({
  name,
  kept,
  type,
  subtype,
  nullable,
  native,
  ...(nativeText ? { nativeText } : {}),
});

const sqlTime = /^(\d{4,6})-(\d\d)-(\d\d)(?:[ T](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?([+-]\d\d(?::?\d\d)?|Z)?)?( BC)?$/u;

/**
 * A date or time as databases write it, as ISO 8601: dates `2024-02-29`, times with `Z` and at least milliseconds. A time
 * without zone counts as UTC; sessions are set to UTC, so a zone is never another one. Null for infinity and for 0000-00-00.
 */
export function isoTime(text: string): string | null {
  const found = sqlTime.exec(text);
  if (found === null) return null;
  const [, digits = '', month = '', day = '', clock, fraction = '', , before] = found;
  if (month === '00' || day === '00') return null;
  const number = before === undefined ? Number(digits) : 1 - Number(digits);
  const year =
    number >= 0 && number <= 9999
      ? String(number).padStart(4, '0')
      : `${number < 0 ? '-' : '+'}${String(Math.abs(number)).padStart(6, '0')}`;
  return clock === undefined
    ? `${year}-${month}-${day}`
    : `${year}-${month}-${day}T${clock}.${fraction.padEnd(3, '0')}Z`;
}

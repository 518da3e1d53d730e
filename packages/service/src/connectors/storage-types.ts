import type { ColumnType, StorageType } from '@inlay/query';
import type { SourceColumn } from './connector.ts';

/** What a type of a source becomes: the storage type, the column type, and its subtype. */
export type TypeMeaning = readonly [storageType: StorageType, type: ColumnType, subtype: string | null];

/** Column type for each storage type, if nothing else is known about a column. */
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
  [storageType, type, subtype]: TypeMeaning,
  nullable: boolean,
  nativeType: string,
  nativeText = false,
): SourceColumn => ({
  name,
  storageType,
  type,
  subtype,
  nullable,
  native: nativeType,
  ...(nativeText ? { nativeText } : {}),
});

const sqlTime = /^(\d{4,6})-(\d\d)-(\d\d)(?:[ T](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?([+-]\d\d(?::?\d\d)?|Z)?)?( BC)?$/u;

/**
 * Converts a date or time of a database to ISO 8601. Dates have the form `2024-02-29`. Times end in `Z` and have at
 * least milliseconds. A time without a zone is in UTC, because sessions are set to UTC. Returns null for infinity and
 * for 0000-00-00.
 */
export function isoTime(text: string): string | null {
  const match = sqlTime.exec(text);
  if (match === null) return null;
  const [, digits = '', month = '', day = '', clock, fraction = '', , eraMark] = match;
  if (month === '00' || day === '00') return null;
  const number = eraMark === undefined ? Number(digits) : 1 - Number(digits);
  const year =
    number >= 0 && number <= 9999
      ? String(number).padStart(4, '0')
      : `${number < 0 ? '-' : '+'}${String(Math.abs(number)).padStart(6, '0')}`;
  return clock === undefined
    ? `${year}-${month}-${day}`
    : `${year}-${month}-${day}T${clock}.${fraction.padEnd(3, '0')}Z`;
}

import type { TypeCastField } from 'mysql2';
import type { Scalar } from '@inlay/query';
import { isoTime, meaningOf, type TypeMeaning } from '../storage-types.ts';

const ip: TypeMeaning = ['text', 'hierarchy', 'ip_address'];
const area: TypeMeaning = ['text', 'spatial', 'topography'];

/** Meanings of types, by `data_type` of information_schema. Types that are not listed become text. */
const byWord: Readonly<Record<string, TypeMeaning>> = {
  tinyint: meaningOf.integer,
  smallint: meaningOf.integer,
  mediumint: meaningOf.integer,
  int: meaningOf.integer,
  bigint: meaningOf.integer,
  year: meaningOf.integer,
  bit: meaningOf.integer,
  decimal: meaningOf.decimal,
  float: meaningOf.double,
  double: meaningOf.double,
  date: meaningOf.date,
  datetime: meaningOf.timestamp,
  timestamp: meaningOf.timestamptz,
  time: ['text', 'hierarchy', 'duration'],
  inet4: ip,
  inet6: ip,
  point: ['text', 'spatial', 'coordinates'],
  geometry: area,
  linestring: area,
  polygon: area,
  multipoint: area,
  multilinestring: area,
  multipolygon: area,
  geometrycollection: area,
  geomcollection: area,
  json: meaningOf.json,
};

export const mysqlMeaning = (word: string): TypeMeaning => byWord[word] ?? meaningOf.text;

/**
 * Type names, by their number in the wire protocol. Text and blob types are not distinguished, since both become text.
 */
const typeNames: Readonly<Record<number, string>> = {
  0: 'decimal',
  1: 'tinyint',
  2: 'smallint',
  3: 'int',
  4: 'float',
  5: 'double',
  7: 'timestamp',
  8: 'bigint',
  9: 'mediumint',
  10: 'date',
  11: 'time',
  12: 'datetime',
  13: 'year',
  14: 'date',
  16: 'bit',
  245: 'json',
  246: 'decimal',
  255: 'geometry',
};

export const wordOfType = (type: number | undefined): string => typeNames[type ?? -1] ?? 'text';

/** Formats a 32-bit float with the fewest digits that still identify it, as the database does. */
function shortest(value: number): number {
  for (const digits of [6, 7, 8]) {
    const roundedNumber = Number(value.toPrecision(digits));
    if (Math.fround(roundedNumber) === value) return roundedNumber;
  }
  return value;
}

const integerCell = (text: string): Scalar => {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : text;
};

/**
 * Converts a cell that the driver has read. Integers beyond 2^53 and decimals remain text. Times become ISO 8601, and
 * bytes become hexadecimal.
 */
export function readCell(field: TypeCastField, readText: () => unknown): Scalar {
  const value = readText();
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') {
    if (field.type === 'LONGLONG') return integerCell(value);
    return /^(?:DATE|DATETIME|TIMESTAMP|NEWDATE)$/u.test(field.type) ? isoTime(value) : value;
  }
  if (typeof value === 'number') return field.type === 'FLOAT' ? shortest(value) : value;
  if (typeof value === 'boolean') return value;
  if (!Buffer.isBuffer(value)) return JSON.stringify(value);
  return field.type === 'BIT'
    ? integerCell(BigInt(`0x0${value.toString('hex')}`).toString())
    : `\\x${value.toString('hex')}`;
}

import type { Scalar } from '@inlay/query';
import { isoTime, meaningOf, type TypeMeaning } from '../storage-types.ts';

const ip: TypeMeaning = ['text', 'hierarchy', 'ip_address'];
const duration: TypeMeaning = ['text', 'hierarchy', 'duration'];

/** Meanings of types by the name before their arguments. Values of types that are not listed cannot be read as text. */
const byName: Readonly<Record<string, TypeMeaning>> = {
  boolean: meaningOf.boolean,
  tinyint: meaningOf.integer,
  smallint: meaningOf.integer,
  integer: meaningOf.integer,
  bigint: meaningOf.integer,
  real: meaningOf.double,
  double: meaningOf.double,
  decimal: meaningOf.decimal,
  number: meaningOf.decimal,
  varchar: meaningOf.text,
  char: meaningOf.text,
  uuid: meaningOf.text,
  date: meaningOf.date,
  time: duration,
  'interval day to second': duration,
  'interval year to month': duration,
  timestamp: meaningOf.timestamp,
  ipaddress: ip,
  json: meaningOf.json,
  array: meaningOf.json,
  map: meaningOf.json,
  row: meaningOf.json,
};

const nameOf = (type: string): string => (type.toLowerCase().split('(', 1)[0] ?? '').trim();

/** Returns what a type means; undefined for types whose values cannot be read as text. */
export function trinoMeaning(type: string): TypeMeaning | undefined {
  const name = nameOf(type);
  return name === 'timestamp' && type.endsWith('with time zone') ? meaningOf.timestamptz : byName[name];
}

function timeCell(text: string): Scalar {
  // Years beyond four digits have a sign.
  const [, sign = '', rest = text] = /^([+-])(.*)$/su.exec(text) ?? [];
  const iso = isoTime(rest.replace(/ UTC$/u, ''));
  return sign === '-' && iso !== null ? `-${iso.padStart(iso.length + 2, '0')}` : iso;
}

const doubleCell = (value: string | number): Scalar => (Number.isFinite(Number(value)) ? Number(value) : null);

const wholeCell = (value: string | number): Scalar =>
  Number.isSafeInteger(Number(value)) ? Number(value) : String(value);

/**
 * Returns a function that converts cells of a type from the JSON of the cluster. Whole numbers beyond 2^53 and decimals
 * remain text, and infinity becomes null. Times become ISO 8601.
 */
export function cellReader(type: string): (value: unknown) => Scalar {
  const [storageType] = trinoMeaning(type) ?? meaningOf.text;
  return (value) => {
    if (value === null || value === undefined) return null;
    if (typeof value === 'object') return JSON.stringify(value);
    if (typeof value === 'boolean') return value;
    if (typeof value !== 'string' && typeof value !== 'number') return null;
    if (storageType === 'integer') return wholeCell(value);
    if (storageType === 'double') return doubleCell(value);
    if (storageType === 'date' || storageType === 'timestamp' || storageType === 'timestamptz')
      return timeCell(String(value));
    return storageType === 'decimal' ? String(value) : value;
  };
}

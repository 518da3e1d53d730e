import type { Scalar } from '@inlay/query';
import { isoTime, meaningOf, type TypeMeaning } from '../storage-types.ts';

/** Meanings of types, by the name of the base type in pg_type. Types that are not listed become text. */
const byName: Readonly<Record<string, TypeMeaning>> = {
  int2: meaningOf.integer,
  int4: meaningOf.integer,
  int8: meaningOf.integer,
  oid: meaningOf.integer,
  numeric: meaningOf.decimal,
  float4: meaningOf.double,
  float8: meaningOf.double,
  money: ['text', 'hierarchy', 'currency'],
  bool: meaningOf.boolean,
  date: meaningOf.date,
  timestamp: meaningOf.timestamp,
  timestamptz: meaningOf.timestamptz,
  interval: ['text', 'hierarchy', 'interval'],
  inet: ['text', 'hierarchy', 'ip_address'],
  cidr: ['text', 'hierarchy', 'ip_address'],
  point: ['text', 'spatial', 'coordinates'],
  polygon: ['text', 'spatial', 'topography'],
  path: ['text', 'spatial', 'topography'],
  geometry: ['text', 'spatial', 'topography'],
  geography: ['text', 'spatial', 'topography'],
  json: meaningOf.json,
  jsonb: meaningOf.json,
};

export const postgresqlMeaning = (type: string): TypeMeaning => byName[type] ?? meaningOf.text;

/** True for types that can be compared with text parameters without a cast. */
export const isNativeText = (type: string): boolean => type === 'text' || type === 'varchar';

const asText = (text: string): Scalar => text;
const asNumber = (text: string): Scalar => Number(text);
const asWhole = (text: string): Scalar => {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : text;
};

/** Converters of cells, by the OID of built-in types. */
const readers: Readonly<Record<number, (text: string) => Scalar>> = {
  16: (text) => text === 't',
  20: asWhole,
  21: asNumber,
  23: asNumber,
  26: asNumber,
  700: asNumber,
  701: asNumber,
  1082: isoTime,
  1114: isoTime,
  1184: isoTime,
};

/** Converts cells in the driver. Integers beyond 2^53 and decimals remain text; times become ISO 8601. */
export const postgresqlReaders = {
  getTypeParser: (type: number): ((text: string) => Scalar) => readers[type] ?? asText,
};

import type { Scalar } from '@inlay/query';
import { isoTime, meaningOf, type TypeMeaning } from '../storage-types.ts';

const ip: TypeMeaning = ['text', 'hierarchy', 'ip_address'];
const duration: TypeMeaning = ['text', 'hierarchy', 'duration'];

/** Meanings of types by the name before their arguments. Types that are not listed become text. */
const byName: Readonly<Record<string, TypeMeaning>> = {
  Int8: meaningOf.integer,
  Int16: meaningOf.integer,
  Int32: meaningOf.integer,
  Int64: meaningOf.integer,
  UInt8: meaningOf.integer,
  UInt16: meaningOf.integer,
  UInt32: meaningOf.integer,
  UInt64: meaningOf.integer,
  Int128: meaningOf.decimal,
  Int256: meaningOf.decimal,
  UInt128: meaningOf.decimal,
  UInt256: meaningOf.decimal,
  Decimal: meaningOf.decimal,
  Float32: meaningOf.double,
  Float64: meaningOf.double,
  BFloat16: meaningOf.double,
  Bool: meaningOf.boolean,
  Date: meaningOf.date,
  Date32: meaningOf.date,
  // Every DateTime is a moment; its time zone only says how the server shows it.
  DateTime: meaningOf.timestamptz,
  DateTime64: meaningOf.timestamptz,
  Time: duration,
  Time64: duration,
  IPv4: ip,
  IPv6: ip,
  Array: meaningOf.json,
  Map: meaningOf.json,
  Tuple: meaningOf.json,
  Nested: meaningOf.json,
  JSON: meaningOf.json,
  Object: meaningOf.json,
  Variant: meaningOf.json,
  Dynamic: meaningOf.json,
  Point: meaningOf.json,
  Ring: meaningOf.json,
  LineString: meaningOf.json,
  MultiLineString: meaningOf.json,
  Polygon: meaningOf.json,
  MultiPolygon: meaningOf.json,
};

const wrappers = ['LowCardinality(', 'Nullable('] as const;
const aggregateWrapper = 'SimpleAggregateFunction(';

/** Returns the type within `LowCardinality`, `Nullable` and `SimpleAggregateFunction`. */
export function innerType(type: string): string {
  const wrapper = wrappers.find((start) => type.startsWith(start));
  if (wrapper !== undefined) return innerType(type.slice(wrapper.length, -1));
  return type.startsWith(aggregateWrapper) ? innerType(type.slice(type.indexOf(',') + 1, -1).trim()) : type;
}

const nameOf = (type: string): string => /^\w+/u.exec(innerType(type))?.[0] ?? '';

export const clickhouseMeaning = (type: string): TypeMeaning => byName[nameOf(type)] ?? meaningOf.text;

/** True for states of aggregate functions, which are no values. */
export const isAggregateState = (type: string): boolean => nameOf(type) === 'AggregateFunction';

export const isNullable = (type: string): boolean =>
  /^(?:LowCardinality\()?Nullable\(/u.test(type) || /^(?:Variant|Dynamic)\b/u.test(type);

/** True for types that can be compared with text parameters without a cast. */
export const isNativeText = (type: string): boolean => innerType(type) === 'String';

const wholeCell = (value: string | number): Scalar => {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
};

/** Completes a moment in ISO 8601 as the server writes it, `2024-02-29T12:34:56Z` with 0 to 9 digits of the second. */
function momentCell(value: string): Scalar {
  if (value.length >= shortestWhole) return value;
  return value.length === withoutDigits ? `${value.slice(0, -1)}.000Z` : isoTime(value);
}
const withoutDigits = '2024-02-29T12:34:56Z'.length;
const shortestWhole = '2024-02-29T12:34:56.789Z'.length;

/**
 * Returns a function that converts cells of a type from the JSON of the server, in which whole numbers beyond 2^53 and
 * decimals are quoted. Whole numbers beyond 2^53 and decimals remain text. Times become ISO 8601, and nested values JSON text.
 */
export function cellReader(type: string): (value: unknown) => Scalar {
  const [storageType] = clickhouseMeaning(type);
  return (value) => {
    if (value === null || value === undefined) return null;
    if (typeof value === 'object') return JSON.stringify(value);
    if (typeof value === 'boolean') return value;
    if (typeof value !== 'string' && typeof value !== 'number') return null;
    if (storageType === 'integer') return wholeCell(value);
    if (storageType === 'timestamptz' && typeof value === 'string') return momentCell(value);
    return storageType === 'decimal' ? String(value) : value;
  };
}

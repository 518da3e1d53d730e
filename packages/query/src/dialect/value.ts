import type { StorageType } from '../model.ts';
import { QueryProblem } from '../problem.ts';
import type { Scalar } from '../query.ts';
import { around, bound, raw, sql } from '../sql.ts';
import { type Arg, unsupported, type EmittedSql } from './dialect.ts';
import { quoted } from './standard.ts';

const safeWhole = /^[+-]?\d{1,18}$/;

/** True if a bound whole number certainly fits in 64 bits; otherwise it needs a wider type. */
export const fitsIn64Bits = (value: Scalar): boolean => safeWhole.test(String(value));

/**
 * Returns a bound value with an explicit cast, so that its type never depends on the context. Null is written as a
 * literal. Refuses invalid Unicode, which drivers would change.
 */
export const boundAs = (value: Scalar, type: string): EmittedSql => {
  if (value === null) return sql`CAST(NULL AS ${raw(type)})`;
  if (typeof value === 'string' && !value.isWellFormed()) return unsupported('a text is not valid Unicode');
  // Drivers send whole numbers as 64-bit integers.
  const sentValue =
    typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value) ? String(value) : value;
  return around('CAST(', bound(sentValue), ` AS ${type})`);
};

/** Returns the number of bytes of a text in UTF-8. */
const bytesOf = (text: string): number => {
  let bytes = 0;
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4;
  }
  return bytes;
};

/**
 * Creates a function that quotes identifiers.
 * @throws QueryProblem `unsupported` if no database supports the name, or if it has more than `maxBytes` bytes
 */
export const quoteWith =
  (quote: string, maxBytes = Number.MAX_SAFE_INTEGER) =>
  (identifier: string): string => {
    const name = quoted(identifier, quote);
    if (name === null || (identifier.length * 4 > maxBytes && bytesOf(identifier) > maxBytes))
      throw new QueryProblem('unsupported', '', 'A table or column has a name that cannot be written.');
    return name;
  };

/** Target types by source type of the casts that mean the same in every database. DuckDB performs all other casts. */
const plainCasts: Readonly<Partial<Record<StorageType, readonly StorageType[]>>> = {
  integer: ['double', 'decimal', 'text'],
  decimal: ['double'],
  date: ['timestamp', 'text'],
  timestamp: ['date'],
  json: ['text'],
};

/** Writes a cast for a dialect that supports only `plainCasts`. */
export const plainCast = (of: Arg, to: StorageType, types: Readonly<Record<StorageType, string>>): EmittedSql => {
  if (of.type === to || (of.type === 'timestamptz' && to === 'timestamp')) return of.sql;
  if (plainCasts[of.type]?.includes(to) !== true)
    return unsupported(`a ${of.type} does not become a ${to} in the same way everywhere`);
  return sql`CAST(${of.sql} AS ${raw(types[to])})`;
};

/** Months of a year, a quarter and a month; milliseconds of the shorter levels, by level. */
export const monthsOf: Readonly<Record<number, number>> = { 1: 12, 2: 3, 3: 1 };
export const millisecondsOf: Readonly<Record<number, number>> = {
  4: 604_800_000,
  5: 86_400_000,
  6: 3_600_000,
  7: 60_000,
  8: 1000,
  9: 1,
};

/** Names of the levels as `date_trunc` knows them. */
export const periodNames = {
  1: 'year',
  2: 'quarter',
  3: 'month',
  4: 'week',
  5: 'day',
  6: 'hour',
  7: 'minute',
  8: 'second',
  9: 'milliseconds',
} as const;

/** Maximum number of periods by which a time can be shifted. Beyond it, databases overflow in different ways. */
export const shiftMax = 1_000_000_000;

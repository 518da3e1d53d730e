import type { StorageType } from '../model.ts';
import { bound, join, raw, sql, type Sql } from '../sql.ts';
import { type Dialect, unsupported } from './dialect.ts';
import { jsonRow, line } from './duckdb-json.ts';
import { isOnlyParts, likeExpression } from './like.ts';
import { named, standardAggregates, standardFunctions, two } from './standard.ts';
import { boundAs, fitsIn64Bits, millisecondsOf, monthsOf, periodNames, quoteWith, shiftMax } from './value.ts';

const names = { double: 'DOUBLE', whole: 'HUGEINT' } as const;
const types: Readonly<Record<StorageType, string>> = {
  text: 'VARCHAR',
  integer: 'BIGINT',
  decimal: 'DECIMAL(38, 10)',
  double: 'DOUBLE',
  boolean: 'BOOLEAN',
  date: 'DATE',
  timestamp: 'TIMESTAMP',
  timestamptz: 'TIMESTAMP',
  json: 'VARCHAR',
};
const standard = standardFunctions(names);
const aggregates = standardAggregates(names);
const as = (of: Sql, type: string): Sql => sql`CAST(${of} AS ${raw(type)})`;
const interval = (months: number, milliseconds: number): Sql =>
  raw(months === 0 ? `to_milliseconds(${milliseconds})` : `to_months(${months})`);
const back = (of: Sql, type: StorageType): Sql => (type === 'date' ? as(of, 'DATE') : of);

/** By level: a key that DuckDB groups by faster than by truncated times, and the conversion of a key to a time. */
const keys: Readonly<Partial<Record<number, { key(of: Sql): Sql; start(key: Sql): Sql }>>> = {
  1: { key: (of) => sql`year(${of})`, start: (key) => sql`make_date(${key}, 1, 1)` },
  2: {
    key: (of) => sql`(year(${of}) * 10 + quarter(${of}))`,
    start: (key) => sql`make_date(${key} // 10, (${key} % 10) * 3 - 2, 1)`,
  },
  3: {
    key: (of) => sql`(year(${of}) * 100 + month(${of}))`,
    start: (key) => sql`make_date(${key} // 100, ${key} % 100, 1)`,
  },
  5: { key: (of) => as(of, 'DATE'), start: (key) => key },
};

/**
 * Writes LIKE if the pattern has only text and `%`. DuckDB's LIKE backtracks on other patterns; RE2 never backtracks.
 */
function like(of: Sql, pattern: Sql): Sql {
  const patterns = pattern.params.map(String);
  if (patterns.every(isOnlyParts)) return sql`(${of} LIKE ${pattern})`;
  return sql`regexp_full_match(${of}, ${{ texts: pattern.texts, params: patterns.map(likeExpression) }}, 's')`;
}

/**
 * DuckDB supports everything, so it finishes what other databases cannot compute exactly. Known limit: sums of decimals
 * beyond 38 digits overflow silently.
 */
export const duckdb: Dialect = {
  name: 'duckdb',
  quote: quoteWith('"'),
  placeholder: (position) => `$${position}`,
  literal: (value, type) =>
    type === 'integer' && value !== null && !fitsIn64Bits(value)
      ? boundAs(String(value), 'HUGEINT')
      : boundAs(value, types[type]),
  column(of, type) {
    if (type === 'timestamptz') return sql`(${of} AT TIME ZONE 'UTC')`;
    return type === 'double' || type === 'json' || type === 'text' ? as(of, types[type]) : of;
  },
  nativeText: null,
  moments: null,
  cast: (of, to) => (of.type === to ? of.sql : sql`TRY_CAST(${of.sql} AS ${raw(types[to])})`),
  functions: {
    ...standard,
    like: two(like),
    contains: named('contains'),
    endsWith: named('ends_with'),
    trim: (args) => sql`trim(${join([...args.map((arg) => arg.sql), raw("' '")], ', ')})`,
  },
  aggregates: {
    ...aggregates,
    // DuckDB raises an error for infinite values and for values with infinite squares instead of returning null.
    deviation: (args) => {
      const [of] = args;
      if (of === undefined) return unsupported('a deviation has an argument');
      const value = as(of.sql, 'DOUBLE');
      if (of.type !== 'double') return sql`stddev_samp(${value})`;
      const hasSquare = sql`abs(${value}) < 1e150`;
      return sql`CASE WHEN bool_and(${hasSquare}) THEN stddev_samp(CASE WHEN ${hasSquare} THEN ${value} END) END`;
    },
    // Adds the squares around the averages of the parts to those of these averages around the common one. The difference
    // of two large sums of squares would have few right digits.
    deviationOfParts: (args) => {
      const [number, average, deviation] = args.map((arg) => as(arg.sql, 'DOUBLE'));
      if (number === undefined || average === undefined || deviation === undefined)
        return unsupported('a part has a number, an average and a deviation');
      const within = sql`CASE WHEN ${number} > 1 THEN ${deviation} ** 2 * (${number} - 1) WHEN abs(${average}) < 1e150 THEN 0 END`;
      const part = sql`struct_pack(n := ${number}, average := ${average}, squares := ${within})`;
      const common = sql`sum(${number} * ${average}) / sum(${number})`;
      const squares = sql`lambda part: part.squares + part.n * (part.average - ${common}) ** 2`;
      const total = sql`list_sum(list_transform(list(${part}) FILTER (WHERE ${number} > 0), ${squares}))`;
      const hasAll = sql`sum(${number}) > 1 AND bool_and(${number} = 0 OR ${within} IS NOT NULL)`;
      return sql`CASE WHEN ${hasAll} THEN sqrt(${total} / (sum(${number}) - 1)) END`;
    },
  },
  truncate(of, level, weekstart) {
    const period = raw(`'${periodNames[level]}'`);
    if (level !== 4 || weekstart === 1) return back(sql`date_trunc(${period}, ${of.sql})`, of.type);
    const days = raw(`to_days(${weekstart - 1})`);
    return back(sql`(date_trunc(${period}, ${of.sql} - ${days}) + ${days})`, of.type);
  },
  periods: {
    key: (of, level, weekstart) => keys[level]?.key(of.sql) ?? duckdb.truncate(of, level, weekstart),
    start: (key, type, level) => as(keys[level]?.start(key) ?? key, types[type]),
    differs: (level, type) => keys[level] !== undefined && !(level === 5 && type === 'date'),
  },
  // Integer division truncates toward zero, so quarters are counted from before year 1.
  quarters: {
    key: (of) => sql`((epoch_us(${of}) + 63000000000000000) // 900000000)`,
    start: (key) => sql`make_timestamp(${key} * 900000000 - 63000000000000000)`,
  },
  // DuckDB groups an ENUM by its number.
  groupsRawText: true,
  shift(of, level, quantity) {
    if (!Number.isSafeInteger(quantity) || Math.abs(quantity) > shiftMax) return unsupported('the period is too long');
    const movedBy = interval(quantity * (monthsOf[level] ?? 0), quantity * (millisecondsOf[level] ?? 0));
    return level <= 5 ? back(sql`(${of.sql} + ${movedBy})`, of.type) : sql`(${of.sql} + ${movedBy})`;
  },
  zone(of, to, zone) {
    if (zone === 'UTC') return of.sql;
    const [from, into] = to === 'local' ? [raw("'UTC'"), bound(zone)] : [bound(zone), raw("'UTC'")];
    return sql`timezone(${as(into, 'VARCHAR')}, timezone(${as(from, 'VARCHAR')}, CAST(${of.sql} AS TIMESTAMP)))`;
  },
  path(of, separator, level) {
    if (separator === '') return of;
    const mark = as(bound(separator), 'VARCHAR');
    return sql`array_to_string(string_split(${of}, ${mark})[1:${raw(String(level))}], ${mark})`;
  },
  bin(of, low, high, bins) {
    const [value, from, to] = [as(of.sql, 'DOUBLE'), as(low, 'DOUBLE'), as(high, 'DOUBLE')];
    const part = sql`floor((${value} - ${from}) / (${to} - ${from}) * ${raw(String(bins))})`;
    const isInside = sql`${value} <= ${to} AND ${to} - ${from} BETWEEN 1e-300 AND 1.7e308`;
    const bin = sql`CAST(least(${part}, ${raw(String(bins - 1))}) AS INTEGER)`;
    return sql`CASE WHEN ${isInside} THEN ${bin} WHEN ${value} = ${from} AND ${to} - ${from} = 0 THEN 0 END`;
  },
  listed(of, keys) {
    const type = raw(of.type === 'integer' ? `'["HUGEINT"]'` : `'["VARCHAR"]'`);
    return sql`(${of.sql} IN (SELECT unnest(from_json(CAST(${bound(JSON.stringify(keys))} AS JSON), ${type}))))`;
  },
  order: (of, direction) => sql`${of} ${raw(direction.toUpperCase())} NULLS LAST`,
  sortsBy: 'position',
  reservedNames: null,
  fence: 'case',
  lookedUpTest: null,
  onceForAllRows: null,
  limit: (by, offset) => `${by === null ? '' : ` LIMIT ${by}`}${offset === 0 ? '' : ` OFFSET ${offset}`}`,
  jsonRow,
  line,
};

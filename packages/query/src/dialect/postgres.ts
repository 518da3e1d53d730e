import type { StorageType } from '../model.ts';
import { around, bound, raw, sql, type Sql } from '../sql.ts';
import { type Dialect, unsupported } from './dialect.ts';
import { named, never, one, remainder, standardAggregates, standardFunctions, two, type Write } from './standard.ts';
import {
  boundAs,
  fitsIn64Bits,
  millisecondsOf,
  monthsOf,
  periodNames,
  plainCast,
  quoteWith,
  shiftMax,
} from './value.ts';

const names = { double: 'double precision', whole: 'numeric' } as const;
const types: Readonly<Record<StorageType, string>> = {
  text: 'text',
  integer: 'bigint',
  decimal: 'numeric',
  double: 'double precision',
  boolean: 'boolean',
  date: 'date',
  timestamp: 'timestamp',
  timestamptz: 'timestamp',
  json: 'text',
};
const as = (of: Sql, type: string): Sql => sql`CAST(${of} AS ${raw(type)})`;
const byCodePoint = (of: Sql): Sql => around('(', of, ' COLLATE "C")');
const back = (of: Sql, type: StorageType): Sql => (type === 'date' ? as(of, 'date') : of);

/** Returns a part of a time; null for `infinity`, which has no parts. */
const partOf = (name: string, of: Sql): Sql => {
  const part = sql`floor(extract(${raw(name)} FROM ${of}))`;
  return as(sql`NULLIF(NULLIF(${part}, 'Infinity'), '-Infinity')`, 'bigint');
};
const part = (name: string): Write => one((of) => partOf(name, of));
const caseUnsupported = never(unsupported('PostgreSQL changes the case of letters by tables of its own'));
const addInterval = (unit: 'months' | 'secs', type: string): Write =>
  two((of, quantity) => sql`(${of} + make_interval(${raw(unit)} => ${as(quantity, type)}))`);

/**
 * PostgreSQL 12 and later. Texts are compared by code point (`COLLATE "C"`), whatever the locale of the database.
 * Products beyond 1.8e308 are errors in PostgreSQL, but null in DuckDB.
 */
export const postgres: Dialect = {
  name: 'postgres',
  // PostgreSQL truncates longer names, and the truncated name may be that of another column.
  quote: quoteWith('"', 63),
  placeholder: (position) => `$${position}`,
  literal(value, type) {
    if (type === 'integer' && value !== null && !fitsIn64Bits(value)) return boundAs(String(value), 'numeric');
    if (typeof value === 'string' && value.includes('\0')) return unsupported('PostgreSQL knows no NUL character');
    const boundValue = boundAs(value, types[type]);
    return type === 'text' && 'texts' in boundValue ? byCodePoint(boundValue) : boundValue;
  },
  column(of, type) {
    if (type === 'text' || type === 'json') return byCodePoint(as(of, 'text'));
    if (type === 'timestamptz') return sql`(${of} AT TIME ZONE 'UTC')`;
    return type === 'double' ? as(of, types.double) : of;
  },
  moments: { column: (of) => of, fromUtc: (time) => sql`(${time} AT TIME ZONE 'UTC')` },
  nativeText: (text) => as(bound(text), 'text'),
  cast(of, to) {
    const castSql = plainCast(of, to, types);
    return to === 'text' && of.type !== to && 'texts' in castSql ? byCodePoint(castSql) : castSql;
  },
  functions: {
    ...standardFunctions(names),
    '%': (args, type) =>
      type === 'integer' ? remainder(names)(args, type) : unsupported('PostgreSQL has no remainder of doubles'),
    log10: named('log'),
    lower: caseUnsupported,
    upper: caseUnsupported,
    year: part('year'),
    quarter: part('quarter'),
    month: part('month'),
    week: part('week'),
    day: part('day'),
    weekday: part('isodow'),
    hour: part('hour'),
    minute: part('minute'),
    second: part('second'),
    dayOfYear: part('doy'),
    weekOfFourthDay: one((of) => sql`((${partOf('doy', of)} + 6) / 7)`),
    seconds: part('epoch'),
    addMonths: addInterval('months', 'integer'),
    addSeconds: addInterval('secs', 'double precision'),
  },
  aggregates: {
    ...standardAggregates(names),
    median: one((of) => sql`percentile_cont(0.5) WITHIN GROUP (ORDER BY ${as(of, types.double)})`),
    percentile: two(
      (of, share) => sql`percentile_cont(${as(share, types.double)}) WITHIN GROUP (ORDER BY ${as(of, types.double)})`,
    ),
    min: (args, type) => named(type === 'boolean' ? 'bool_and' : 'min')(args, type),
    max: (args, type) => named(type === 'boolean' ? 'bool_or' : 'max')(args, type),
  },
  truncate(of, level, weekstart) {
    const time = of.type === 'date' ? as(of.sql, 'timestamp') : of.sql;
    const period = raw(`'${periodNames[level]}'`);
    if (level !== 4 || weekstart === 1) return back(sql`date_trunc(${period}, ${time})`, of.type);
    const days = raw(`interval '${weekstart - 1} days'`);
    return back(sql`(date_trunc(${period}, ${time} - ${days}) + ${days})`, of.type);
  },
  periods: null,
  quarters: null,
  groupsRawText: false,
  shift(of, level, quantity) {
    if (!Number.isSafeInteger(quantity) || Math.abs(quantity) > shiftMax) return unsupported('the period is too long');
    const months = quantity * (monthsOf[level] ?? 0);
    const text = months === 0 ? `${quantity * (millisecondsOf[level] ?? 0)} milliseconds` : `${months} months`;
    const movedTime = sql`(${of.sql} + interval '${raw(text)}')`;
    return level <= 5 ? back(movedTime, of.type) : movedTime;
  },
  zone(of, to, zone) {
    if (zone === 'UTC') return of.sql;
    const name = as(bound(zone), 'text');
    const time = as(of.sql, 'timestamp');
    return to === 'local'
      ? sql`timezone(${name}, timezone('UTC', ${time}))`
      : sql`timezone('UTC', timezone(${name}, ${time}))`;
  },
  path(of, separator, level) {
    if (separator === '') return of;
    const mark = as(bound(separator), 'text');
    return byCodePoint(sql`array_to_string((string_to_array(${of}, ${mark}))[1:${raw(String(level))}], ${mark})`);
  },
  bin(of, low, high, bins) {
    const [value, from, to] = [as(of.sql, types.double), as(low, types.double), as(high, types.double)];
    const index = sql`floor((${value} - ${from}) / (${to} - ${from}) * ${raw(String(bins))})`;
    const isInside = sql`${value} <= ${to} AND ${to} - ${from} BETWEEN 1e-300 AND 1.7e308`;
    const bin = sql`CAST(least(${index}, ${raw(String(bins - 1))}) AS integer)`;
    return sql`CASE WHEN ${isInside} THEN ${bin} WHEN ${value} = ${from} AND ${to} - ${from} = 0 THEN 0 END`;
  },
  listed(of, keys) {
    // PostgreSQL texts cannot contain NUL, and jsonb rejects NUL.
    const list = bound(JSON.stringify(keys.filter((key) => !key.includes('\0'))));
    const key = sql`jsonb_array_elements_text(CAST(${list} AS jsonb))`;
    return sql`(${of.sql} IN (SELECT ${of.type === 'integer' ? sql`CAST(${key} AS numeric)` : key}))`;
  },
  order: (of, direction) => sql`${of} ${raw(direction.toUpperCase())} NULLS LAST`,
  sortsBy: 'position',
  reservedNames: new Set(['oid', 'tableoid', 'ctid', 'xmin', 'xmax', 'cmin', 'cmax']),
  fence: 'offset',
  lookedUpTest: (test) => sql`coalesce(${test}, FALSE)`,
  onceForAllRows: (select) => sql`WITH "once" AS MATERIALIZED (${select}) SELECT * FROM "once"`,
  limit: (by, offset) => `${by === null ? '' : ` LIMIT ${by}`}${offset === 0 ? '' : ` OFFSET ${offset}`}`,
  jsonRow: null,
  line: null,
};

import type { StorageType } from '../model.ts';
import { around, bound, raw, sql, type Sql } from '../sql.ts';
import { type Dialect, unsupported } from './dialect.ts';
import { named, never, one, standardAggregates, standardFunctions, two, type Write } from './standard.ts';
import { boundAs, fitsIn64Bits, millisecondsOf, monthsOf, plainCast, quoteWith, shiftMax } from './value.ts';

const names = { double: 'DOUBLE', whole: 'DECIMAL(65, 0)' } as const;
const types: Readonly<Record<StorageType, string>> = {
  text: 'CHAR',
  integer: 'SIGNED',
  decimal: 'DECIMAL(65, 30)',
  double: 'DOUBLE',
  boolean: 'UNSIGNED',
  date: 'DATE',
  timestamp: 'DATETIME(6)',
  timestamptz: 'DATETIME(6)',
  json: 'CHAR',
};
const as = (of: Sql, type: string): Sql => sql`CAST(${of} AS ${raw(type)})`;
const time = (of: Sql, type: StorageType): Sql => as(of, types[type === 'date' ? 'date' : 'timestamp']);
const caseUnsupported = never(unsupported('MySQL changes the case of letters by tables of its own'));
const part = (name: string): Write => one((of) => sql`${raw(name)}(${of})`);
const addInterval = (unit: 'MONTH' | 'SECOND'): Write =>
  two((of, quantity) => sql`(${of} + INTERVAL ${as(quantity, 'SIGNED')} ${raw(unit)})`);

/** By level: truncates a time to the start of its period. The result is not yet typed as a time. */
const periods: Readonly<Record<number, (of: Sql, weekstart: number) => Sql>> = {
  1: (of) => sql`makedate(year(${of}), 1)`,
  2: (of) => sql`(makedate(year(${of}), 1) + INTERVAL (quarter(${of}) - 1) QUARTER)`,
  3: (of) => sql`(date(${of}) - INTERVAL (dayofmonth(${of}) - 1) DAY)`,
  4: (of, weekstart) => sql`(date(${of}) - INTERVAL ((weekday(${of}) + ${raw(String(8 - weekstart))}) % 7) DAY)`,
  5: (of) => sql`date(${of})`,
  6: (of) => sql`(date(${of}) + INTERVAL hour(${of}) HOUR)`,
  7: (of) => sql`(date(${of}) + INTERVAL (hour(${of}) * 60 + minute(${of})) MINUTE)`,
  8: (of) => sql`(${of} - INTERVAL microsecond(${of}) MICROSECOND)`,
  9: (of) => sql`(${of} - INTERVAL (microsecond(${of}) % 1000) MICROSECOND)`,
};

/** Differences between servers. */
export interface MysqlServer {
  /**
   * A collation that compares by code point and does not ignore trailing spaces (`'a'` and `'a '` differ):
   * `utf8mb4_nopad_bin` in MariaDB, `utf8mb4_0900_bin` in MySQL 8.
   */
  readonly collation: 'utf8mb4_nopad_bin' | 'utf8mb4_0900_bin';
  /**
   * True if the time zone tables are loaded; otherwise the server converts times of named zones to null. Known limit:
   * MariaDB up to 10.11 does not convert times before 1970 or after 2038.
   */
  readonly zones: boolean;
  /** True if the server supports JSON_TABLE: MySQL from 8.0.4, MariaDB from 10.6. */
  readonly listed: boolean;
}

/** Returns a hash of 32 bytes for texts of any length. */
const digest = (of: Sql): Sql => around('UNHEX(SHA2(CONVERT(', of, ' USING utf8mb4), 256))');

/** For MariaDB 10.4 and MySQL 8.0.17 or later, in a session whose time zone is UTC. Booleans are 0 and 1. */
const mysqlDialect = ({ collation, zones, listed }: MysqlServer): Dialect => {
  const byCodePoint = (of: Sql): Sql => around('(CONVERT(', of, ` USING utf8mb4) COLLATE ${collation})`);
  return {
    name: 'mysql',
    quote: quoteWith('`', 256),
    placeholder: () => '?',
    literal(value, type) {
      if (type === 'integer' && value !== null && !fitsIn64Bits(value)) return boundAs(String(value), 'DECIMAL(65, 0)');
      const boundValue = boundAs(type === 'boolean' && value !== null ? Number(value) : value, types[type]);
      return type === 'text' && 'texts' in boundValue ? byCodePoint(boundValue) : boundValue;
    },
    column(of, type) {
      if (type === 'text' || type === 'json') return byCodePoint(of);
      if (type === 'boolean') return sql`(${of} <> 0)`;
      return type === 'double' ? as(of, 'DOUBLE') : of;
    },
    // The server compares a bound value by the collation of the column; a cast would have its own collation.
    nativeText: (text) => bound(text),
    moments: null,
    cast(of, to) {
      const castSql = plainCast(of, to, types);
      return to === 'text' && of.type !== to && 'texts' in castSql ? byCodePoint(castSql) : castSql;
    },
    functions: {
      ...standardFunctions(names),
      contains: two((of, search) => sql`(locate(${search}, ${of}) > 0)`),
      startsWith: two((of, start) => sql`(left(${of}, char_length(${start})) = ${start})`),
      endsWith: two((of, end) => sql`(right(${of}, char_length(${end})) = ${end})`),
      trunc: one((of) => sql`truncate(${of}, 0)`),
      lower: caseUnsupported,
      upper: caseUnsupported,
      length: part('char_length'),
      concat: named('concat'),
      substring: (args, type) =>
        named('substring')(
          args.map((arg, index) => (index === 0 ? arg : { ...arg, sql: as(arg.sql, 'SIGNED') })),
          type,
        ),
      week: one((of) => sql`week(${of}, 3)`),
      weekday: one((of) => sql`(weekday(${of}) + 1)`),
      weekOfFourthDay: one((of) => sql`((dayofyear(${of}) + 6) DIV 7)`),
      seconds: one((of) => sql`floor(timestampdiff(MICROSECOND, '1970-01-01', ${of}) / 1000000)`),
      addMonths: addInterval('MONTH'),
      addSeconds: addInterval('SECOND'),
    },
    aggregates: {
      ...standardAggregates(names),
      median: never(unsupported('MySQL and MariaDB have no median of a group')),
      percentile: never(unsupported('MySQL and MariaDB have no percentile of a group')),
    },
    truncate: (of, level, weekstart) =>
      of.type === 'date' && level >= 5
        ? of.sql
        : time((periods[level] ?? ((unchanged: Sql) => unchanged))(of.sql, weekstart), of.type),
    periods: null,
    quarters: null,
    groupsRawText: false,
    shift(of, level, quantity) {
      if (!Number.isSafeInteger(quantity) || Math.abs(quantity) > shiftMax)
        return unsupported('the period is too long');
      const months = quantity * (monthsOf[level] ?? 0);
      const microseconds = quantity * (millisecondsOf[level] ?? 0) * 1000;
      const movedBy = raw(months === 0 ? `INTERVAL ${microseconds} MICROSECOND` : `INTERVAL ${months} MONTH`);
      return time(sql`(${of.sql} + ${movedBy})`, of.type);
    },
    zone(of, to, zone) {
      if (zone === 'UTC') return of.sql;
      if (!zones) return unsupported('the time zone tables of the server are not loaded');
      const [from, into] = to === 'local' ? [raw("'+00:00'"), bound(zone)] : [bound(zone), raw("'+00:00'")];
      return sql`convert_tz(${as(of.sql, 'DATETIME(6)')}, ${from}, ${into})`;
    },
    path: (of, separator, level) =>
      separator === ''
        ? of
        : byCodePoint(sql`substring_index(${of}, ${byCodePoint(bound(separator))}, ${raw(String(level))})`),
    bin(of, low, high, bins) {
      const [value, from, to] = [as(of.sql, 'DOUBLE'), as(low, 'DOUBLE'), as(high, 'DOUBLE')];
      const index = sql`floor((${value} - ${from}) / (${to} - ${from}) * ${raw(String(bins))})`;
      const isInside = sql`${value} <= ${to} AND ${to} - ${from} BETWEEN 1e-300 AND 1.7e308`;
      const bin = sql`CAST(least(${index}, ${raw(String(bins - 1))}) AS SIGNED)`;
      return sql`CASE WHEN ${isInside} THEN ${bin} WHEN ${value} = ${from} AND ${to} - ${from} = 0 THEN 0 END`;
    },
    listed(of, keys) {
      if (!listed) return unsupported('this server does not read a list out of JSON');
      // The server hashes the list only if both sides have the same fixed-width type. Otherwise it compares each row
      // with every key.
      const isInteger = of.type === 'integer';
      const comparable = (value: Sql): Sql => (isInteger ? as(value, 'DECIMAL(65, 0)') : digest(value));
      const type = raw(isInteger ? 'DECIMAL(65, 0)' : 'LONGTEXT');
      const list = sql`json_table(${bound(JSON.stringify(keys))}, '$[*]' COLUMNS (k ${type} PATH '$')) AS listed`;
      return sql`(${comparable(of.sql)} IN (SELECT ${comparable(raw('listed.k'))} FROM ${list}))`;
    },
    order: (of, direction) => sql`${of} IS NULL, ${of} ${raw(direction.toUpperCase())}`,
    sortsBy: 'name',
    reservedNames: new Set(['_rowid', 'row_start', 'row_end']),
    fence: 'case',
    lookedUpTest: null,
    onceForAllRows: null,
    limit: (by, offset) =>
      by === null && offset === 0
        ? ''
        : ` LIMIT ${by ?? '18446744073709551615'}${offset === 0 ? '' : ` OFFSET ${offset}`}`,
    jsonRow: null,
    line: null,
  };
};

/**
 * Returns the dialect of a server. `version` is the result of `version()`; `zones` is true if the server knows named
 * zones.
 */
export const mysqlFor = ({ version, zones }: { readonly version: string; readonly zones: boolean }): Dialect =>
  mysqlDialect({
    collation: /mariadb/iu.test(version) ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin',
    zones,
    listed: !/^(?:5\.5\.5-)?10\.[0-5]\./u.test(version),
  });

/** MariaDB without time zone tables. */
export const mysql = mysqlDialect({ collation: 'utf8mb4_nopad_bin', zones: false, listed: true });

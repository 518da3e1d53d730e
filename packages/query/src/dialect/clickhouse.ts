import type { StorageType } from '../model.ts';
import { bound, join, raw, sql, type Sql } from '../sql.ts';
import type { Scalar } from '../query.ts';
import { type Arg, type Dialect, unsupported } from './dialect.ts';
import { backslashPattern } from './like.ts';
import { named, never, one, standardAggregates, standardFunctions, two, type Write } from './standard.ts';
import { boundAs, fitsIn64Bits, millisecondsOf, monthsOf, plainCast, quoteWith, shiftMax } from './value.ts';

const names = { double: 'Float64', whole: 'Int256' } as const;
const timestamp = "DateTime64(6, 'UTC')";
const types: Readonly<Record<StorageType, string>> = {
  text: 'String',
  integer: 'Int64',
  decimal: 'Decimal(76, 10)',
  double: 'Float64',
  boolean: 'Bool',
  date: 'Date32',
  timestamp,
  timestamptz: timestamp,
  json: 'String',
};

/**
 * Settings of every query. Without them, ClickHouse fills the missing side of a LEFT JOIN with zeros and empty texts,
 * casts drop nulls, and starts of periods before 1970 or after 2149 are wrong.
 */
export const clickhouseSettings = {
  join_use_nulls: '1',
  cast_keep_nullable: '1',
  enable_extended_results_for_datetime_functions: '1',
  short_circuit_function_evaluation: 'force_enable',
  transform_null_in: '0',
  session_timezone: 'UTC',
} as const;

/**
 * Returns the text of a bound value, as the HTTP interface reads the parameters `param_p1`, `param_p2` and so on. All
 * parameters are of the type String: the statement casts them.
 */
export const clickhouseParameter = (value: Scalar): string =>
  String(value).replace(/[\\\t\n\r\0\b\f']/g, (character) => escapes[character] ?? character);
const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\0': '\\0',
  '\b': '\\b',
  '\f': '\\f',
  "'": "\\'",
};

const as = (of: Sql, type: string): Sql => sql`CAST(${of} AS ${raw(type)})`;
const asTimestamp = (of: Sql): Sql => as(of, timestamp);
/** Writes a bound number as a constant: parameters of aggregates take nothing else. */
const constantOf = ({ params: [value] }: Sql): Sql => raw(typeof value === 'number' ? String(value) : '0.5');
const orNull = (name: string): Write => named(`${name}OrNull`);
const caseUnsupported = never(unsupported('ClickHouse changes the case of letters by tables of its own'));

/** Types of columns that already have JSON as text. */
const stringTypes = ['String', 'Nullable(String)', 'LowCardinality(String)', 'LowCardinality(Nullable(String))']
  .map((name) => `'${name}'`)
  .join(', ');

/** Cuts parts of a second off. ClickHouse cuts times with parts of a second before 1970 to the wrong hour or day. */
const wholeSeconds = (of: Sql): Sql => sql`toStartOfSecond(${of})`;

/** By level: truncates a time to the start of its period. The result is a Date32 up to the week. */
const periods: Readonly<Record<number, (of: Sql, weekstart: number) => Sql>> = {
  1: (of) => sql`toStartOfYear(${of})`,
  2: (of) => sql`toStartOfQuarter(${of})`,
  3: (of) => sql`toStartOfMonth(${of})`,
  4: (of, weekstart) => {
    const day = as(of, 'Date32');
    return sql`subtractDays(${day}, (toDayOfWeek(${day}) + ${raw(String(7 - weekstart))}) % 7)`;
  },
  5: (of) => sql`toStartOfDay(${wholeSeconds(of)})`,
  6: (of) => sql`toStartOfHour(${wholeSeconds(of)})`,
  7: (of) => sql`toStartOfMinute(${wholeSeconds(of)})`,
  8: wholeSeconds,
  9: (of) => sql`toStartOfMillisecond(${of})`,
};

const microseconds = (of: Sql): Sql => sql`toUnixTimestamp64Micro(${asTimestamp(of)})`;
const secondsSince1970 = (of: Sql): Sql =>
  sql`intDiv(${microseconds(of)} - positiveModulo(${microseconds(of)}, 1000000), 1000000)`;

/** Offset of a zone from UTC in seconds, at a time in UTC. */
const offset = (of: Sql, zone: Sql): Sql => sql`timeZoneOffset(toTimeZone(${of}, ${zone}))`;
const movedBy = (of: Sql, seconds: Sql): Sql => sql`addSeconds(${of}, ${seconds})`;

/** First second of a year. `Date.UTC` reads years below 100 as years of the 20th century. */
const startOf = (year: number): number => new Date(0).setUTCFullYear(year, 0, 1) / 1000;

/** A decimal type with all digits of a value. A fixed scale would cut the others off. */
function decimalType(value: Scalar): string {
  const [, fraction = ''] = /^[+-]?\d*\.(\d+)$/.exec(String(value)) ?? [];
  return fraction.length <= 10 ? types.decimal : `Decimal(76, ${Math.min(fraction.length, 60)})`;
}

/** An operand of a sum that cannot overflow: ClickHouse adds up integers in 64 bits. */
const widened = (arg: Arg): Arg => (arg.type === 'integer' ? { ...arg, sql: as(arg.sql, names.whole) } : arg);

const withBackslashes = (pattern: Sql): Sql => ({
  texts: pattern.texts,
  params: pattern.params.map((value) => (typeof value === 'string' ? backslashPattern(value) : value)),
});

/** Columns that tables have without declaring them. */
const virtualColumns: ReadonlySet<string> = new Set(
  [
    '_table _database _part _part_index _part_offset _part_uuid _part_starting_offset',
    '_part_data_version _part_granule_offset _partition_id _partition_value _sample_factor _distance',
    '_row_exists _block_number _block_offset _disk_name _shard_num _path _file _size _time _etag',
    '_tags _headers _topic _key _offset _partition _timestamp _data_lake_snapshot_version',
  ].flatMap((line) => line.split(' ')),
);

/** Differences between servers. */
export interface ClickhouseServer {
  /**
   * Last year of Date32 and DateTime64, which is 2299 in many releases and 9999 in later ones: the answer to `SELECT
   * toYear(toDate32('9999-12-31'))`.
   */
  readonly lastYear: number;
}

/**
 * For ClickHouse 24 or later with `clickhouseSettings`. Values are bound as String and cast. Times are DateTime64 in
 * UTC, which ClickHouse clamps to the years of its calendar: literals beyond them are refused, and computed times become
 * null. NaN reads as infinity: both are the greatest number, and null in an answer.
 */
export const clickhouseFor = ({ lastYear }: ClickhouseServer): Dialect => {
  const firstYear = lastYear > 2299 ? 1 : 1900;
  /** Adds months or seconds, and returns null for times outside the calendar. */
  const addMonths = (of: Sql, months: Sql): Sql => {
    const month = sql`toYear(${of}) * 12 + toMonth(${of}) - 1 + ${months}`;
    const range = raw(`${firstYear * 12} AND ${lastYear * 12 + 11}`);
    return sql`CASE WHEN ${month} BETWEEN ${range} THEN addMonths(${of}, ${months}) END`;
  };
  const addSeconds = (of: Sql, seconds: Sql): Sql => {
    const range = raw(`${startOf(firstYear)} AND ${startOf(lastYear + 1) - 1}`);
    return sql`CASE WHEN ${secondsSince1970(of)} + ${seconds} BETWEEN ${range} THEN ${movedBy(of, seconds)} END`;
  };
  const isOutside = (value: Scalar): boolean => {
    const year = Number(/^(\d+)-/.exec(String(value))?.[1] ?? Number.NaN);
    return !(year >= firstYear && year <= lastYear);
  };

  return {
    name: 'clickhouse',
    quote: (identifier) => quoteWith('`')(identifier.replaceAll('\\', '\\\\')),
    placeholder: (position) => `{p${position}:String}`,
    literal(value, type) {
      // A null without a type takes that of the values beside it, which may be unsigned.
      if (value === null && (type === 'integer' || type === 'decimal')) return raw('NULL');
      if (type === 'integer' && value !== null && !fitsIn64Bits(value)) return boundAs(value, 'Int256');
      const isTime = type === 'date' || type === 'timestamp' || type === 'timestamptz';
      if (isTime && value !== null && isOutside(value))
        return unsupported(`ClickHouse has no times before ${firstYear} or after ${lastYear}`);
      return boundAs(value, type === 'decimal' ? decimalType(value) : types[type]);
    },
    column(of, type) {
      if (type === 'integer' || type === 'decimal' || type === 'boolean') return of;
      // Unlike a cast, toString preserves LowCardinality, whose values ClickHouse groups by number.
      if (type === 'text') return sql`toString(${of})`;
      if (type === 'json')
        return sql`if(toTypeName(${of}) IN (${raw(stringTypes)}), toString(${of}), toJSONString(${of}))`;
      if (type !== 'double') return as(of, types[type]);
      // Adding zero makes -0 equal to 0 in groups.
      const value = as(of, 'Float64');
      return sql`if(isNaN(${value}), inf, ${value} + 0)`;
    },
    nativeText: null,
    moments: null,
    cast: (of, to) => plainCast(of, to, types),
    functions: {
      ...standardFunctions(names),
      in: (args, type) => {
        const [of, ...values] = args;
        if (of === undefined || values.length === 0) return raw('FALSE');
        if (values.every((value) => value.type === of.type)) return standardFunctions(names).in(args, type);
        // ClickHouse reads the list as values of the type of the column, which may not have them.
        return sql`(${join(
          values.map((value) => sql`${of.sql} = ${value.sql}`),
          ' OR ',
        )})`;
      },
      like: two((of, pattern) => sql`(${of} LIKE ${withBackslashes(pattern)})`),
      contains: two((of, part) => sql`(position(${of}, ${part}) > 0)`),
      startsWith: named('startsWith'),
      endsWith: named('endsWith'),
      ln: named('log'),
      lower: caseUnsupported,
      upper: caseUnsupported,
      length: named('lengthUTF8'),
      concat: named('concat'),
      substring: (args, type) =>
        named('substringUTF8')(
          args.map((arg, index) => (index === 0 ? arg : { ...arg, sql: as(arg.sql, 'Int64') })),
          type,
        ),
      replace: named('replaceAll'),
      year: named('toYear'),
      quarter: named('toQuarter'),
      month: named('toMonth'),
      week: named('toISOWeek'),
      day: named('toDayOfMonth'),
      weekday: named('toDayOfWeek'),
      hour: named('toHour'),
      minute: named('toMinute'),
      second: named('toSecond'),
      dayOfYear: named('toDayOfYear'),
      weekOfFourthDay: one((of) => sql`intDiv(toDayOfYear(${of}) + 6, 7)`),
      seconds: one(secondsSince1970),
      addMonths: two((of, months) => addMonths(of, as(months, 'Int64'))),
      addSeconds: two((of, seconds) => addSeconds(asTimestamp(of), as(seconds, 'Int64'))),
    },
    aggregates: {
      ...standardAggregates(names),
      // Counts are unsigned, and have no type in common with signed integers.
      rows: () => as(raw('count(*)'), 'Int64'),
      count: one((of) => as(sql`count(${of})`, 'Int64')),
      distinct: one((of) => as(sql`uniqExact(${of})`, 'Int64')),
      sum: (args, type) => orNull('sum')(args.map(widened), type),
      average: one((of) => sql`avgOrNull(${as(of, 'Float64')})`),
      median: one((of) => sql`quantileExactInclusiveOrNull(0.5)(${as(of, 'Float64')})`),
      percentile: two((of, share) => sql`quantileExactInclusiveOrNull(${constantOf(share)})(${as(of, 'Float64')})`),
      min: orNull('min'),
      max: orNull('max'),
      deviation: one((of) => sql`CASE WHEN count(${of}) > 1 THEN stddevSampStable(${as(of, 'Float64')}) END`),
    },
    truncate(of, level, weekstart) {
      if (of.type === 'date' && level >= 5) return of.sql;
      const start = (periods[level] ?? ((unchanged: Sql) => unchanged))(of.sql, weekstart);
      return of.type === 'date' || level >= 5 ? start : asTimestamp(start);
    },
    periods: null,
    quarters: null,
    groupsRawText: false,
    shift(of, level, quantity) {
      if (!Number.isSafeInteger(quantity) || Math.abs(quantity) > shiftMax)
        return unsupported('the period is too long');
      const months = quantity * (monthsOf[level] ?? 0);
      const milliseconds = quantity * (millisecondsOf[level] ?? 0);
      if (months !== 0) return addMonths(of.sql, raw(String(months)));
      if (milliseconds % 1000 !== 0) return sql`addMilliseconds(${of.sql}, ${raw(String(milliseconds))})`;
      const movedTime = addSeconds(asTimestamp(of.sql), raw(String(milliseconds / 1000)));
      return of.type === 'date' ? as(movedTime, 'Date32') : movedTime;
    },
    zone(of, to, zone) {
      if (zone === 'UTC') return of.sql;
      const [time, name] = [asTimestamp(of.sql), bound(zone)];
      if (to === 'local') return movedBy(time, offset(time, name));
      // A wall clock that occurs twice means the second time. A skipped wall clock is moved forward by the gap.
      const [before, after] = [-86_400, 86_400].map((seconds) => offset(movedBy(time, raw(String(seconds))), name));
      if (before === undefined || after === undefined) return unsupported('a zone has two offsets');
      const later = movedBy(time, sql`- ${after}`);
      return movedBy(time, sql`- if(${offset(later, name)} = ${after}, ${after}, ${before})`);
    },
    path(of, separator, level) {
      if (separator === '') return of;
      const mark = as(bound(separator), 'String');
      const parts = sql`arraySlice(splitByString(${mark}, assumeNotNull(${of})), 1, ${raw(String(level))})`;
      return sql`if(isNull(${of}), NULL, arrayStringConcat(${parts}, ${mark}))`;
    },
    bin(of, low, high, bins) {
      const [value, from, to] = [as(of.sql, 'Float64'), as(low, 'Float64'), as(high, 'Float64')];
      const index = sql`floor((${value} - ${from}) / (${to} - ${from}) * ${raw(String(bins))})`;
      const isInside = sql`${value} <= ${to} AND ${to} - ${from} BETWEEN 1e-300 AND 1.7e308`;
      const bin = sql`CAST(least(${index}, ${raw(String(bins - 1))}) AS Int32)`;
      return sql`CASE WHEN ${isInside} THEN ${bin} WHEN ${value} = ${from} AND ${to} - ${from} = 0 THEN 0 END`;
    },
    listed(of, keys) {
      const list = as(bound(JSON.stringify(keys)), 'String');
      const key = sql`arrayJoin(JSONExtract(${list}, 'Array(String)'))`;
      return sql`(${of.sql} IN (SELECT ${of.type === 'integer' ? as(key, 'Int256') : key}))`;
    },
    order: (of, direction) => sql`${of} ${raw(direction.toUpperCase())} NULLS LAST`,
    sortsBy: 'position',
    reservedNames: virtualColumns,
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

import type { StorageType } from '../model.ts';
import type { Scalar } from '../query.ts';
import { bound, raw, sql, type Sql } from '../sql.ts';
import { type Dialect, type EmittedSql, unsupported } from './dialect.ts';
import { named, never, one, standardAggregates, standardFunctions, two } from './standard.ts';
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

const names = { double: 'DOUBLE', whole: 'DECIMAL(38, 0)' } as const;
const types: Readonly<Record<StorageType, string>> = {
  text: 'VARCHAR',
  integer: 'BIGINT',
  decimal: 'DECIMAL(38, 10)',
  double: 'DOUBLE',
  boolean: 'BOOLEAN',
  date: 'DATE',
  timestamp: 'TIMESTAMP(6)',
  timestamptz: 'TIMESTAMP(6)',
  json: 'VARCHAR',
};
const as = (of: Sql, type: string): Sql => sql`CAST(${of} AS ${raw(type)})`;
const caseUnsupported = never(unsupported('Trino changes the case of letters by tables of its own'));
const added = (unit: string, quantity: Sql, of: Sql): Sql => sql`date_add('${raw(unit)}', ${quantity}, ${of})`;
const unitNames: Readonly<Record<number, string>> = { ...periodNames, 9: 'millisecond' };

/** Returns the wall clock of a zone at a time in UTC. */
const local = (of: Sql, zone: Sql): Sql => as(sql`at_timezone(with_timezone(${of}, 'UTC'), ${zone})`, 'TIMESTAMP(6)');
/** Returns the offset of a zone from UTC in seconds, at a time in UTC. */
const offset = (of: Sql, zone: Sql): Sql => sql`date_diff('second', ${of}, ${local(of, zone)})`;

/** Writes a decimal with exactly its digits: a wider type may leave too few digits for what it is compared with. */
function decimal(value: Scalar): EmittedSql {
  const [, written = '', fraction = ''] = /^[+-]?(\d*)(?:\.(\d+))?$/u.exec(String(value)) ?? [];
  const digits = written.replace(/^0+/u, '').length + fraction.length;
  if (digits > 38 || fraction.length > 10) return unsupported('Trino has decimals of 38 digits at most');
  return boundAs(value, digits === 0 ? types.decimal : `DECIMAL(${digits}, ${fraction.length})`);
}

/** True for patterns that Trino 476 compares wrongly, such as `%🦆_`. */
const isMisread = (pattern: string): boolean =>
  pattern.includes('%') && pattern.includes('_') && /[\u{10000}-\u{10ffff}]/u.test(pattern);

/**
 * For Trino 400 or later, in a session whose time zone is UTC. `trinoStatement` binds the values. NaN reads as infinity:
 * both are the greatest number, and null in an answer. Sums beyond 38 digits and integers beyond 64 bits are errors.
 */
export const trino: Dialect = {
  name: 'trino',
  quote: quoteWith('"'),
  placeholder: () => '?',
  literal(value, type) {
    if (type === 'integer' && value !== null && !fitsIn64Bits(value)) return boundAs(String(value), names.whole);
    return type === 'decimal' && value !== null ? decimal(value) : boundAs(value, types[type]);
  },
  column(of, type) {
    if (type === 'integer' || type === 'decimal' || type === 'boolean' || type === 'date') return of;
    if (type === 'json') return sql`json_format(CAST(${of} AS JSON))`;
    if (type === 'timestamptz') return as(sql`at_timezone(${of}, 'UTC')`, types.timestamp);
    if (type !== 'double') return as(of, types[type]);
    // Adding zero makes -0 equal to 0 in groups.
    const value = as(of, 'DOUBLE');
    return sql`if(is_nan(${value}), infinity(), ${value} + 0e0)`;
  },
  nativeText: null,
  moments: {
    column: (of) => as(of, 'TIMESTAMP(6) WITH TIME ZONE'),
    fromUtc: (time) => sql`with_timezone(${time}, 'UTC')`,
  },
  cast: (of, to) => plainCast(of, to, types),
  functions: {
    ...standardFunctions(names),
    like: (args, type) =>
      args[1]?.sql.params.some((pattern) => isMisread(String(pattern))) === true
        ? unsupported('Trino finds no text for a pattern of % and _ beside a character beyond U+FFFF')
        : standardFunctions(names).like(args, type),
    endsWith: two((of, end) => sql`(substr(${of}, - length(${end})) = ${end})`),
    trunc: named('truncate'),
    lower: caseUnsupported,
    upper: caseUnsupported,
    // Trino finds an empty text between all characters.
    replace: (args, type) => {
      const [of, from] = args;
      if (of === undefined || from === undefined) return unsupported('replace has three arguments');
      const replaced = standardFunctions(names).replace(args, type);
      return 'unsupported' in replaced ? replaced : sql`CASE WHEN ${from.sql} = '' THEN ${of.sql} ELSE ${replaced} END`;
    },
    weekday: named('day_of_week'),
    dayOfYear: named('day_of_year'),
    weekOfFourthDay: one((of) => sql`((day_of_year(${of}) + 6) / 7)`),
    seconds: one((of) => {
      const second = sql`date_trunc('second', ${as(of, types.timestamp)})`;
      return sql`date_diff('second', TIMESTAMP '1970-01-01 00:00:00', ${second})`;
    }),
    addMonths: two((of, months) => added('month', as(months, 'BIGINT'), of)),
    addSeconds: two((of, seconds) => added('second', as(seconds, 'BIGINT'), of)),
  },
  aggregates: {
    ...standardAggregates(names),
    sum: (args, type) =>
      named('sum')(
        args.map((arg) => (arg.type === 'integer' ? { ...arg, sql: as(arg.sql, names.whole) } : arg)),
        type,
      ),
    median: never(unsupported('Trino has no exact median of a group')),
    percentile: never(unsupported('Trino has no exact percentile of a group')),
  },
  truncate(of, level, weekstart) {
    if (of.type === 'date' && level >= 5) return of.sql;
    const unit = raw(unitNames[level] ?? '');
    if (level !== 4 || weekstart === 1) return sql`date_trunc('${unit}', ${of.sql})`;
    const days = weekstart - 1;
    const movedTime = added('day', raw(String(-days)), of.sql);
    return added('day', raw(String(days)), sql`date_trunc('${unit}', ${movedTime})`);
  },
  periods: null,
  quarters: null,
  groupsRawText: false,
  shift(of, level, quantity) {
    if (!Number.isSafeInteger(quantity) || Math.abs(quantity) > shiftMax) return unsupported('the period is too long');
    const months = quantity * (monthsOf[level] ?? 0);
    if (months !== 0) return added('month', raw(String(months)), of.sql);
    const milliseconds = quantity * (millisecondsOf[level] ?? 0);
    return of.type === 'date'
      ? added('day', raw(String(Math.trunc(milliseconds / 86_400_000))), of.sql)
      : added('millisecond', raw(String(milliseconds)), of.sql);
  },
  zone(of, to, zone) {
    if (zone === 'UTC') return of.sql;
    const [time, name] = [as(of.sql, 'TIMESTAMP(6)'), as(bound(zone), 'VARCHAR')];
    if (to === 'local') return local(time, name);
    // A wall clock that occurs twice means the second time. A skipped wall clock is moved forward by the gap.
    const before = offset(added('day', raw('-1'), time), name);
    const after = offset(added('day', raw('1'), time), name);
    const [earlier, later] = [before, after].map((seconds) => added('second', sql`- ${seconds}`, time));
    if (earlier === undefined || later === undefined) return unsupported('a zone has two offsets');
    return sql`CASE WHEN ${local(later, name)} = ${time} THEN ${later} ELSE ${earlier} END`;
  },
  path(of, separator, level) {
    if (separator === '') return of;
    const mark = as(bound(separator), 'VARCHAR');
    return sql`array_join(slice(split(${of}, ${mark}), 1, ${raw(String(level))}), ${mark})`;
  },
  bin(of, low, high, bins) {
    const [value, from, to] = [as(of.sql, 'DOUBLE'), as(low, 'DOUBLE'), as(high, 'DOUBLE')];
    const index = sql`floor((${value} - ${from}) / (${to} - ${from}) * ${raw(String(bins))})`;
    const isInside = sql`${value} <= ${to} AND ${to} - ${from} BETWEEN 1e-300 AND 1.7e308`;
    const bin = sql`CAST(least(${index}, ${raw(String(bins - 1))}) AS INTEGER)`;
    return sql`CASE WHEN ${isInside} THEN ${bin} WHEN ${value} = ${from} AND ${to} - ${from} = 0 THEN 0 END`;
  },
  listed(of, keys) {
    const list = sql`CAST(json_parse(${as(bound(JSON.stringify(keys)), 'VARCHAR')}) AS ARRAY(VARCHAR))`;
    const key = of.type === 'integer' ? as(raw('k'), names.whole) : raw('k');
    return sql`(${of.sql} IN (SELECT ${key} FROM UNNEST(${list}) AS listed(k)))`;
  },
  order: (of, direction) => sql`${of} ${raw(direction.toUpperCase())} NULLS LAST`,
  sortsBy: 'position',
  reservedNames: new Set(
    '$path $file_size $file_modified_time $partition $bucket $row_id $operation $data $properties'.split(' '),
  ),
  fence: 'case',
  lookedUpTest: null,
  onceForAllRows: null,
  limit: (by, offset) => `${offset === 0 ? '' : ` OFFSET ${offset}`}${by === null ? '' : ` LIMIT ${by}`}`,
  jsonRow: null,
  line: null,
};

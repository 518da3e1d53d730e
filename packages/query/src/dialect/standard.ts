import type { StorageType } from '../model.ts';
import { join, raw, sql, type Sql } from '../sql.ts';
import { unsupported, type Arg, type UnsupportedFeature, type EmittedSql } from './dialect.ts';
import type { AggregateName, FunctionName } from './functions.ts';
import { likeEscape, likePattern } from './like.ts';

export type Write = (args: readonly Arg[], type: StorageType) => EmittedSql;

const pieces = (args: readonly Arg[]): readonly Sql[] => args.map((arg) => arg.sql);
const at = (args: readonly Arg[], index: number): Arg => {
  const arg = args[index];
  if (arg === undefined) throw new Error(`argument ${index + 1} is missing`);
  return arg;
};

/** Writes the arguments with an operator between them, in parentheses: `(a AND b)`. */
const infix =
  (sign: string): Write =>
  (args) =>
    sql`(${join(pieces(args), ` ${sign} `)})`;

/** `name(a, b)`. */
export const named =
  (name: string): Write =>
  (args) =>
    sql`${raw(name)}(${join(pieces(args), ', ')})`;

/** Creates a function that writes a template with one argument. */
export const one =
  (write: (of: Sql, arg: Arg) => Sql): Write =>
  (args) =>
    write(at(args, 0).sql, at(args, 0));

/** Creates a function that writes a template with two arguments. */
export const two =
  (write: (first: Sql, second: Sql) => Sql): Write =>
  (args) =>
    write(at(args, 0).sql, at(args, 1).sql);

export const never =
  (why: UnsupportedFeature): Write =>
  () =>
    why;

/** Converts a bound pattern to escapes that every dialect understands. */
const asPattern = (pattern: Sql): Sql => ({
  texts: pattern.texts,
  params: pattern.params.map((value) => (typeof value === 'string' ? likePattern(value) : value)),
});

const connective =
  (sign: string, neutral: string): Write =>
  (args, type) =>
    args.length === 0 ? raw(neutral) : infix(sign)(args, type);

/** Type names that differ between dialects. `whole` is an integer type that can hold any sum of integers. */
export interface TypeNames {
  readonly double: string;
  readonly whole: string;
}

/** Returns an operand of arithmetic, cast to double or to the widest integer type if necessary. */
const operand =
  (names: TypeNames, type: StorageType) =>
  (arg: Arg): Arg => {
    if (type === 'double' && arg.type !== 'double') return { sql: sql`CAST(${arg.sql} AS ${raw(names.double)})`, type };
    if (type === 'integer') return { sql: sql`CAST(${arg.sql} AS ${raw(names.whole)})`, type };
    return arg;
  };
const arithmetic =
  (sign: string, names: TypeNames): Write =>
  (args, type) =>
    infix(sign)(args.map(operand(names, type)), type);

/** Division of real numbers; null if the divisor is zero. */
const division =
  (names: TypeNames): Write =>
  (args) => {
    const [dividend, divisor] = args.map(operand(names, 'double'));
    if (dividend === undefined || divisor === undefined) throw new Error('a division has two arguments');
    return sql`(${dividend.sql} / NULLIF(${divisor.sql}, 0))`;
  };

/** Remainder with the sign of the dividend; null if the divisor is zero. */
export const remainder =
  (names: TypeNames): Write =>
  (args, type) => {
    const [dividend, divisor] = args;
    if (dividend === undefined || divisor === undefined) throw new Error('a remainder has two arguments');
    return arithmetic('%', names)([dividend, { ...divisor, sql: sql`NULLIF(${divisor.sql}, 0)` }], type);
  };

/** The functions as most databases write them. A dialect can override single functions. */
export const standardFunctions = (names: TypeNames): Readonly<Record<FunctionName, Write>> => ({
  and: connective('AND', 'TRUE'),
  or: connective('OR', 'FALSE'),
  not: one((of) => sql`(NOT ${of})`),
  isNull: one((of) => sql`(${of} IS NULL)`),
  isNotNull: one((of) => sql`(${of} IS NOT NULL)`),
  '=': infix('='),
  '<>': infix('<>'),
  '<': infix('<'),
  '<=': infix('<='),
  '>': infix('>'),
  '>=': infix('>='),
  in: (args) => {
    const [of, ...values] = pieces(args);
    if (of === undefined || values.length === 0) return raw('FALSE');
    return sql`(${of} IN (${join(values, ', ')}))`;
  },
  like: two((of, pattern) => sql`(${of} LIKE ${asPattern(pattern)} ESCAPE '${raw(likeEscape)}')`),
  contains: two((of, part) => sql`(strpos(${of}, ${part}) > 0)`),
  startsWith: two((of, part) => sql`starts_with(${of}, ${part})`),
  endsWith: two((of, part) => sql`(right(${of}, length(${part})) = ${part})`),
  '+': arithmetic('+', names),
  '-': arithmetic('-', names),
  '*': arithmetic('*', names),
  '/': division(names),
  '%': remainder(names),
  coalesce: named('COALESCE'),
  nullIf: named('NULLIF'),
  negate: one((of) => sql`(- ${of})`),
  abs: named('abs'),
  sign: named('sign'),
  floor: named('floor'),
  ceil: named('ceil'),
  trunc: named('trunc'),
  power: named('power'),
  sqrt: named('sqrt'),
  exp: named('exp'),
  ln: named('ln'),
  log10: named('log10'),
  lower: named('lower'),
  upper: named('upper'),
  length: named('length'),
  concat: infix('||'),
  substring: (args) => {
    const [of, ...places] = args.map(({ sql: text }, index) => (index === 0 ? text : sql`CAST(${text} AS integer)`));
    return sql`substr(${join(of === undefined ? places : [of, ...places], ', ')})`;
  },
  replace: named('replace'),
  trim: one((of) => sql`trim(both ' ' from ${of})`),
  year: named('year'),
  quarter: named('quarter'),
  month: named('month'),
  week: named('week'),
  day: named('day'),
  weekday: named('isodow'),
  hour: named('hour'),
  minute: named('minute'),
  second: named('second'),
  dayOfYear: named('dayofyear'),
  weekOfFourthDay: one((of) => sql`((dayofyear(${of}) + 6) // 7)`),
  seconds: one((of) => sql`CAST(floor(epoch(${of})) AS bigint)`),
  addMonths: two((of, months) => sql`(${of} + to_months(CAST(${months} AS integer)))`),
  addSeconds: two((of, seconds) => sql`(${of} + to_seconds(CAST(${seconds} AS bigint)))`),
});

/**
 * The aggregates as most databases write them. Averages, medians and deviations are doubles. Sums of integers have a
 * type wide enough not to overflow.
 */
export const standardAggregates = (names: TypeNames): Readonly<Record<AggregateName, Write>> => {
  const overDouble =
    (name: string): Write =>
    (args, type) =>
      named(name)(args.map(operand(names, 'double')), type);
  return {
    rows: () => raw('count(*)'),
    count: named('count'),
    distinct: one((of) => sql`count(DISTINCT ${of})`),
    sum: named('sum'),
    average: overDouble('avg'),
    median: overDouble('median'),
    percentile: (args) => sql`quantile_cont(${operand(names, 'double')(at(args, 0)).sql}, ${at(args, 1).sql})`,
    min: named('min'),
    max: named('max'),
    deviation: overDouble('stddev_samp'),
    deviationOfParts: () => unsupported('rows of parts are in the engine alone'),
  };
};

/** Returns an identifier in quotes, with quotes inside it doubled; null for names that no database accepts. */
export const quoted = (identifier: string, quote: string): string | null =>
  identifier.includes('\0') || identifier === '' || !identifier.isWellFormed()
    ? null
    : quote + identifier.replaceAll(quote, quote + quote) + quote;

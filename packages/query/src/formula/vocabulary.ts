import { aggregate, call, cast, literal, test, type Expression } from '../expression.ts';
import { numbers } from './numbers.ts';
import { alike, number, only, operate, sortOfType, type FormulaClock, type FormulaSort } from './sorts.ts';
import { isUnit, times, type Unit } from './times.ts';

/**
 * What a parameter accepts: a value of a sort, or a certain constant. All parameters marked `same` must have the same
 * sort.
 */
export type Place = FormulaSort | 'any' | 'same' | 'whole' | 'constant text' | 'unit' | 'digits' | 'percent';

/** A function of formulas. */
export interface Entry {
  readonly takes: readonly Place[];
  /** Number of required parameters. By default all parameters are required. */
  readonly least?: number;
  /** True if the last parameter may repeat. */
  readonly repeats?: true;
  readonly aggregates?: true;
  readonly write: (args: readonly Expression[], clock: FormulaClock) => Expression;
  /** A sentence for the reference page. */
  readonly description: string;
}

const missingArgument = literal(null, 'double');
const constant = (of: Expression | undefined): string | number =>
  of?.kind === 'literal' && (typeof of.value === 'string' || typeof of.value === 'number') ? of.value : '';
const unit = (of: Expression | undefined): Unit => {
  const word = String(constant(of));
  return isUnit(word) ? word : 'day';
};

const unary =
  (write: (of: Expression, clock: FormulaClock) => Expression): Entry['write'] =>
  ([of = missingArgument], clock) =>
    write(of, clock);
const binary =
  (write: (first: Expression, second: Expression, clock: FormulaClock) => Expression): Entry['write'] =>
  ([left = missingArgument, right = missingArgument], clock) =>
    write(left, right, clock);

const ofNumber = (description: string, write: (of: Expression) => Expression): Entry => ({
  takes: ['number'],
  description,
  write: unary(write),
});
const ofTime = (part: Parameters<typeof times.part>[0], description: string): Entry => ({
  takes: ['time'],
  description,
  write: unary((of, clock) => times.part(part, of, clock)),
});
const ofText = (name: 'lower' | 'upper' | 'trim', description: string): Entry => ({
  takes: ['text'],
  description,
  write: unary((of) => call(name, [of], 'text')),
});
const ofTexts = (name: 'contains' | 'startsWith' | 'endsWith', description: string): Entry => ({
  takes: ['text', 'text'],
  description,
  write: binary((of, part) => test(name, of, part)),
});
const aggregateEntry = (
  name: 'sum' | 'average' | 'median' | 'deviation' | 'min' | 'max' | 'distinct',
  takes: Place,
  description: string,
): Entry => ({
  takes: [takes],
  aggregates: true,
  description,
  write: unary((of) => {
    const type = name === 'sum' || name === 'min' || name === 'max' ? of.type : 'double';
    return aggregate(name, [of], name === 'distinct' ? 'integer' : type);
  }),
});

const longestText = 1_000_000_000;
const substring: Entry['write'] = ([of = literal(null, 'text'), start = missingArgument, length], _clock) => {
  const withinBounds = (place: Expression, minimum: number): readonly Expression[] => [
    test('>=', place, number(minimum)),
    test('<=', place, number(longestText)),
  ];
  const places = [start, ...(length === undefined ? [] : [length])].map((place) => numbers.plain('trunc', place));
  const within = places.flatMap((place, index) => withinBounds(place, index === 0 ? 1 : 0));
  return only(test('and', ...within), call('substring', [of, ...places], 'text'));
};

const choose: Entry['write'] = (args, clock) => {
  const values = alike(
    args.filter((_, index) => index % 2 === 1 || index === args.length - 1),
    clock,
  );
  const when = values.slice(0, -1).map((result, index) => ({ test: args[index * 2] ?? missingArgument, result }));
  return { kind: 'case', when, otherwise: values.at(-1) ?? null, type: values[0]?.type ?? 'double' };
};

/** All functions by lower-case name. */
export const vocabulary = {
  abs: ofNumber('the number without its sign', (of) => numbers.plain('abs', of)),
  floor: ofNumber('the whole number at or below', (of) => numbers.plain('floor', of)),
  ceil: ofNumber('the whole number at or above', (of) => numbers.plain('ceil', of)),
  sign: ofNumber('-1, 0 or 1', (of) => numbers.plain('sign', of)),
  sqrt: ofNumber('the square root; null below zero', numbers.sqrt),
  ln: ofNumber('the natural logarithm; null at zero and below', numbers.ln),
  log: ofNumber('the logarithm to the base of ten; null at zero and below', numbers.log),
  exp: ofNumber('e to that power; null where it is too large', numbers.exp),
  power: {
    takes: ['number', 'number'],
    description: 'the first to the power of the second; null where that is no real number or too large',
    write: binary(numbers.power),
  },
  round: {
    takes: ['number', 'digits'],
    least: 1,
    description: 'rounded half away from zero to so many digits (-15 to 15, at first 0)',
    write: binary((of, digits) => numbers.round(of, Number(constant(digits)) || 0)),
  },
  lower: ofText('lower', 'in lower case'),
  upper: ofText('upper', 'in upper case'),
  trim: ofText('trim', 'without spaces at both ends'),
  length: {
    takes: ['text'],
    description: 'how many characters (code points) it has',
    write: unary((of) => call('length', [of], 'integer')),
  },
  concat: {
    takes: ['text'],
    repeats: true,
    description: 'the texts one after the other; null counts as empty',
    write: (args) =>
      call(
        'concat',
        args.map((arg) => call('coalesce', [arg, literal('', 'text')], 'text')),
        'text',
      ),
  },
  substring: {
    takes: ['text', 'number', 'number'],
    least: 2,
    description: 'from a character on (the first is 1), so many of them; null where that is outside',
    write: substring,
  },
  replace: {
    takes: ['text', 'text', 'text'],
    description: 'with every occurrence of the second replaced by the third',
    write: (args) => call('replace', args, 'text'),
  },
  text: { takes: ['whole'], description: 'a whole number or a date as text', write: unary((of) => cast(of, 'text')) },
  contains: ofTexts('contains', 'whether the second is somewhere in the first'),
  startswith: ofTexts('startsWith', 'whether the first begins with the second'),
  endswith: ofTexts('endsWith', 'whether the first ends with the second'),
  like: {
    takes: ['text', 'constant text'],
    description:
      'whether it fits a pattern: % any text, _ one character, a backslash before either takes its meaning away',
    write: binary((of, pattern) => test('like', of, pattern)),
  },
  year: ofTime('year', 'the year'),
  quarter: ofTime('quarter', 'the quarter, 1 to 4'),
  month: ofTime('month', 'the month, 1 to 12'),
  week: ofTime('week', 'the week of ISO 8601'),
  day: ofTime('day', 'the day of the month'),
  weekday: ofTime('weekday', 'the day of the week, 1 Monday to 7 Sunday'),
  hour: ofTime('hour', 'the hour, 0 to 23'),
  minute: ofTime('minute', 'the minute'),
  second: ofTime('second', 'the whole second'),
  now: { takes: [], description: 'the time of the query', write: (_args, clock) => times.now(clock) },
  today: { takes: [], description: 'the date of the query', write: (_args, clock) => times.today(clock) },
  datetrunc: {
    takes: ['unit', 'time'],
    description: 'the start of its year, quarter, month, week, day, hour, minute or second',
    write: binary((word, of, clock) => times.truncate(unit(word), of, clock)),
  },
  dateadd: {
    takes: ['unit', 'number', 'time'],
    description: 'moved by so many units; a month keeps the day where it has it, else its last day',
    write: ([word, quantity = missingArgument, of = missingArgument], clock) =>
      times.add(unit(word), quantity, of, clock),
  },
  datediff: {
    takes: ['unit', 'time', 'time'],
    description: 'how many borders of the unit lie between the first and the second',
    write: ([word, from = missingArgument, to = missingArgument], clock) =>
      times.difference(unit(word), from, to, clock),
  },
  if: {
    takes: ['boolean', 'same', 'same'],
    least: 2,
    description: 'the second where the first is true, else the third (null when not given)',
    write: ([when = missingArgument, then = missingArgument, otherwise = missingArgument], clock) =>
      choose([when, then, otherwise], clock),
  },
  coalesce: {
    takes: ['same'],
    repeats: true,
    description: 'the first that is not null',
    write: (args, clock) => {
      const values = alike(args, clock);
      return call('coalesce', values, values[0]?.type ?? 'double');
    },
  },
  nullif: {
    takes: ['same', 'same'],
    description: 'the first, or null where both are equal',
    write: (args, clock) => {
      const values = alike(args, clock);
      return call('nullIf', values, values[0]?.type ?? 'double');
    },
  },
  sum: aggregateEntry('sum', 'number', 'the sum'),
  avg: aggregateEntry('average', 'number', 'the average'),
  average: aggregateEntry('average', 'number', 'the same as avg'),
  median: aggregateEntry('median', 'number', 'the median; of an even number of values the middle of the two'),
  percentile: {
    takes: ['number', 'percent'],
    aggregates: true,
    description: 'the value below which that many percent of the values lie; between two values in proportion',
    write: binary((of, percent) =>
      aggregate('percentile', [of, literal(Number(constant(percent)) / 100, 'double')], 'double'),
    ),
  },
  stddev: aggregateEntry('deviation', 'number', 'the standard deviation of a sample; null for a single value'),
  min: aggregateEntry('min', 'any', 'the smallest; texts by code point'),
  max: aggregateEntry('max', 'any', 'the largest; texts by code point'),
  distinctcount: aggregateEntry('distinct', 'any', 'how many different values there are'),
  count: {
    takes: ['any'],
    least: 0,
    aggregates: true,
    description: 'how many values there are; count(*) counts rows',
    write: ([of]) => (of === undefined ? aggregate('rows', [], 'integer') : aggregate('count', [of], 'integer')),
  },
} as const satisfies Readonly<Record<string, Entry>>;

const comparisonEntry = (name: '=' | '<>' | '<' | '<=' | '>' | '>='): Entry => ({
  takes: ['same', 'same'],
  description: '',
  write: (args, clock) => test(name, ...alike(args, clock)),
});
const connected = (name: 'and' | 'or'): Entry => ({
  takes: ['boolean', 'boolean'],
  description: '',
  write: (args) => test(name, ...args),
});
const arithmeticEntry = (name: '+' | '-' | '*' | '/'): Entry => ({
  takes: ['number', 'number'],
  description: '',
  write: binary((left, right) => operate(name, left, right)),
});

/** The operators. */
export const signs: Readonly<Record<string, Entry>> = {
  '+': arithmeticEntry('+'),
  '-': arithmeticEntry('-'),
  '*': arithmeticEntry('*'),
  '/': arithmeticEntry('/'),
  '%': { takes: ['number', 'number'], description: '', write: binary(numbers.remainder) },
  negate: { takes: ['number'], description: '', write: unary((of) => numbers.plain('negate', of)) },
  '=': comparisonEntry('='),
  '!=': comparisonEntry('<>'),
  '<': comparisonEntry('<'),
  '<=': comparisonEntry('<='),
  '>': comparisonEntry('>'),
  '>=': comparisonEntry('>='),
  and: connected('and'),
  or: connected('or'),
  not: { takes: ['boolean'], description: '', write: unary((of) => test('not', of)) },
  'is null': { takes: ['any'], description: '', write: unary((of) => test('isNull', of)) },
  in: { takes: ['same'], repeats: true, description: '', write: (args, clock) => test('in', ...alike(args, clock)) },
  case: { takes: ['same'], repeats: true, description: '', write: choose },
};

const isPercent = (value: number): boolean => value >= 0 && value <= 100;

/** True if a parameter accepts the type of a value. The caller accepts null for every parameter. */
export const fits = (place: Place, of: Expression): boolean => {
  switch (place) {
    case 'any':
    case 'same':
      return true;
    case 'whole':
      return of.type === 'integer' || of.type === 'date';
    case 'constant text':
      return of.kind === 'literal' && of.type === 'text';
    case 'unit':
      return of.kind === 'literal' && isUnit(String(of.value));
    case 'digits':
      return of.kind === 'literal' && of.type === 'integer' && Math.abs(Number(of.value)) <= 15;
    case 'percent':
      return of.kind === 'literal' && sortOfType(of.type) === 'number' && isPercent(Number(of.value));
    default:
      return sortOfType(of.type) === place;
  }
};

/** What a parameter is called in signatures. */
export const placeNames: Readonly<Record<Place, string>> = {
  number: 'number',
  text: 'text',
  time: 'time',
  boolean: 'condition',
  any: 'value',
  same: 'value',
  whole: 'whole number or date',
  'constant text': 'quoted text',
  unit: 'unit',
  digits: 'digits',
  percent: 'percent',
};

/** What a parameter takes, in a sentence. */
export const placeInWords: Readonly<Record<Place, string>> = {
  number: 'a number',
  text: 'a text',
  time: 'a date or time',
  boolean: 'a condition',
  any: 'a value',
  same: 'a value',
  whole: 'a whole number or a date',
  'constant text': 'a text in quotes',
  unit: "a unit in quotes ('year', 'quarter', 'month', 'week', 'day', 'hour', 'minute' or 'second')",
  digits: 'a whole number from -15 to 15',
  percent: 'a number from 0 to 100',
};

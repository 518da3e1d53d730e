import { relativeSpan, toDateUnits, type Clock, type Span } from '@inlay/contract';
import { call, cast, literal, test, type Expression, type Level } from '../../expression.ts';
import { QueryProblem } from '../../problem.ts';
import type { Operand, Scalar } from '../../query.ts';
import { dateLiteral, levelOfUnit, spanOf, timeLiteral } from '../time/time.ts';
import type { Sort } from './values.ts';
import { zoneNamed } from '../time/zone.ts';

/** The left side of a test. `level` is the level at which times are compared. */
export interface TestedValue {
  readonly value: Expression;
  readonly sort: Sort;
  readonly level: Level | null;
  /** Returns the largest value of the column, for `last_available`; null in `having`. */
  readonly latest: (() => Expression) | null;
}

const coarse = (level: Level): Level => (level > 5 ? 5 : level);
const always = (): Expression => test('and');
const never = (): Expression => test('or');
/** Combines tests by AND. An empty list is true. */
export const and = (parts: readonly Expression[]): Expression =>
  parts.length === 1 ? (parts[0] ?? always()) : test('and', ...parts);
/** Combines tests by OR. An empty list is false. */
export const or = (parts: readonly Expression[]): Expression =>
  parts.length === 1 ? (parts[0] ?? never()) : test('or', ...parts);

const textTests = { like: 'like', 'starts with': 'startsWith', 'ends with': 'endsWith' } as const;
const number = /^-?\d{1,30}(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?$/u;
const wholeNumber = /^-?\d{1,18}$/u;

const isOneOf = <Word extends string>(words: Readonly<Record<Word, unknown>>, word: string): word is Word =>
  Object.hasOwn(words, word);

/** Returns a bound literal that is comparable with the tested value. Raises QueryProblem `value_invalid`. */
function comparable(testedValue: TestedValue, value: Scalar, at: string): Expression {
  const {
    sort,
    value: { type },
  } = testedValue;
  if (sort === 'boolean') {
    if (typeof value === 'boolean') return literal(value, 'boolean');
    if (value === 'true' || value === 'false') return literal(value === 'true', 'boolean');
    throw new QueryProblem('value_invalid', at, 'must be true or false');
  }
  if (sort === 'text') return literal(String(value), 'text');
  const numberText = typeof value === 'number' ? String(value) : value;
  if (typeof numberText !== 'string' || !number.test(numberText))
    throw new QueryProblem('value_invalid', at, 'must be a number');
  if (wholeNumber.test(numberText)) return literal(numberText, 'integer');
  return literal(numberText, type === 'double' || /[eE]/u.test(numberText) ? 'double' : 'decimal');
}

const withinSpan = (testedValue: TestedValue, { from, until }: Span, clock: Clock): Expression => {
  const { value, sort } = testedValue;
  const at = (unixMs: number): Expression => (sort === 'date' ? dateLiteral(unixMs, clock.zone) : timeLiteral(unixMs));
  // A date is within a span if the span contains any part of that day.
  const isBefore = (unixMs: number): Expression =>
    sort === 'date' ? test('<=', value, at(unixMs - 1)) : test('<', value, at(unixMs));
  return and([...(from === null ? [] : [test('>=', value, at(from))]), ...(until === null ? [] : [isBefore(until)])]);
};

/**
 * Returns the clock for a test. Dates are compared with UTC days in every zone, because answers give dates as midnight
 * UTC.
 */
const calendarOf = ({ sort }: TestedValue, clock: Clock): Clock =>
  sort === 'date' ? { ...clock, zone: zoneNamed('UTC', '') } : clock;

function compareTimes(
  sign: string,
  testedValue: TestedValue,
  values: readonly Scalar[],
  queryClock: Clock,
  at: string,
): Expression {
  const clock = calendarOf(testedValue, queryClock);
  const level = testedValue.sort === 'date' ? coarse(testedValue.level ?? 5) : testedValue.level;
  const spans = values.map((value) => spanOf(value, level, clock, at));
  const [firstSpan, secondSpan] = spans;
  if (sign === 'in') return or(spans.map((span) => withinSpan(testedValue, span, clock)));
  if (firstSpan === undefined) return never();
  const between = { from: firstSpan.from, until: secondSpan?.until ?? null };
  const spanBySign: Readonly<Record<string, Span>> = {
    '=': firstSpan,
    '<': { from: null, until: firstSpan.from },
    '<=': { from: null, until: firstSpan.until },
    '>': { from: firstSpan.until, until: null },
    '>=': { from: firstSpan.from, until: null },
    between,
  };
  return withinSpan(testedValue, spanBySign[sign] ?? firstSpan, clock);
}

function compare(
  sign: string,
  testedValue: TestedValue,
  values: readonly Scalar[],
  clock: Clock,
  at: string,
): Expression {
  if (testedValue.sort === 'time' || testedValue.sort === 'date')
    return compareTimes(sign, testedValue, values, clock, at);
  const operands = values.map((value) => comparable(testedValue, value, at));
  const [firstOperand, secondOperand] = operands;
  if (sign === 'in') return operands.length === 0 ? never() : test('in', testedValue.value, ...operands);
  if (firstOperand === undefined) return never();
  if (sign === 'between')
    return and([
      test('>=', testedValue.value, firstOperand),
      ...(secondOperand === undefined ? [] : [test('<=', testedValue.value, secondOperand)]),
    ]);
  const signs = { '=': '=', '<': '<', '<=': '<=', '>': '>', '>=': '>=' } as const;
  return test(isOneOf(signs, sign) ? signs[sign] : '=', testedValue.value, firstOperand);
}

/** Matches times in the last `quantity` units, counted back from the unit that contains the newest value. */
function sinceLatest(testedValue: TestedValue, unit: string, quantity: number, clock: Clock, at: string): Expression {
  const { sort, value } = testedValue;
  const latestValue = testedValue.latest?.();
  if (latestValue === undefined)
    throw new QueryProblem('expression_invalid', at, 'last_available tests the rows, not groups');
  const { zone, weekstart } = clock;
  const level = levelOfUnit(unit);
  const type = latestValue.type;
  const localLatest: Expression =
    sort === 'date' || zone.isUtc ? latestValue : { kind: 'zone', of: latestValue, to: 'local', zone: zone.name, type };
  const start: Expression = {
    kind: 'truncate',
    of: localLatest,
    level: sort === 'date' && level > 5 ? 5 : level,
    weekstart,
    type,
  };
  const movedStart: Expression =
    quantity <= 1 ? start : { kind: 'shift', of: start, level, quantity: 1 - quantity, type };
  const from: Expression =
    sort === 'date' || zone.isUtc ? movedStart : { kind: 'zone', of: movedStart, to: 'utc', zone: zone.name, type };
  return test('>=', value, from);
}

function relative(
  expression: string,
  testedValue: TestedValue,
  operand: Operand,
  clock: Clock,
  at: string,
): Expression {
  if (testedValue.sort !== 'time' && testedValue.sort !== 'date')
    throw new QueryProblem('expression_invalid', at, `${expression} can only be used on times`);
  if (isOneOf(toDateUnits, expression))
    return withinSpan(testedValue, relativeSpan('to_date', levelOfUnit(toDateUnits[expression]), 1, clock), clock);
  if (operand.kind !== 'period') throw new QueryProblem('value_invalid', at, 'must be {unit, quantity}');
  const { unit, quantity } = operand;
  if (expression === 'last_available') return sinceLatest(testedValue, unit, quantity, clock, at);
  return withinSpan(testedValue, relativeSpan(expression, levelOfUnit(unit), quantity, clock), clock);
}

function textTest(word: keyof typeof textTests, testedValue: TestedValue, value: Scalar, at: string): Expression {
  const { type } = testedValue.value;
  if (testedValue.sort !== 'text' && type !== 'integer')
    throw new QueryProblem('expression_invalid', at, `"? ${word} ?" can only be used on texts`);
  if (value === null) throw new QueryProblem('value_invalid', at, 'must be a text');
  const pattern = String(value);
  const name = word === 'like' && !pattern.includes('%') ? 'contains' : textTests[word];
  return call(name, [cast(testedValue.value, 'text'), literal(pattern, 'text')], 'boolean');
}

/**
 * Compiles a filter expression, which is given without its question marks. The test means the same in all dialects.
 * Texts are compared by code point, including case and accents. A negated test (`!=`, `not in`, `not like` …) matches
 * nulls, unless its list contains null. `in` matches nulls if its list contains null. All other tests exclude nulls.
 * `like` is SQL's LIKE if its value has `%`; otherwise it means "contains".
 */
export function compileTest(
  expression: string,
  testedValue: TestedValue,
  operand: Operand,
  clock: Clock,
  at: string,
): Expression {
  const { value } = testedValue;
  const place = `${at}.parameters[1]`;
  const isNull = test('isNull', value);
  if (expression === 'is null') return isNull;
  if (expression === 'is not null') return test('isNotNull', value);
  const negated = expression === '!=' || expression.startsWith('not ');
  const word = expression === '!=' ? '=' : negated ? expression.slice(4) : expression;
  const values = operand.kind === 'list' ? operand.values : operand.kind === 'value' ? [operand.value] : [];
  const nonNullValues = values.filter((entry) => entry !== null);
  const namesNull = nonNullValues.length < values.length;
  if (namesNull && word !== '=' && word !== 'in') throw new QueryProblem('value_invalid', place, 'must not be null');
  if (namesNull && nonNullValues.length === 0) return negated ? test('isNotNull', value) : isNull;
  const positive = isOneOf(textTests, word)
    ? textTest(word, testedValue, nonNullValues[0] ?? null, place)
    : operand.kind === 'value' || operand.kind === 'list'
      ? compare(word, testedValue, nonNullValues, clock, place)
      : relative(word, testedValue, operand, clock, place);
  if (!negated) return namesNull ? or([positive, isNull]) : positive;
  return namesNull ? and([test('not', positive), test('isNotNull', value)]) : or([test('not', positive), isNull]);
}

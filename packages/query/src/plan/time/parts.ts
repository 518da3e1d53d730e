import { call, cast, literal, type Expression } from '../../expression.ts';
import type { FunctionName } from '../../dialect/functions.ts';
import type { TimePart } from '../../query.ts';

/**
 * How to compute the grouping key of a part of a wall clock, and the answer from the key. Both are whole numbers in the
 * order of time.
 */
interface PartRule {
  readonly key: (wall: Expression, weekstart: number) => Expression;
  readonly answer: (key: Expression, weekstart: number) => Expression;
}

const integerCall = (name: FunctionName, ...args: readonly Expression[]): Expression => call(name, args, 'integer');
const number = (value: number): Expression => literal(value, 'integer');
const days = (of: Expression, quantity: number): Expression => ({
  kind: 'shift',
  of,
  level: 5,
  quantity,
  type: of.type,
});

const partRule = (name: FunctionName): PartRule => ({ key: (wall) => integerCall(name, wall), answer: (key) => key });
/** Casts a date to its midnight, since dates have no hours. */
const ofClock = (name: FunctionName): PartRule => ({
  ...partRule(name),
  key: (wall) => integerCall(name, cast(wall, 'timestamp')),
});

/**
 * The key is the position in the week, so that the first day of the week comes first. The answer is 1 Monday … 7
 * Sunday.
 */
const weekday: PartRule = {
  key: (wall, weekstart) => integerCall('weekday', weekstart === 1 ? wall : days(wall, 1 - weekstart)),
  answer: (key, weekstart) =>
    weekstart === 1
      ? key
      : integerCall('+', integerCall('%', integerCall('+', key, number(weekstart - 2)), number(7)), number(1)),
};

/** Week 1 is the first week with four days in the year, as in ISO 8601. Weeks may begin on any day. */
const week: PartRule = {
  key: (wall, weekstart) => {
    if (weekstart === 1) return integerCall('week', wall);
    const start: Expression = { kind: 'truncate', of: wall, level: 4, weekstart, type: wall.type };
    return integerCall('weekOfFourthDay', days(start, 3));
  },
  answer: (key) => key,
};

/** Every part of a time. specification/data-queries#parts-of-a-time */
export const partRules: Readonly<Record<TimePart, PartRule>> = {
  weekday,
  month: partRule('month'),
  quarter: partRule('quarter'),
  week,
  day: partRule('day'),
  dayOfYear: partRule('dayOfYear'),
  hour: ofClock('hour'),
  minute: ofClock('minute'),
};

/** Functions that are constant within a quarter of an hour. */
const coarse: ReadonlySet<FunctionName> = new Set<FunctionName>([
  'weekday',
  'month',
  'quarter',
  'week',
  'weekOfFourthDay',
  'day',
  'dayOfYear',
  'hour',
]);

/**
 * Returns the wall clock that the key of a part is computed from; null if the part may change within a quarter of an
 * hour.
 */
export function wallOfPart(key: Expression): Expression | null {
  if (key.kind !== 'call' || !coarse.has(key.name)) return null;
  const [firstArgument] = key.args;
  const withoutShift = (of: Expression): Expression =>
    (of.kind === 'shift' && of.level === 5) || (of.kind === 'truncate' && of.level === 4) ? withoutShift(of.of) : of;
  return firstArgument === undefined ? null : withoutShift(firstArgument);
}

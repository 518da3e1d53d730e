import { call, cast, literal, test, type Expression, type Level } from '../expression.ts';
import { double, instant, number, only, operate, wallClock, type FormulaClock } from './sorts.ts';

/** Level of each unit of time. */
const units = {
  year: 1,
  quarter: 2,
  month: 3,
  week: 4,
  day: 5,
  hour: 6,
  minute: 7,
  second: 8,
} as const satisfies Readonly<Record<string, Level>>;
export type Unit = keyof typeof units;
export const unitNames: readonly string[] = Object.keys(units);
export const isUnit = (word: string): word is Unit => Object.hasOwn(units, word);

const secondsOf = { week: 604_800, day: 86_400, hour: 3600, minute: 60, second: 1 } as const;
const monthsOf = { year: 12, quarter: 3, month: 1 } as const;
const isLong = (unit: Unit): unit is keyof typeof monthsOf => Object.hasOwn(monthsOf, unit);

/** Maximum shift of a time, about 8,000 years. Beyond it, databases overflow in different ways. */
const furthest = { months: 96_000, seconds: 252_000_000_000 } as const;

type Part = 'year' | 'quarter' | 'month' | 'week' | 'day' | 'weekday' | 'hour' | 'minute' | 'second';

const part = (name: Part, of: Expression, clock: FormulaClock): Expression => {
  const wall = wallClock(of, clock);
  const hasHours = name === 'hour' || name === 'minute' || name === 'second';
  return call(name, [hasHours ? cast(wall, 'timestamp') : wall], 'integer');
};

const truncate = (unit: Unit, of: Expression, clock: FormulaClock): Expression => {
  const level = units[unit];
  if (of.type === 'date' && level >= 5) return of;
  const wall = wallClock(of, clock);
  const start: Expression = { kind: 'truncate', of: wall, level, weekstart: clock.weekstart, type: wall.type };
  return wall.type === 'date' ? start : instant(start, clock);
};

const add = (unit: Unit, quantity: Expression, of: Expression, clock: FormulaClock): Expression => {
  const onWall = units[unit] <= 5;
  const from = cast(onWall ? wallClock(of, clock) : of.type === 'date' ? instant(of, clock) : of, 'timestamp');
  const wholeQuantity = call('trunc', [double(quantity)], 'double');
  const count = operate('*', wholeQuantity, number(isLong(unit) ? monthsOf[unit] : secondsOf[unit]));
  const limit = number(isLong(unit) ? furthest.months : furthest.seconds);
  const movedTime = call(isLong(unit) ? 'addMonths' : 'addSeconds', [from, count], 'timestamp');
  const boundedResult = only(test('<=', call('abs', [count], 'double'), limit), movedTime);
  if (!onWall) return boundedResult;
  return of.type === 'date' ? cast(boundedResult, 'date') : instant(boundedResult, clock);
};

/** Numbers the periods of a unit consecutively, and returns the number of the period that contains a time. */
const ordinal = (unit: Unit, of: Expression, clock: FormulaClock): Expression => {
  if (unit === 'year') return double(part('year', of, clock));
  if (unit === 'quarter' || unit === 'month') {
    const years = operate('*', part('year', of, clock), number(unit === 'month' ? 12 : 4));
    return operate('+', years, part(unit, of, clock));
  }
  const at = units[unit] <= 5 ? wallClock(of, clock) : of.type === 'date' ? instant(of, clock) : of;
  const seconds = call('seconds', [at], 'integer');
  // 1 January 1970 was a Thursday. Shifts the seconds, so that weeks begin on the first day of the week.
  const movedSeconds = unit === 'week' ? operate('+', seconds, number((4 - clock.weekstart) * 86_400)) : seconds;
  return call('floor', [operate('/', movedSeconds, number(secondsOf[unit]))], 'double');
};

/** Functions of times, built from functions of the dialect. Parts and periods are in the zone of the query. */
export const times = {
  part,
  truncate,
  add,
  /** The number of unit boundaries between two times. */
  difference: (unit: Unit, from: Expression, to: Expression, clock: FormulaClock): Expression =>
    operate('-', ordinal(unit, to, clock), ordinal(unit, from, clock)),
  now: (clock: FormulaClock): Expression =>
    literal(new Date(clock.nowMs).toISOString().replace('T', ' ').replace('Z', ''), 'timestamp'),
  today: (clock: FormulaClock): Expression => cast(wallClock(times.now(clock), clock), 'date'),
} as const;

import { call, cast, literal, type Expression } from '../expression.ts';
import type { StorageType } from '../model.ts';

/** What formulas know of a value: which functions take it. */
export type FormulaSort = 'number' | 'text' | 'time' | 'boolean';

const sorts: Readonly<Record<StorageType, FormulaSort>> = {
  text: 'text',
  json: 'text',
  integer: 'number',
  decimal: 'number',
  double: 'number',
  boolean: 'boolean',
  date: 'time',
  timestamp: 'time',
  timestamptz: 'time',
};
export const sortOfType = (type: StorageType): FormulaSort => sorts[type];

/** When formulas are worked out: now, in which zone, and with which first day of the week (1 Monday … 7 Sunday). */
export interface FormulaClock {
  readonly nowMs: number;
  /** IANA name. */
  readonly timeZone: string;
  readonly weekstart: number;
}

export const isNull = (of: Expression): boolean => of.kind === 'literal' && of.value === null;

/** Formulas count in doubles, so that a result is the same in every database. */
export const double = (of: Expression): Expression =>
  isNull(of)
    ? literal(null, 'double')
    : of.kind === 'literal' && typeof of.value === 'number'
      ? literal(of.value, 'double')
      : cast(of, 'double');

export const operate = (name: '+' | '-' | '*' | '/', left: Expression, right: Expression): Expression =>
  call(name, [double(left), double(right)], 'double');

export const number = (value: number): Expression => literal(value, 'double');

/** A value where a test is true, null elsewhere. */
export const only = (test: Expression, then: Expression): Expression => ({
  kind: 'case',
  when: [{ test, result: then }],
  otherwise: null,
  type: then.type,
});

const zoned = (of: Expression, to: 'local' | 'utc', clock: FormulaClock): Expression =>
  clock.timeZone === 'UTC' ? of : { kind: 'zone', of, to, zone: clock.timeZone, type: 'timestamp' };

/** The wall clock of a time in the zone of the query; a date is its own. */
export const wallClock = (of: Expression, clock: FormulaClock): Expression =>
  of.type === 'date' ? of : zoned(cast(of, 'timestamp'), 'local', clock);

/** A wall clock as a time in UTC again. */
export const instant = (wall: Expression, clock: FormulaClock): Expression =>
  zoned(cast(wall, 'timestamp'), 'utc', clock);

/** Values of one sort as one type, so that they can be compared or stand for each other. */
export const alike = (values: readonly Expression[], clock: FormulaClock): readonly Expression[] => {
  const types = new Set(values.filter((value) => !isNull(value)).map(({ type }) => type));
  const [first = 'text'] = types;
  const type =
    types.size <= 1 ? first : sorts[first] === 'number' ? 'double' : sorts[first] === 'time' ? 'timestamp' : 'text';
  return values.map((value) => {
    if (isNull(value)) return literal(null, type);
    if (type === 'double') return double(value);
    return type === 'timestamp' && value.type === 'date' ? instant(value, clock) : value;
  });
};

import { call, cast, literal, type Expression } from '../expression.ts';
import type { StorageType } from '../model.ts';

/** The kind of a value in formulas. It decides which functions accept the value. */
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

/** The clock of formulas: current time, zone, and first day of the week (1 Monday … 7 Sunday). */
export interface FormulaClock {
  readonly nowMs: number;
  /** IANA name. */
  readonly timeZone: string;
  readonly weekstart: number;
}

export const isNull = (of: Expression): boolean => of.kind === 'literal' && of.value === null;

/** Casts a number to double. Formulas compute in doubles, so that all databases return the same result. */
export const double = (of: Expression): Expression =>
  isNull(of)
    ? literal(null, 'double')
    : of.kind === 'literal' && typeof of.value === 'number'
      ? literal(of.value, 'double')
      : cast(of, 'double');

export const operate = (name: '+' | '-' | '*' | '/', left: Expression, right: Expression): Expression =>
  call(name, [double(left), double(right)], 'double');

export const number = (value: number): Expression => literal(value, 'double');

/** Returns `result` if a test is true, otherwise null. */
export const only = (test: Expression, result: Expression): Expression => ({
  kind: 'case',
  when: [{ test, result: result }],
  otherwise: null,
  type: result.type,
});

const zoned = (of: Expression, to: 'local' | 'utc', clock: FormulaClock): Expression =>
  clock.timeZone === 'UTC' ? of : { kind: 'zone', of, to, zone: clock.timeZone, type: 'timestamp' };

/** Returns the wall clock of a time in the zone of the query; dates are unchanged. */
export const wallClock = (of: Expression, clock: FormulaClock): Expression =>
  of.type === 'date' ? of : zoned(cast(of, 'timestamp'), 'local', clock);

/** Returns the UTC time of a wall clock in the zone of the query. */
export const instant = (wall: Expression, clock: FormulaClock): Expression =>
  zoned(cast(wall, 'timestamp'), 'utc', clock);

/** Casts values of one sort to one type, so that they can be compared and combined. */
export const alike = (values: readonly Expression[], clock: FormulaClock): readonly Expression[] => {
  const types = new Set(values.filter((value) => !isNull(value)).map(({ type }) => type));
  const [firstType = 'text'] = types;
  const type =
    types.size <= 1
      ? firstType
      : sorts[firstType] === 'number'
        ? 'double'
        : sorts[firstType] === 'time'
          ? 'timestamp'
          : 'text';
  return values.map((value) => {
    if (isNull(value)) return literal(null, type);
    if (type === 'double') return double(value);
    return type === 'timestamp' && value.type === 'date' ? instant(value, clock) : value;
  });
};

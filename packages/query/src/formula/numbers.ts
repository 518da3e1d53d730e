import { call, literal, test, type Expression } from '../expression.ts';
import { double, number, only, operate } from './sorts.ts';

const unary = (name: 'abs' | 'floor' | 'ceil' | 'sign' | 'trunc' | 'negate', of: Expression): Expression =>
  call(name, [double(of)], 'double');
const unaryOfDouble = (name: 'sqrt' | 'ln' | 'log10' | 'exp', of: Expression): Expression =>
  call(name, [double(of)], 'double');
const zero = number(0);

/** Largest exponent whose power of e fits in a double. Beyond it, databases raise errors or return infinity. */
const largestExponent = 709;

/** Rounds halves away from zero. Scales by powers of ten, so that all databases return the same result. */
const round = (of: Expression, digits: number): Expression => {
  const factor = number(10 ** Math.abs(digits));
  const scaledValue = digits === 0 ? double(of) : operate(digits > 0 ? '*' : '/', of, factor);
  const signedHalf = operate('*', unary('sign', of), number(0.5));
  const wholeNumber = unary('trunc', operate('+', scaledValue, signedHalf));
  return digits === 0 ? wholeNumber : operate(digits > 0 ? '/' : '*', wholeNumber, factor);
};

const exp = (of: Expression): Expression => ({
  kind: 'case',
  when: [
    { test: test('<', double(of), number(-largestExponent)), result: zero },
    { test: test('<=', double(of), number(largestExponent)), result: unaryOfDouble('exp', of) },
  ],
  otherwise: null,
  type: 'double',
});

/** Raises `base` to `exponent`. Null if the result is not a real number or overflows a double. */
const power = (base: Expression, exponent: Expression): Expression => {
  const magnitude = operate('*', exponent, unaryOfDouble('ln', unary('abs', base)));
  const result = call('power', [double(base), double(exponent)], 'double');
  const isWhole = test('=', double(exponent), unary('trunc', exponent));
  return {
    kind: 'case',
    when: [
      { test: test('=', double(exponent), zero), result: number(1) },
      { test: test('=', double(base), zero), result: only(test('>', double(exponent), zero), zero) },
      { test: test('and', test('<', double(base), zero), test('not', isWhole)), result: literal(null, 'double') },
      { test: test('<', magnitude, number(-largestExponent)), result: zero },
      { test: test('<=', magnitude, number(largestExponent)), result: result },
    ],
    otherwise: null,
    type: 'double',
  };
};

const remainder = (left: Expression, right: Expression): Expression =>
  left.type === 'integer' && right.type === 'integer'
    ? call('%', [left, right], 'integer')
    : call('%', [double(left), double(right)], 'double');

/** Numeric functions of formulas, built from functions of the dialect. */
export const numbers = {
  plain: unary,
  round,
  exp,
  power,
  remainder,
  sqrt: (of: Expression): Expression => only(test('>=', double(of), zero), unaryOfDouble('sqrt', of)),
  ln: (of: Expression): Expression => only(test('>', double(of), zero), unaryOfDouble('ln', of)),
  log: (of: Expression): Expression => only(test('>', double(of), zero), unaryOfDouble('log10', of)),
} as const;

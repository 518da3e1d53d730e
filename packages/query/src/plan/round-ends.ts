import { call, test, type Expression } from '../expression.ts';
import { double, number, operate } from '../formula/sorts.ts';

/** Round numbers are these, times a power of ten. */
const roundSteps = [1, 2, 5] as const;

/** Beyond these, a step or an edge may be no double. */
const [mostValue, leastRange] = [1e200, 1e-200];

/**
 * Where the first of at most `bins` equal parts begins and the last ends, so that every edge is a multiple of 1, 2 or 5 times a power of
 * ten. `least` and `greatest` are the ends of the numbers; they stay where they are equal, beyond 1e200, or
 * nearer to each other than 1e-200, and where there is one part.
 */
export function roundEnds(
  least: Expression,
  greatest: Expression,
  bins: number,
): { readonly low: Expression; readonly high: Expression } {
  const [from, to] = [double(least), double(greatest)];
  // One part more than fills the range: it begins before the least number.
  const range = operate('-', to, from);
  // Null where it is nothing: databases refuse the logarithm of zero.
  const wanted = operate('/', call('nullIf', [range, number(0)], 'double'), number(Math.max(1, bins - 1)));
  const power = call(
    'power',
    [double(number(10)), call('floor', [call('log10', [wanted], 'double')], 'double')],
    'double',
  );
  const times = (factor: number): Expression => operate('*', power, number(factor));
  const step: Expression = {
    kind: 'case',
    when: roundSteps.map((factor) => ({ test: test('<=', wanted, times(factor)), result: times(factor) })),
    otherwise: times(10),
    type: 'double',
  };
  const low = operate('*', call('floor', [operate('/', from, step)], 'double'), step);
  const high = operate('+', low, operate('*', step, number(bins)));
  const within = test('and', test('>=', from, number(-mostValue)), test('<=', to, number(mostValue)));
  const where = (round: Expression, plain: Expression): Expression => ({
    kind: 'case',
    // One test within the other: where numbers are too large, their difference is not taken.
    when: [
      {
        test: within,
        result: {
          kind: 'case',
          when: [{ test: test('>=', range, number(leastRange)), result: round }],
          otherwise: plain,
          type: 'double',
        },
      },
    ],
    otherwise: plain,
    type: 'double',
  });
  return bins === 1 ? { low: from, high: to } : { low: where(low, from), high: where(high, to) };
}

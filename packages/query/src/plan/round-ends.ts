import { call, test, type Expression } from '../expression.ts';
import { double, number, operate } from '../formula/sorts.ts';

/** Steps between the edges of bins are one of these numbers times a power of ten. */
const roundSteps = [1, 2, 5] as const;

/** Beyond these limits, a step or an edge may overflow a double. */
const [maxValue, leastRange] = [1e200, 1e-200];

/**
 * Returns the ends of at most `bins` equal bins, whose edges are multiples of 1, 2 or 5 times a power of ten. `minimum`
 * and `maximum` are the lowest and highest value. Returns these two values unchanged if they are equal, beyond 1e200 or
 * closer than 1e-200, or if there is a single bin.
 */
export function roundEnds(
  minimum: Expression,
  maximum: Expression,
  bins: number,
): { readonly low: Expression; readonly high: Expression } {
  const [from, to] = [double(minimum), double(maximum)];
  // One more bin than the range needs, since the first bin may begin below the lowest value.
  const range = operate('-', to, from);
  // Null for a range of zero, whose logarithm is an error in databases.
  const rawStep = operate('/', call('nullIf', [range, number(0)], 'double'), number(Math.max(1, bins - 1)));
  const power = call(
    'power',
    [double(number(10)), call('floor', [call('log10', [rawStep], 'double')], 'double')],
    'double',
  );
  const times = (factor: number): Expression => operate('*', power, number(factor));
  const step: Expression = {
    kind: 'case',
    when: roundSteps.map((factor) => ({ test: test('<=', rawStep, times(factor)), result: times(factor) })),
    otherwise: times(10),
    type: 'double',
  };
  const low = operate('*', call('floor', [operate('/', from, step)], 'double'), step);
  const high = operate('+', low, operate('*', step, number(bins)));
  const within = test('and', test('>=', from, number(-maxValue)), test('<=', to, number(maxValue)));
  const where = (round: Expression, unrounded: Expression): Expression => ({
    kind: 'case',
    // The conditions are nested, so that the difference is not computed for values that are too large.
    when: [
      {
        test: within,
        result: {
          kind: 'case',
          when: [{ test: test('>=', range, number(leastRange)), result: round }],
          otherwise: unrounded,
          type: 'double',
        },
      },
    ],
    otherwise: unrounded,
    type: 'double',
  });
  return bins === 1 ? { low: from, high: to } : { low: where(low, from), high: where(high, to) };
}

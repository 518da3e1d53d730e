import { aggregate, call, column, selectOf, test, type Expression, type Select } from '../expression.ts';
import { number, only, operate } from '../formula/sorts.ts';

/** Steps between the edges of bins are one of these numbers times a power of ten. */
const roundSteps = [1, 2, 5] as const;

/** Beyond these limits, a step or an edge may overflow a double. */
const [maxValue, leastRange] = [1e200, 1e-200];

const valueIn = (relation: string, name: string): Expression => column(relation, name, 'double');

/**
 * Returns a select of one row, computed from the one row of `from`. The aggregates keep databases from copying these
 * expressions into the statement wherever another select reads a column.
 */
const stage = (from: Select, as: string, columns: Readonly<Record<string, Expression>>): Select => ({
  ...selectOf(
    from,
    as,
    Object.entries(columns).map(([name, of]) => ({ as: name, of: aggregate('max', [of], of.type) })),
  ),
  grouped: 0,
});

/** Returns the range divided by the number of bins; null if the ends must stay as they are. */
function rawStep(from: Expression, to: Expression, bins: number): Expression {
  const isWithin = test('and', test('>=', from, number(-maxValue)), test('<=', to, number(maxValue)));
  const range = operate('-', to, from);
  // One more bin than the range needs, since the first bin may begin below the lowest value. The conditions are nested,
  // so that the difference is not computed for values that are too large.
  const step = operate('/', range, number(Math.max(1, bins - 1)));
  return only(isWithin, only(test('>=', range, number(leastRange)), step));
}

/** Returns the next round number that is not below `raw`. `power` is the power of ten of `raw`. */
function roundStep(raw: Expression, power: Expression): Expression {
  const times = (factor: number): Expression => operate('*', power, number(factor));
  return {
    kind: 'case',
    when: roundSteps.map((factor) => ({ test: test('<=', raw, times(factor)), result: times(factor) })),
    otherwise: times(10),
    type: 'double',
  };
}

/**
 * Returns a select of the ends of at most `bins` equal bins, `min` and `max`, whose edges are multiples of 1, 2 or 5
 * times a power of ten. `values` selects the lowest and highest value, `min` and `max`. Returns these two values
 * unchanged if they are equal, beyond 1e200 or closer than 1e-200, or if there is a single bin.
 */
export function roundEnds(values: Select, bins: number): Select {
  if (bins === 1) return values;
  const [from, to] = [valueIn('e', 'min'), valueIn('e', 'max')];
  const raw = stage(values, 'e', { min: from, max: to, raw: rawStep(from, to, bins) });
  const rawValue = valueIn('f', 'raw');
  const powerOfRaw = call('floor', [call('log10', [rawValue], 'double')], 'double');
  const power = stage(raw, 'f', {
    min: valueIn('f', 'min'),
    max: valueIn('f', 'max'),
    raw: rawValue,
    power: call('power', [number(10), powerOfRaw], 'double'),
  });
  const step = stage(power, 'g', {
    min: valueIn('g', 'min'),
    max: valueIn('g', 'max'),
    step: roundStep(valueIn('g', 'raw'), valueIn('g', 'power')),
  });
  const [lowest, highest, width] = [valueIn('h', 'min'), valueIn('h', 'max'), valueIn('h', 'step')];
  const low = operate('*', call('floor', [operate('/', lowest, width)], 'double'), width);
  const high = operate('+', low, operate('*', width, number(bins)));
  return stage(step, 'h', {
    min: call('coalesce', [low, lowest], 'double'),
    max: call('coalesce', [high, highest], 'double'),
  });
}

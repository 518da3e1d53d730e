import { aggregate, selectOf, type Expression, type Select } from '../../expression.ts';
import type { Bins } from '../../query.ts';
import type { PlanContext } from '../context.ts';
import { withAlias } from '../expressions/walk.ts';
import { roundEnds } from '../round-ends.ts';
import { scanOf } from '../scans.ts';

/**
 * Returns a select of one row with the ends of bins, `min` and `max`. They are computed over the values of a dataset
 * that pass the filters, and have the same type.
 */
export function binEnds(
  context: PlanContext,
  datasetId: string,
  of: Expression,
  bins: Bins,
  filters: readonly Expression[],
): { readonly select: Select; readonly type: Expression['type'] } {
  const value = withAlias(of, datasetId, 'x');
  const scan = scanOf(context, datasetId, 'x', filters, [value]);
  const [minimum, maximum] = [aggregate('min', [value], of.type), aggregate('max', [value], of.type)];
  const { low, high } = bins.isRound ? roundEnds(minimum, maximum, bins.count) : { low: minimum, high: maximum };
  const ends = [
    { as: 'min', of: low },
    { as: 'max', of: high },
  ];
  return { select: { ...selectOf(scan, 'x', ends), grouped: 0 }, type: low.type };
}

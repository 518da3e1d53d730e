import { aggregate, selectOf, type Expression, type Select } from '../../expression.ts';
import { double } from '../../formula/sorts.ts';
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
  { count, isRound }: Bins,
  filters: readonly Expression[],
): { readonly select: Select; readonly type: Expression['type'] } {
  const value = withAlias(of, datasetId, 'x');
  const scan = scanOf(context, datasetId, 'x', filters, [value]);
  const endOf = (name: 'min' | 'max'): Expression => {
    const end = aggregate(name, [value], of.type);
    return isRound ? double(end) : end;
  };
  const ends = (['min', 'max'] as const).map((name) => ({ as: name, of: endOf(name) }));
  const values: Select = { ...selectOf(scan, 'x', ends), grouped: 0 };
  return isRound ? { select: roundEnds(values, count), type: 'double' } : { select: values, type: of.type };
}

import {
  aggregate,
  column,
  literal,
  selectOf,
  test,
  type Expression,
  type Select,
  type SelectColumn,
} from '../../expression.ts';
import type { PlanContext } from '../context.ts';
import { scanOf } from '../scans.ts';
import type { JoinNode } from './node.ts';

/**
 * Selects one row per key. If a single value is read, it is the smallest value of the key. If several values are read,
 * all come from the same row, the first in the order of these values.
 */
export function lookupSelect(context: PlanContext, node: JoinNode, key: Expression): Select {
  const { datasetId, alias, inner } = node;
  const values = [...node.exports.values()];
  const scan = scanOf(context, datasetId, inner, [], [key, ...values.map(({ of }) => of)]);
  const keyColumn = { as: 'k', of: key };
  const [only] = values;
  if (values.length <= 1 && only?.of.type !== 'boolean') {
    const minColumns = only === undefined ? [] : [{ as: only.as, of: aggregate('min', [only.of], only.of.type) }];
    return { ...selectOf(scan, inner, [keyColumn, ...minColumns]), grouped: 1 };
  }
  const order = values.map(({ of }) => of);
  const position: SelectColumn = { as: 'p', of: { kind: 'position', per: [key], order, type: 'integer' } };
  const numberedSelect = selectOf(scan, inner, [keyColumn, ...values, position]);
  const outerAlias = `${alias}p`;
  return {
    ...selectOf(
      numberedSelect,
      outerAlias,
      [keyColumn, ...values].map(({ as, of }) => ({ as, of: column(outerAlias, as, of.type) })),
    ),
    where: [test('=', column(outerAlias, 'p', 'integer'), literal(1, 'integer'))],
  };
}

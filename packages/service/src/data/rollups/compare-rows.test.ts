import { expect, test } from 'vitest';
import type { Json } from '@inlay/contract';
import { plan } from '@inlay/query';
import { column, context, measure, model, queryOf } from '../../../../../test/support/shop.ts';
import { haveSameRows } from './compare-rows.ts';

const planned = plan(
  queryOf({
    dimensions: [column('orders.status')],
    measures: [measure('orders.amount', 'sum'), measure('orders.weight', 'sum')],
  }),
  model,
  context,
);
const member = (id: string): Json => ({ id, name: { en: id } });
const rows: readonly Json[] = [
  [member('done'), 20, 0.3],
  [member('open'), 15.75, 1e12],
];

test.each<readonly [string, boolean, readonly Json[]]>([
  ['the same rows', true, rows],
  ['the same rows in another order', true, rows.toReversed()],
  ['doubles that differ in the last digits', true, [[member('done'), 20, 0.30000000000000004], rows[1] ?? null]],
  ['doubles that differ', false, [[member('done'), 20, 0.31], rows[1] ?? null]],
  ['decimals that differ in the last digit', false, [[member('done'), 20.0000000001, 0.3], rows[1] ?? null]],
  ['a null in place of a number', false, [[member('done'), 20, null], rows[1] ?? null]],
  ['a row less', false, rows.slice(1)],
  ['another group', false, [[member('late'), 20, 0.3], rows[1] ?? null]],
])('an answer with %s is the same: %s', (_, isSame, others) => {
  expect(haveSameRows(planned, rows, others)).toBe(isSame);
});

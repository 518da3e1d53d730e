import { readFileSync } from 'node:fs';
import { isList, type Json } from '@inlay/contract';
import { expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { part, text } from '../support/world.ts';

const api = useApi('sqlite');
const guide = readFileSync(new URL('../../docs/guides/tenants.md', import.meta.url), 'utf8');

/** Returns the cells of a table of the guide, without its head. */
const tableOf = (heading: string): readonly (readonly string[])[] => {
  const lines = guide.slice(guide.indexOf(heading)).split('\n\n')[0]?.split('\n') ?? [];
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
};

it('the orders that the guide calls visible are those that its token sees, and its warning is told', async () => {
  const rows = tableOf('| order | customer');
  expect(rows).toHaveLength(4);
  const push = async (data: Json) =>
    (await api.create('data', { type: 'create', data, options: { header: true, name: { en: 'Rows' } } })).id;
  const columnOf = async (of: string, source_name: string) =>
    (await api.findIds('column', { where: { securable_id: of, source_name } }))[0] ?? '';
  const key = (cell = ''): number | null => (/^\d+$/u.test(cell) ? Number(cell) : null);
  const customers = await push([
    ['id', 'tenant'],
    ...rows
      .filter(([, customer]) => key(customer) !== null)
      .map(([, customer, tenant = '']) => [key(customer), tenant]),
  ]);
  const orders = await push([['id', 'customer_id'], ...rows.map(([order, customer]) => [key(order), key(customer)])]);
  const prices = await push([['price'], [1]]);
  const [from, to] = [await columnOf(orders, 'customer_id'), await columnOf(customers, 'id')];
  await api.associate('column', from, 'Joins', to);
  const tenant = { securable_id: customers, column_id: await columnOf(customers, 'tenant') };
  const made = await api.create('authorization', {
    type: 'embed',
    username: 'visitor-42',
    suborganization: 'acme',
    access: { datasets: [orders, prices].map((id) => ({ id, rights: 'use' })) },
    filters: [{ ...tenant, expression: '? = ?', value: 'acme' }],
  });
  const told = /"message": "(dataset [^"]*)"/u.exec(guide)?.[1]?.replace('<price list>', prices);
  expect(made['warnings']).toEqual([
    { path: 'properties.access', code: 'row_filter_missing', message: told },
    // The order without a customer, which the table says is hidden.
    expect.objectContaining({ code: 'row_filter_hides_empty_keys', message: expect.stringMatching(/^1 row of/u) }),
  ]);
  const find = {
    measures: [{ dataset_id: orders, column_id: await columnOf(orders, 'id') }],
    dimensions: [],
    options: { rollup_data: false },
  };
  const by = { key: made.id, token: text(made, 'token') };
  const seen = part(await api.ok('data', { action: 'get', find }, by), 'data');
  const visible = rows.filter((row) => row.at(-1) === 'yes').map(([order]) => key(order));
  expect(visible.length).toBeGreaterThan(0);
  const sorted = (of: readonly unknown[]) => of.map(Number).toSorted((one, other) => one - other);
  expect(sorted((isList(seen) ? seen : []).flat())).toEqual(sorted(visible));
});

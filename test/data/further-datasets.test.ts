import { isObject, type Json, type JsonObject } from '@inlay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { linkedDatasets, type LinkedDataset } from '../support/linked-datasets.ts';
import { oneStore, type Credential } from '../support/service.ts';
import { text } from '../support/world.ts';

describe('a query over datasets that are linked through others', () => {
  const api = useApi(oneStore);
  let customers: LinkedDataset;
  let orders: LinkedDataset;
  let lines: LinkedDataset;
  let refunds: LinkedDataset;
  let apart: LinkedDataset;

  const { dataset, on } = linkedDatasets(api);
  const link = (from: LinkedDataset, column: string, to: LinkedDataset) =>
    api.associate('column', from.columns[column], 'Joins', to.columns['id']);
  beforeAll(async () => {
    customers = await dataset([
      ['id', 'city'],
      [1, 'Ghent'],
      [2, 'Lyon'],
    ]);
    orders = await dataset([
      ['id', 'customer', 'amount'],
      [10, 1, 100],
      [11, 2, 200],
      [12, 1, 50],
    ]);
    lines = await dataset([
      ['order', 'price'],
      [10, 1],
      [11, 2],
      [12, 4],
      [10, 8],
    ]);
    refunds = await dataset([
      ['customer', 'paid'],
      [1, 7],
      [2, 9],
    ]);
    apart = await dataset([['n'], [1]]);
    await link(orders, 'customer', customers);
    await link(lines, 'order', orders);
    await link(refunds, 'customer', customers);
  });

  const sum = (of: LinkedDataset, column: string): JsonObject => ({ ...on(of, column), aggregation: { type: 'sum' } });
  const ask = (find: object, by?: Credential) => api.call('data', { action: 'get', find }, by);
  const rows = async (find: object, by?: Credential): Promise<Json> => {
    const { data } = await api.ok('data', { action: 'get', find }, by);
    const plain = (cell: Json): Json => (isObject(cell) ? (cell['id'] ?? null) : cell);
    return (Array.isArray(data) ? data : []).map((row) => (Array.isArray(row) ? row.map(plain) : row));
  };
  const uses = (...of: readonly LinkedDataset[]) => ({
    access: { datasets: of.map(({ id }) => ({ id, rights: 'use' })) },
  });
  const byCity = () => ({ dimensions: [on(customers, 'city')], measures: [sum(lines, 'price')] });

  it('needs no column of the dataset in between', async () => {
    expect(await rows(byCity())).toEqual([
      ['Ghent', 13],
      ['Lyon', 2],
    ]);
    const filtered = { expression: '? = ?', parameters: [on(customers, 'city'), 'Lyon'] };
    expect(await rows({ measures: [sum(lines, 'price')], where: [filtered] })).toEqual([[2]]);
    const both = { expression: '? > ?', parameters: [on(refunds, 'paid'), 8] };
    expect(await rows({ measures: [sum(orders, 'amount')], where: [both] })).toEqual([[200]]);
  });

  it('needs the right to use it', async () => {
    expect(await rows(byCity(), await api.embedToken(uses(lines, orders, customers)))).toEqual([
      ['Ghent', 13],
      ['Lyon', 2],
    ]);
    const { status, body } = await ask(byCity(), await api.embedToken(uses(lines, customers)));
    expect([status, text(body, 'code')]).toEqual([400, 'query_unanswerable']);
    expect(JSON.stringify(body)).toContain('no linked columns lead');
  });

  it('has the row filters of the dataset in between', async () => {
    const filters = [
      { ...on(orders, 'id'), dataset_id: undefined, securable_id: orders.id, expression: '? != ?', value: 10 },
    ];
    const by = await api.embedToken({ ...uses(lines, orders, customers), filters });
    expect(await rows(byCity(), by)).toEqual([
      ['Ghent', 4],
      ['Lyon', 2],
    ]);
  });

  it('may compute over several datasets in a formula, kept or not', async () => {
    const expression = `sum({${lines.columns['price'] ?? ''}}) / sum({${refunds.columns['paid'] ?? ''}})`;
    expect(await rows({ measures: [{ dataset_id: lines.id, formula: expression }] })).toEqual([[15 / 16]]);
    const kept = await api.create('formula', { securable_id: lines.id, expression, name: { en: 'Share' } });
    const measures = [{ dataset_id: lines.id, formula_id: kept.id }];
    expect(await rows({ dimensions: [on(customers, 'city')], measures })).toEqual([
      ['Ghent', 13 / 7],
      ['Lyon', 2 / 9],
    ]);
    const { status } = await ask({ measures }, await api.embedToken(uses(lines, orders, customers)));
    expect(status).toBe(400);
  });

  it('is refused where nothing links them', async () => {
    const { status, body } = await ask({ dimensions: [on(apart, 'n')], measures: [sum(lines, 'price')] });
    expect([status, text(body, 'code')]).toEqual([400, 'query_unanswerable']);
  });
});

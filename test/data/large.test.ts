import { beforeAll, describe, expect, it } from 'vitest';
import { isList, type Json } from '@inlay/contract';
import { useApi, type Made } from '../support/api.ts';
import { havePostgresServer } from '../support/service.ts';
import { columnsOfDataset, openShop, type ShopDatabase } from '../support/shop-database.ts';
import { part } from '../support/world.ts';

const made = 30_000;
const shown = 20_000;

describe.runIf(havePostgresServer)('many rows', () => {
  const api = useApi('sqlite', {
    INLAY_ALLOW_PRIVATE_HOSTS: 'true',
    INLAY_RESULT_ROWS: String(shown),
    INLAY_SOURCE_ROWS: '25000',
  });
  let shop: ShopDatabase;
  let many: { readonly id: string; readonly column: (name: string) => object };

  async function dataset(accountId: string, query: string): Promise<typeof many> {
    const { id } = await api.create('dataset', { account_id: accountId, subtype: 'postgresql', source_query: query });
    await api.update('dataset', id, { update_metadata: true });
    const columns = await columnsOfDataset(api, id);
    return { id, column: (name) => ({ dataset_id: id, column_id: columns.get(name) ?? name }) };
  }
  const ask = (find: object): Promise<Json> => api.ok('data', { action: 'get', find });
  const rowsIn = (answer: Json): readonly Json[] => {
    const rows = part(answer, 'data');
    return isList(rows) ? rows : [];
  };

  beforeAll(async () => {
    shop = await openShop(api);
    many = await dataset(shop.accountId, `select i as n, 'row ' || i as word from generate_series(1, ${made}) i`);
  });

  const all = (): object => ({
    dimensions: [many.column('n'), many.column('word')],
    order: [{ ...many.column('n'), order: 'asc' }],
    options: { rollup_data: false },
  });

  it('come as a stream, whole and in order, as far as the limit, and what is left out is said', async () => {
    const answer = await ask(all());
    const rows = rowsIn(answer);
    expect(answer).toMatchObject({ truncated: true, source: 'pushdown', performance: { rows: shown } });
    expect(rows).toHaveLength(shown);
    expect(rows.every((row, index) => isList(row) && row[0] === index + 1)).toBe(true);
  });

  it('come in a batch beside others', async () => {
    const { body } = await api.call('data', {
      action: 'get',
      find: { queries: [{ measures: [many.column('*')] }, all(), { measures: [shop.column('*')] }] },
    });
    const answers: readonly Json[] = isList(body) ? body : [];
    expect(answers.map((one) => rowsIn(one).length)).toEqual([1, shown, 1]);
  });

  it('are kept and given again as they were', async () => {
    await api.update('dataset', many.id, { cache: 600 });
    const [first, second] = [await ask(all()), await ask(all())];
    expect([part(first, 'cached'), part(second, 'cached')]).toEqual([false, true]);
    expect(rowsIn(second)).toEqual(rowsIn(first));
    expect(second).toMatchObject({ truncated: true, performance: { rows: shown } });
  });

  it('that would have to be fetched are refused over the limit: half of them would give wrong sums', async () => {
    const again: Made = await api.create('account', {
      ...Object.fromEntries(
        Object.entries(await api.get('account', shop.accountId)).filter(([name]) =>
          ['provider', 'host', 'port', 'scope', 'identifier'].includes(name),
        ),
      ),
      token: 'none',
    });
    const other = await dataset(again.id, `select i as n from generate_series(1, 10) i`);
    const link = { role: 'Joins', id: part(other.column('n'), 'column_id') };
    await api.ok('column', { action: 'associate', id: part(many.column('n'), 'column_id'), resource: link });
    const find = { dimensions: [other.column('n')], measures: [many.column('*')] };
    expect(await api.refused('data', { action: 'get', find })).toMatchObject({ status: 400, code: 'query_too_large' });
    await api.update('dataset', many.id, {
      source_query: `select i as n, 'row ' || i as word from generate_series(1, 100) i`,
    });
    const answer = await ask(find);
    expect(answer).toMatchObject({ source: 'mixed' });
    expect(rowsIn(answer).reduce<number>((sum, row) => sum + Number(isList(row) ? row[1] : 0), 0)).toBe(100);
  });
});

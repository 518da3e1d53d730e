import { isList } from '@inlay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { haveClickhouse, startClickhouse, type Clickhouse } from '../support/clickhouse.ts';
import { columnsOfDataset } from '../support/shop-database.ts';
import { part, text } from '../support/world.ts';

describe.skipIf(haveClickhouse() !== undefined)('answers over ClickHouse', () => {
  const log: string[] = [];
  const settings = { INLAY_ALLOW_PRIVATE_HOSTS: 'true', INLAY_SLOW_QUERY_MS: '0', INLAY_SLOW_QUERY_PLANS: 'true' };
  const api = useApi('sqlite', settings, undefined, undefined, (line) => log.push(line));
  let server: Clickhouse;
  let accountId = '';
  let datasetId = '';
  let columns: ReadonlyMap<string, string>;

  const datasetOf = async (source: object): Promise<string> => {
    const made = await api.ok('dataprovider', { properties: { account_id: accountId, ...source } });
    const { rows = null } = made;
    return text(isList(rows) ? (rows[0] ?? null) : null, 'id');
  };

  beforeAll(async () => {
    server = await startClickhouse({ user: 'reader', password: 'secret' });
    for (const statement of [
      'create database shop',
      `create table shop.orders (id UInt64, region LowCardinality(String), price Nullable(Decimal(24, 6)),
         at DateTime('Europe/Brussels'), kind Enum8('small' = 1, 'large' = 2), tags Array(String),
         more Map(String, UInt64), code UUID) engine = MergeTree order by id`,
      `insert into shop.orders values
         (1, 'North', 10.5, '2024-01-31 23:30:00', 'small', ['a', 'b'], {'n': 9007199254740993}, '61f0c404-5cb3-11e7-907b-a6006ad3dba0'),
         (2, 'north', 20, '2024-02-01 10:00:00', 'large', [], {}, '61f0c404-5cb3-11e7-907b-a6006ad3dba1'),
         (18446744073709551615, 'North', null, '2024-02-02 00:00:00', 'small', ['c'], {}, '61f0c404-5cb3-11e7-907b-a6006ad3dba2')`,
    ])
      await server.run(statement);
    const account = await api.create('account', {
      provider: 'clickhouse',
      host: '127.0.0.1',
      port: String(server.port),
      scope: 'shop',
      identifier: 'reader',
      token: 'secret',
    });
    accountId = account.id;
    datasetId = await datasetOf({ datasets: ['orders'] });
    columns = await columnsOfDataset(api, datasetId);
  });
  afterAll(() => server?.stop());

  const on = (name: string, more: object = {}): object => ({
    dataset_id: datasetId,
    column_id: columns.get(name),
    ...more,
  });
  const price = on.bind(null, 'price', { aggregation: { type: 'sum' } });
  const ask = (find: object) => api.ok('data', { action: 'get', find });

  it('are computed there, texts told apart by case', async () => {
    const answer = await ask({ dimensions: [on('region')], measures: [price()] });
    expect(answer).toMatchObject({ source: 'pushdown' });
    expect(part(answer, 'data')).toEqual([
      [{ id: 'North', name: { en: 'North' } }, 10.5],
      [{ id: 'north', name: { en: 'north' } }, 20],
    ]);
  });

  it('keep every digit and every value of nested columns', async () => {
    const dimensions = ['id', 'kind', 'tags', 'more', 'code'].map((name) => on(name));
    const answer = await ask({ dimensions, order: [on('id', { order: 'asc' })] });
    expect(answer).toMatchObject({ source: 'pushdown' });
    const { data = null } = answer;
    const shown = JSON.stringify(data);
    expect(shown).toContain('18446744073709551615');
    expect(shown).toContain('9007199254740993');
    expect(shown).toContain('61f0c404-5cb3-11e7-907b-a6006ad3dba0');
    expect(shown).toContain('small');
  });

  it('are right in a named zone', async () => {
    const answer = await ask({
      dimensions: [on('at', { level: 3 })],
      measures: [price()],
      options: { timezone_id: 'Europe/Brussels' },
    });
    expect(answer).toMatchObject({ source: 'pushdown' });
    expect(part(answer, 'data')).toEqual([
      ['2023-12-31T23:00:00.000Z', 10.5],
      ['2024-01-31T23:00:00.000Z', 20],
    ]);
  });

  it('are found by texts that are sent apart from the statement', async () => {
    for (const value of ["it's", '\\', 'a\tb\n', '☃', "') or 1 = 1 --"]) {
      const answer = await ask({
        measures: [price()],
        where: [{ expression: '? = ?', parameters: [on('region'), value] }],
      });
      expect([answer['source'], part(answer, 'data')]).toEqual(['pushdown', [[null]]]);
    }
  });

  it('come of a custom query, which calls no other table functions', async () => {
    const id = await datasetOf({ queries: [{ name: 'Large', sql: 'select id, price from orders where price > 15' }] });
    const own = await columnsOfDataset(api, id);
    const measures = [{ dataset_id: id, column_id: own.get('price'), aggregation: { type: 'sum' } }];
    expect(part(await ask({ measures }), 'data')).toEqual([[20]]);
    for (const sql of [
      "select * from url('http://127.0.0.1:1/')",
      'select * from system.tables',
      'select * from remote(1)',
    ]) {
      const made = await api.call('dataprovider', {
        action: 'create',
        properties: { account_id: accountId, queries: [{ name: 'x', sql }] },
      });
      expect(made.status, sql).toBeGreaterThanOrEqual(400);
    }
  });

  it('are logged with their statement and plan, without values', async () => {
    log.length = 0;
    await ask({ measures: [price()], where: [{ expression: '? = ?', parameters: [on('region'), 'private value'] }] });
    const slow = (): readonly string[] => log.filter((line) => line.includes('slow query'));
    await expect.poll(slow).toHaveLength(1);
    expect(JSON.parse(slow()[0] ?? '')).toMatchObject({
      source: 'pushdown',
      provider: 'clickhouse',
      source_query_id: expect.stringMatching(/^[\da-f-]{36}$/u),
      outcome: 'ok',
      rows: 1,
      statement: expect.stringContaining('`orders`'),
      plan: expect.arrayContaining([expect.stringMatching(/ReadFromMergeTree|Filter|Expression/u)]),
    });
    expect(log.join('')).not.toContain('private value');
  });
});

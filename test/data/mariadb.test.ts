import { createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { columnsOfDataset } from '../support/shop-database.ts';
import { haveMariadb, startMariadb, type Mariadb } from '../support/mariadb.ts';
import { useApi } from '../support/api.ts';
import { part, text } from '../support/world.ts';

const missing = haveMariadb();

describe.skipIf(missing !== undefined)('answers over MariaDB', () => {
  const log: string[] = [];
  const settings = { INLAY_ALLOW_PRIVATE_HOSTS: 'true', INLAY_SLOW_QUERY_MS: '0', INLAY_SLOW_QUERY_PLANS: 'true' };
  const api = useApi('sqlite', settings, undefined, undefined, (line) => log.push(line));
  let server: Mariadb;
  let accountId = '';
  let datasetId = '';
  let columns: ReadonlyMap<string, string>;
  beforeAll(async () => {
    server = await startMariadb();
    const link = await createConnection({
      host: '127.0.0.1',
      port: server.port,
      user: 'root',
      multipleStatements: true,
    });
    await link.query(
      `create database shop; use shop; create table orders (id int primary key, region varchar(50)
        character set utf8mb4, price decimal(12, 2), at datetime); insert into orders values
        (1, 'North', 10.5, '2024-01-31 23:30:00'), (2, 'north', 20, '2024-02-01 10:00:00'),
        (3, 'North', 5, '2024-02-02 00:00:00');
        create table letters (id int primary key, few varchar(20) character set utf8mb3, one varchar(20) character set utf8mb4
          collate utf8mb4_general_ci, other varchar(20) character set utf8mb4 collate utf8mb4_unicode_ci, price int);
        insert into letters values (1, 'a', 'a', 'b', 7);
        create view mixed as select id, concat(one, other) as both_of, price from letters`,
    );
    await link.end();
    const account = await api.create('account', {
      provider: 'mysql',
      host: '127.0.0.1',
      port: String(server.port),
      scope: 'shop',
      identifier: 'root',
      token: '',
    });
    accountId = account.id;
    const made = await api.ok('dataprovider', {
      properties: { account_id: account.id, provider: 'mysql', datasets: ['orders'] },
    });
    const rows: unknown = made['rows'];
    datasetId = text(Array.isArray(rows) ? rows[0] : null, 'id');
    columns = await columnsOfDataset(api, datasetId);
  });
  afterAll(() => server?.stop());

  const on = (name: string, more: object = {}): object => ({
    dataset_id: datasetId,
    column_id: columns.get(name),
    ...more,
  });
  const price = on.bind(null, 'price', { aggregation: { type: 'sum' } });

  it('are logged with their statement and plan, without values', async () => {
    const where = [{ expression: '? = ?', parameters: [on('region'), 'private value'] }];
    await api.ok('data', { action: 'get', find: { measures: [price()], where } });
    const slow = (): readonly string[] => log.filter((line) => line.includes('slow query'));
    await expect.poll(slow).toHaveLength(1);
    expect(JSON.parse(slow()[0] ?? '')).toMatchObject({
      source: 'pushdown',
      provider: 'mysql',
      outcome: 'ok',
      rows: 1,
      statement: expect.stringContaining('`orders`'),
      plan: [expect.stringMatching(/^ *ALL /u)],
    });
    expect(log.join('')).not.toContain('private value');
  });

  it.each([
    ['letters', 'few', 'a', '😀'],
    ['mixed', 'both_of', 'ab', 'AB'],
  ])('of %s are narrowed by a text that its column cannot hold or compare', async (table, name, there, missingText) => {
    const made = await api.ok('dataprovider', {
      properties: { account_id: accountId, provider: 'mysql', datasets: [table] },
    });
    const rows: unknown = made['rows'];
    const id = text(Array.isArray(rows) ? rows[0] : null, 'id');
    const own = await columnsOfDataset(api, id);
    const of = (column: string): object => ({ dataset_id: id, column_id: own.get(column) });
    const sum = async (value: string): Promise<unknown> => {
      const where = [{ expression: '? in ?', parameters: [of(name), [value]] }];
      const measures = [{ ...of('price'), aggregation: { type: 'sum' } }];
      return part(await api.ok('data', { action: 'get', find: { measures, where } }), 'data');
    };
    expect([await sum(there), await sum(missingText)]).toEqual([[[7]], [[null]]]);
  });

  it('are computed there, texts told apart by case', async () => {
    const answer = await api.ok('data', { action: 'get', find: { dimensions: [on('region')], measures: [price()] } });
    expect(answer).toMatchObject({ source: 'pushdown' });
    expect(part(answer, 'data')).toEqual([
      [{ id: 'North', name: { en: 'North' } }, 15.5],
      [{ id: 'north', name: { en: 'north' } }, 20],
    ]);
  });

  it('are right in a named zone although the server has no zones loaded', async () => {
    const find = {
      dimensions: [on('at', { level: 3 })],
      measures: [price()],
      options: { timezone_id: 'Europe/Brussels' },
    };
    const answer = await api.ok('data', { action: 'get', find });
    expect(answer).toMatchObject({ source: 'mixed' });
    expect(part(answer, 'data')).toEqual([['2024-01-31T23:00:00.000Z', 35.5]]);
  });
});

import { isList, type Json, type JsonObject } from '@inlay/contract';
import { createConnection } from 'mysql2/promise';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { haveMariadb, startMariadb, type Mariadb } from '../support/mariadb.ts';
import { freshDatabase, havePostgresServer } from '../support/service.ts';
import { part, text } from '../support/world.ts';

const tables = [
  'create table customers (id int primary key, tenant varchar(20))',
  'create table orders (id int primary key, customer int, amount int, foreign key (customer) references customers (id))',
  'create table invoices (id int primary key, ord int unique, foreign key (ord) references orders (id))',
  "insert into customers values (1, 'acme'), (2, 'bolt')",
  'insert into orders values (10, 1, 100), (11, 2, 200), (12, null, 300)',
];

const listOf = (rows: Json | undefined): readonly Json[] => (rows !== undefined && isList(rows) ? rows : []);

const places = [
  ['postgresql', 'public.', havePostgresServer],
  ['mysql', '', haveMariadb() === undefined],
] as const;

describe.each(places)('foreign keys of %s', (provider, schema, isThere) => {
  const api = useApi('sqlite', { INLAY_ALLOW_PRIVATE_HOSTS: 'true' });
  let server: Mariadb | undefined;
  let accountId = '';
  beforeAll(async () => {
    if (!isThere) return;
    let at: object;
    if (provider === 'postgresql') {
      const url = await freshDatabase();
      const sql = postgres(url, { max: 1, onnotice: () => undefined });
      for (const one of tables) await sql.unsafe(one);
      await sql.end();
      const { hostname, port, pathname, username, password } = new URL(url);
      at = { host: hostname, port, scope: pathname.slice(1), identifier: username, token: password };
    } else {
      server = await startMariadb();
      const link = await createConnection({ host: '127.0.0.1', port: server.port, user: 'root' });
      for (const one of ['create database shop', 'use shop', ...tables]) await link.query(one);
      await link.end();
      at = { host: '127.0.0.1', port: String(server.port), scope: 'shop', identifier: 'root', token: '' };
    }
    accountId = (await api.create('account', { provider, ...at })).id;
  });
  afterAll(() => server?.stop());

  it.runIf(isThere)('are offered with the tables, with their cardinality', async () => {
    const { rows } = await api.ok('dataprovider', { find: { account_id: accountId } });
    const links = Object.fromEntries(listOf(rows).map((row) => [text(row, 'id'), part(row, 'links')]));
    expect(links).toEqual({
      [`${schema}customers`]: [],
      [`${schema}orders`]: [
        { column: 'customer', dataset: `${schema}customers`, dataset_column: 'id', cardinality: 'many_to_one' },
      ],
      [`${schema}invoices`]: [
        { column: 'ord', dataset: `${schema}orders`, dataset_column: 'id', cardinality: 'one_to_one' },
      ],
    });
  });

  it.runIf(isThere)('link the datasets that are made together, and row filters follow them', async () => {
    const datasets = ['customers', 'orders'].map((table) => `${schema}${table}`);
    const { rows } = await api.ok('dataprovider', {
      action: 'create',
      properties: { account_id: accountId, datasets },
    });
    const [customers, orders] = listOf(rows).map((row) => text(row, 'id'));
    const columnOf = async (securable_id = '', source_name: string): Promise<string> =>
      (await api.findIds('column', { where: { securable_id, source_name } }))[0] ?? '';
    const from = await columnOf(orders, 'customer');
    expect(await api.links('column', from, 'Joins')).toEqual({
      [await columnOf(customers, 'id')]: { type: 'lookup' },
    });
    const tenant = { securable_id: customers ?? '', column_id: await columnOf(customers, 'tenant') };
    const by = await api.embedToken({
      access: { datasets: [{ id: orders ?? '', rights: 'use' }] },
      filters: [{ ...tenant, expression: '? = ?', value: 'acme' }],
    });
    const amount = { dataset_id: orders ?? '', column_id: await columnOf(orders, 'amount') };
    const find = { measures: [{ ...amount, aggregation: { type: 'sum' } }] };
    const answer: JsonObject = await api.ok('data', { action: 'get', find }, by);
    expect([answer['source'], answer['data']]).toEqual(['pushdown', [[100]]]);
  });
});

import { isList, isObject, type JsonObject } from '@inlay/contract';
import { createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { haveMariadb, startMariadb, type Mariadb } from '../support/mariadb.ts';
import { type Credential, freshDatabase, havePostgresServer } from '../support/service.ts';
import { text } from '../support/world.ts';
import postgres from 'postgres';

/** More rows than may be fetched for one query: what is answered was computed at the source. */
const orderCount = 3000;
const codes = ['a', 'A', 'b', 'B ', 'é', 'e', '', '日本'];
const orders = Array.from({ length: orderCount }, (_, at) => [at, at % 40, codes[at % codes.length] ?? '', 1] as const);
const orderRow = ([id, customer, code, amount]: (typeof orders)[number]): string =>
  `(${id}, ${customer === 39 ? 'null' : customer}, '${code}', ${amount})`;
const tables = [
  'create table orders (id int primary key, customer bigint, code varchar(20), amount int)',
  `insert into orders values ${orders.map(orderRow).join(', ')}`,
  'create table regions (code varchar(20), tenant varchar(20))',
  "insert into regions values ('a', 'acme'), ('A', 'bolt'), ('b', 'acme'), ('b', 'bolt'), ('', 'acme')",
];

/** Rows as the driver gives them, by column. */
const rowsIn = (answer: unknown): readonly Record<string, unknown>[] => (Array.isArray(answer) ? answer : []);

const places = [
  ['postgresql', 'public.', havePostgresServer],
  ['mysql', '', haveMariadb() === undefined],
] as const;

describe.each(places)('row filters on a dataset that is elsewhere than rows of %s', (provider, schema, isThere) => {
  const api = useApi('sqlite', { INLAY_ALLOW_PRIVATE_HOSTS: 'true', INLAY_SOURCE_ROWS: '1000' });
  let server: Mariadb | undefined;
  const made: Record<string, { readonly id: string; readonly columns: Readonly<Record<string, string>> }> = {};

  const known = async (name: string, id: string): Promise<void> => {
    const columns = await api.find('column', { where: { securable_id: id } });
    made[name] = { id, columns: Object.fromEntries(columns.map((one) => [text(one, 'source_name'), text(one, 'id')])) };
  };
  const pushed = async (name: string, data: readonly (readonly unknown[])[]): Promise<void> =>
    known(name, (await api.create('data', { data, options: { header: true, name: { en: name } } })).id);
  const column = (of: string, name: string): string => made[of]?.columns[name] ?? '';
  const token = (of: string, filtered: string, value: string, more: readonly string[] = []): Promise<Credential> =>
    api.embedToken({
      access: { datasets: [of, ...more].map((name) => ({ id: made[name]?.id ?? '', rights: 'use' })) },
      filters: [
        {
          securable_id: made[filtered]?.id ?? '',
          column_id: column(filtered, 'tenant'),
          expression: '? = ?',
          value,
        },
      ],
    });
  async function counted(of: string, by: Credential, group?: string): Promise<JsonObject> {
    const dataset_id = made[of]?.id ?? '';
    const dimensions = group === undefined ? [] : [{ dataset_id, column_id: column(of, group) }];
    const measures = [{ dataset_id, column_id: '*', aggregation: { type: 'count' } }];
    return api.ok('data', { action: 'get', find: { dimensions, measures } }, by);
  }

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
      const link = await createConnection({ host: '127.0.0.1', port: server.port, user: 'root', charset: 'utf8mb4' });
      for (const one of ['create database shop character set utf8mb4', 'use shop', ...tables]) await link.query(one);
      await link.end();
      at = { host: '127.0.0.1', port: String(server.port), scope: 'shop', identifier: 'root', token: '' };
    }
    const account = await api.create('account', { provider, ...at });
    const answer = await api.ok('dataprovider', {
      action: 'create',
      properties: { account_id: account.id, datasets: [`${schema}orders`, `${schema}regions`] },
    });
    const rows = answer['rows'] ?? null;
    const ids = (isList(rows) ? rows : []).map((row) => (isObject(row) ? text(row, 'id') : ''));
    await known('orders', ids[0] ?? '');
    await known('regions', ids[1] ?? '');
    const customers = Array.from({ length: 40 }, (_, id) => [
      id,
      id % 4 === 0 ? 'acme' : 'bolt',
      codes[id] ?? `x${id}`,
    ]);
    // Two rows of one key, of which a tenant sees one.
    await pushed('customers', [['id', 'tenant', 'code'], ...customers, [8, 'bolt', 'twice']]);
    await pushed('words', [
      ['code', 'tenant'],
      ...codes.map((code, index) => [code, index % 2 === 0 ? 'acme' : 'bolt']),
    ]);
    await pushed('visits', [
      ['code', 'n'],
      ['a', 1],
      ['A', 2],
      ['b', 3],
      ['', 4],
      ['none', 5],
      [null, 6],
    ]);
  });
  afterAll(() => server?.stop());

  it.runIf(isThere)('are sent as a list of keys, and the rows are counted where they are', async () => {
    await api.associate('column', column('orders', 'customer'), 'Joins', column('customers', 'id'), { type: 'lookup' });
    const by = await token('orders', 'customers', 'acme');
    const visible = orders.filter(([, customer]) => customer % 4 === 0 && customer !== 8 && customer !== 39).length;
    expect(await counted('orders', by)).toMatchObject({ source: 'pushdown', data: [[visible]] });
    // What is stored in the other dataset holds from the next query on.
    await api.create('data', { securable_id: made['customers']?.id, data: [[12, 'bolt', 'more']] });
    const now = visible - orders.filter(([, customer]) => customer === 12).length;
    expect(await counted('orders', by)).toMatchObject({ source: 'pushdown', data: [[now]] });
    expect(await counted('orders', await token('orders', 'customers', 'nobody'))).toMatchObject({ data: [[0]] });
    const gone = column('customers', 'id');
    await api.dissociate('column', column('orders', 'customer'), 'Joins', gone);
  });

  it.runIf(isThere && provider === 'mysql')(
    'reach the source as one statement, which looks a key up once a row',
    async () => {
      const link = await createConnection({
        host: '127.0.0.1',
        port: server?.port ?? 0,
        user: 'root',
        database: 'shop',
        charset: 'utf8mb4',
        multipleStatements: true,
      });
      const pairs = [
        ['customer', 'customers', 'id'],
        ['code', 'words', 'code'],
      ] as const;
      for (const [from, to, key] of pairs) {
        await api.associate('column', column('orders', from), 'Joins', column(to, key), { type: 'lookup' });
        const by = await token('orders', to, 'acme');
        await link.query("truncate mysql.general_log; set global log_output = 'TABLE'; set global general_log = 1");
        expect(await counted('orders', by)).toMatchObject({ source: 'pushdown' });
        await link.query('set global general_log = 0');
        const [logged] = await link.query(
          "select argument from mysql.general_log where command_type = 'Execute' and argument like '%`orders`%'",
        );
        const statements = rowsIn(logged).map((row) => String(row['argument']));
        expect(statements).toEqual([expect.stringMatching(/^SELECT count\(\*\) .*json_table/u)]);
        const [plan] = await link.execute(`explain ${statements[0]}`, ['["1", "2"]']);
        expect(rowsIn(plan).map((row) => row['select_type'])).toContain('MATERIALIZED');
        expect(rowsIn(plan).map((row) => row['select_type'])).not.toContain('DEPENDENT SUBQUERY');
        await api.dissociate('column', column('orders', from), 'Joins', column(to, key));
      }
      await link.end();
    },
  );

  it.runIf(isThere)('compare texts by code point, case, accents and spaces counting', async () => {
    await api.associate('column', column('orders', 'code'), 'Joins', column('words', 'code'), { type: 'lookup' });
    const by = await token('orders', 'words', 'bolt');
    const { data, source } = await counted('orders', by, 'code');
    const shown = (isList(data ?? null) ? Object.values(data ?? {}) : []).map((row) => text(Object(row)[0], 'id'));
    expect([source, shown.toSorted()]).toEqual(['pushdown', ['A', 'B ', 'e', '日本'].toSorted()]);
    await api.dissociate('column', column('orders', 'code'), 'Joins', column('words', 'code'));
  });

  it.runIf(isThere)('bound rows of the engine by what the source says', async () => {
    await api.associate('column', column('visits', 'code'), 'Joins', column('regions', 'code'), { type: 'lookup' });
    const by = await token('visits', 'regions', 'acme');
    // Of b one row is not visible; A is another text than a; none and null look up nothing.
    expect(await counted('visits', by)).toMatchObject({ source: 'engine', data: [[2]] });
  });

  it.runIf(isThere && provider === 'mysql')('are read once for all queries of a request', async () => {
    const link = await createConnection({
      host: '127.0.0.1',
      port: server?.port ?? 0,
      user: 'root',
      multipleStatements: true,
    });
    const by = await token('visits', 'regions', 'acme');
    await link.query("truncate mysql.general_log; set global log_output = 'TABLE'; set global general_log = 1");
    const measures = [{ dataset_id: made['visits']?.id ?? '', column_id: '*', aggregation: { type: 'count' } }];
    const queries = [1, 2, 3, 4, 5, 6].map((limit) => ({ measures, limit: { by: limit } }));
    const { body } = await api.call('data', { action: 'get', find: { queries } }, by);
    await link.query('set global general_log = 0');
    const [logged] = await link.query(
      "select argument from mysql.general_log where command_type = 'Execute' and argument like '%`regions`%'",
    );
    expect(rowsIn(body).map(({ data }) => data)).toEqual(queries.map(() => [[2]]));
    expect(rowsIn(logged)).toHaveLength(1);
    await link.end();
  });

  it.runIf(isThere)(
    'fetch the rows where there are too many keys, and say so where that is too much',
    async () => {
      const many = Array.from({ length: 100_001 }, (_, id) => `${id},acme`).join('\n');
      const { key, token: secret } = api.owner;
      const answer = await api.service.server.inject({
        method: 'POST',
        url: '/0.1.0/data/file?name=Many',
        payload: Buffer.from(`id,tenant\n${many}\n`),
        headers: { authorization: `Bearer ${key}:${secret}`, 'content-type': 'text/csv' },
      });
      expect(answer.statusCode).toBe(200);
      const read: unknown = JSON.parse(answer.body);
      const [dataset] = isObject(read) && isList(read['rows'] ?? null) ? Object(read['rows']) : [];
      await known('many', text(dataset, 'id'));
      await api.associate('column', column('orders', 'customer'), 'Joins', column('many', 'id'), { type: 'lookup' });
      const find = { measures: [{ dataset_id: made['orders']?.id, column_id: '*', aggregation: { type: 'count' } }] };
      const by = await token('orders', 'many', 'acme');
      const { status, body } = await api.call('data', { action: 'get', find }, by);
      expect([status, text(body, 'code'), text(body, 'message')]).toEqual([
        400,
        'query_too_large',
        expect.stringContaining('row filter on a linked dataset'),
      ]);
      expect(text(body, 'message')).not.toContain(made['many']?.id);
      // Who may see the dataset is told which one it is.
      const seeing = await token('orders', 'many', 'acme', ['many']);
      const told = await api.call('data', { action: 'get', find }, seeing);
      expect(text(told.body, 'message')).toContain(`A row filter on dataset ${made['many']?.id} in another place`);
      await api.dissociate('column', column('orders', 'customer'), 'Joins', column('many', 'id'));
    },
    60_000,
  );
});

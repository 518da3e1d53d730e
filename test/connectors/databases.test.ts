import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type {
  ConnectionParams,
  RunLimits,
  SourceStatement,
  SqlConnector,
} from '../../packages/service/src/connectors/connector.ts';
import { SourceProblem } from '../../packages/service/src/connectors/problem.ts';
import { freePort } from '../support/free-port.ts';
import { localConnectors, password, sourceNames, sources, type Source } from './sources.ts';
import { lateMs } from '../support/counts.ts';

const signal = new AbortController().signal;
const limits: RunLimits = { rowLimit: 1_000_000, byteLimit: 1e9, deadlineMs: 60_000 };

/** Databases that have one user here, who may read everything. */
const isOfOneUser = (name: string): boolean => name === 'clickhouse' || name === 'trino';

describe.each(sourceNames)('connections to a database on %s', (name) => {
  let source: Source;
  let connector: SqlConnector;
  const connectors = localConnectors();

  beforeAll(async () => {
    source = await sources[name]();
    connector = connectors.of(source.name);
  });
  afterAll(async () => {
    connectors.close();
    await source.stop();
  });

  const rowsOf = async (statement: SourceStatement, params = source.reach(), by = limits) => {
    const answer = await connector.run(params, statement, by, signal);
    const rows = [];
    for await (const batch of answer.rows) rows.push(...batch);
    return { rows, truncated: answer.truncated() };
  };
  const problemOf = async (work: Promise<unknown>): Promise<SourceProblem> => {
    const error = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (!(error instanceof SourceProblem))
      throw new Error(`no problem of a source: ${String(error)}`, { cause: error });
    return error;
  };
  const sql = (text: string, ...params: SourceStatement['params'][number][]): SourceStatement => ({
    sql: text,
    params,
  });

  test.skipIf(isOfOneUser(name))('a user who may change rows is told from one who may not', async () => {
    expect(await connector.mayWrite(source.reach(), signal)).toBe(true);
    const params = source.reach({ identifier: 'needs_tls', properties: { ssl: 'require' } });
    expect(await connector.mayWrite(params, signal)).toBe(false);
  });

  describe('a connection test', () => {
    test('tells each step that went well', async () => {
      const stages = await connector.test(source.reach(), signal);
      expect(stages.map(({ stage, ok }) => [stage, ok])).toEqual([
        ['reach', true],
        ['tls', true],
        ['sign_in', true],
        ['access', true],
      ]);
      expect(stages[3]?.message).toBe('4 tables can be read.');
    });

    const failing: Readonly<Record<string, readonly [Partial<ConnectionParams>, string, string]>> = {
      'an unknown host': [{ host: 'no-such-host.invalid' }, 'reach', 'unknown_host'],
      'a path instead of a host': [{ host: '/var/run/postgresql' }, 'reach', 'settings'],
      'no host': [{ host: null }, 'reach', 'settings'],
      'no user name': [{ identifier: null }, 'reach', 'settings'],
      'an unknown property': [{ properties: { sslrootcert: '/etc/passwd' } }, 'reach', 'settings'],
      // The cluster of the tests knows no passwords.
      ...(name === 'trino'
        ? {}
        : {
            'a wrong password': [{ token: 'wrong' }, 'sign_in', 'credentials'] as const,
            'no password': [{ token: null }, 'sign_in', 'credentials'] as const,
            'an unknown user': [{ identifier: 'stranger' }, 'sign_in', 'credentials'] as const,
          }),
      'an unknown database': [{ scope: 'no_such_database' }, 'access', name === 'mysql' ? 'grant' : 'missing'],
      ...(isOfOneUser(name) ? {} : { 'nothing granted': [{ identifier: 'nobody' }, 'access', 'grant'] as const }),
    };
    test.each(Object.entries(failing))('explains %s', async (_what, [changes, stage, cause]) => {
      const stages = await connector.test(source.reach(changes), signal);
      const last = stages.at(-1);
      expect([last?.stage, last?.cause, last?.ok]).toEqual([stage, cause, false]);
      expect(stages.slice(0, -1).every(({ ok }) => ok)).toBe(true);
      expect(last?.message).toMatch(/^[A-Z].*\.$/u);
      expect(JSON.stringify(stages)).not.toContain(password);
    });

    test('explains a port where nobody listens', async () => {
      const port = String(await freePort());
      const [stage] = await connector.test(source.reach({ port }), signal);
      expect([stage?.stage, stage?.cause]).toEqual(['reach', 'refused']);
    });

    test('explains a server that never answers', async () => {
      const silent = createServer(() => undefined).listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const address = silent.address();
      const port = address !== null && typeof address === 'object' ? String(address.port) : '';
      const started = Date.now();
      const stages = await connector.test(source.reach({ port, properties: { connect_timeout: 1 } }), signal);
      expect(stages.map(({ stage, cause }) => [stage, cause])).toEqual([
        ['reach', null],
        ['sign_in', 'timeout'],
      ]);
      expect(Date.now() - started).toBeLessThan(1000 + lateMs);
      silent.close();
    });
  });

  describe('tables and columns', () => {
    test('are those that the user may read', async () => {
      const tables = await connector.tables(source.reach(), signal);
      const ids = ['orders', 'big_orders', 'odd'].map((table) => source.table(table));
      expect(tables.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
      if (!isOfOneUser(name)) expect(tables.map(({ id }) => id)).not.toContain(source.table('hidden'));
      expect(tables.find(({ id }) => id === source.table('big_orders'))?.kind).toBe('view');
      if (!isOfOneUser(name))
        expect(await connector.tables(source.reach({ identifier: 'nobody' }), signal)).toEqual([]);
    });

    test('have the types that queries need', async () => {
      const columns = await connector.describe(source.reach(), { table: source.table('orders') }, signal);
      expect(columns.map(({ name: label, storageType, type, subtype }) => [label, storageType, type, subtype])).toEqual(
        [
          ['id', 'integer', 'numeric', null],
          ['region', 'text', 'hierarchy', null],
          ['amount', 'decimal', 'numeric', null],
          ['share', 'double', 'numeric', null],
          ['placed', name === 'postgresql' || name === 'trino' ? 'timestamp' : 'timestamptz', 'datetime', 'datetime'],
          ['day', 'date', 'datetime', 'date'],
          ['note', 'text', 'hierarchy', null],
        ],
      );
      expect(columns.map(({ nullable }) => nullable)).toEqual([false, ...Array.from({ length: 6 }, () => true)]);
    });

    test('may have any name', async () => {
      const [column] = await connector.describe(source.reach(), { table: source.table('odd') }, signal);
      expect(column?.name).toBe('co l');
      const path = connector.traits
        .path(source.table('odd'))
        .map((part) => source.quote(part))
        .join('.');
      expect((await rowsOf(sql(`select * from ${path}`))).rows).toEqual([]);
    });

    test('that do not exist or may not be read are missing', async () => {
      for (const table of ['nothing', source.table('hidden'), 'x; drop table orders', '', 'a.b.c.d', '"'])
        expect((await problemOf(connector.describe(source.reach(), { table }, signal))).cause).toBe('missing');
    });

    test('of a query are found without running it whole', async () => {
      const query = `with o as (select * from orders) -- all of them
      select id, amount, day, ${source.sleep(0).slice(7)} as slept from o;`;
      const columns = await connector.describe(source.reach(), { query }, signal);
      expect(columns.slice(0, 3).map(({ name: label, storageType }) => [label, storageType])).toEqual([
        ['id', 'integer'],
        ['amount', 'decimal'],
        ['day', 'date'],
      ]);
    });

    test.each([
      'select 1; delete from orders',
      'delete from orders',
      'with x as (delete from orders returning 1) select * from x',
      'select * into stolen from orders',
      'select 1) as q; delete from orders; --',
      "select 'open",
      'select (1',
      'explain select 1',
      'values (1)',
      '',
      ' -- nothing',
      'select /*! 1 */ 2',
      'call write_it()',
      'select nope from orders',
      'select * from hidden',
      'select id, id from orders',
    ])('of a query that is none are refused: %s', async (query) => {
      const { cause } = await problemOf(connector.describe(source.reach(), { query }, signal));
      expect(['query', 'missing', 'grant']).toContain(cause);
    });

    test('of a query with a mistake are explained in words of the database', async () => {
      const { message } = await problemOf(
        connector.describe(source.reach(), { query: 'select nope from orders' }, signal),
      );
      expect(message).toContain('nope');
    });
  });

  describe('rows', () => {
    test('keep every digit, every letter and every moment', async () => {
      const { rows } = await rowsOf(sql('select id, region, amount, share, placed, day, note from orders order by id'));
      expect(rows).toEqual([
        [1, 'north', '12345678901234567.123456', 0.1, '2024-02-29T12:34:56.789012Z', '2024-02-29', null],
        [
          2,
          'süd ☀',
          name === 'clickhouse' ? '-0.5' : '-0.500000',
          1e300,
          expect.stringMatching(/^1999-12-31T23:59:59\.0+Z$/u),
          '1999-12-31',
          "a'b",
        ],
        ['9007199254740993', null, null, null, null, null, ''],
      ]);
    });

    test('are found by bound values, whatever these hold', async () => {
      const find = (value: string | number) =>
        rowsOf(sql(`select id from orders where note = ${source.mark(1, 'text')}`, value));
      expect((await find("a'b")).rows).toEqual([[2]]);
      expect((await find("' or 1=1 -- ")).rows).toEqual([]);
      const where = `id = ${source.mark(1, 'whole')}`;
      expect((await rowsOf(sql(`select region from orders where ${where}`, 1))).rows).toEqual([['north']]);
      expect((await rowsOf(sql(`select note from orders where ${where}`, '9007199254740993'))).rows).toEqual([['']]);
    });

    test('come in batches and end at the limits, which is told', async () => {
      const all = await rowsOf(sql(source.numbers(20_000)));
      expect([all.rows.length, all.truncated]).toEqual([20_000, false]);
      const exact = await rowsOf(sql(source.numbers(500)), source.reach(), { ...limits, rowLimit: 500 });
      expect([exact.rows.length, exact.truncated]).toEqual([500, false]);
      const cut = await rowsOf(sql(source.numbers(1_000_000)), source.reach(), { ...limits, rowLimit: 700 });
      expect([cut.rows.length, cut.truncated]).toEqual([700, true]);
      const bytes = await rowsOf(sql(source.numbers(1_000_000)), source.reach(), { ...limits, byteLimit: 100_000 });
      expect(bytes.truncated).toBe(true);
      expect(bytes.rows.length).toBeLessThanOrEqual(12_500);
    });

    test('come one at a time where they are wide, encrypted or not', async () => {
      for (const properties of [{ ssl: 'disable' }, { ssl: 'require' }]) {
        const others = localConnectors();
        const wide = sql(`select n, ${source.text(5_000_000)} as wide from (${source.numbers(12)}) as q`);
        const answer = await others.of(source.name).run(source.reach({ properties }), wide, limits, signal);
        const lengths = [];
        for await (const batch of answer.rows) {
          lengths.push(batch.length);
          // Slow consumer: unread rows stay at the source.
          await sleep(20);
        }
        expect(lengths).toEqual(Array.from({ length: 12 }, () => 1));
        others.close();
      }
    });

    test('are refused where one is larger than 64 MB, and the next query is answered', async () => {
      if (name === 'mysql') await source.admin('set global max_allowed_packet = 1073741824');
      const huge = sql(`select n, ${source.text(70_000_000)} as huge from (${source.numbers(2)}) as q`);
      const problem = await problemOf(rowsOf(huge));
      // A cluster may have limits of its own for what one row takes.
      if (name === 'trino') expect(['query', 'limit', 'timeout']).toContain(problem.cause);
      else expect(problem).toMatchObject({ cause: 'query', message: 'The query gives a row of more than 64 MB.' });
      await expect.poll(async () => (await source.sessions()).open).toBeLessThanOrEqual(5);
      expect((await rowsOf(sql('select 1'))).rows).toEqual([[1]]);
    });

    test('of a wrong statement are a problem in words, and the connection is used again', async () => {
      for (const [text, cause] of [
        ['select nope from orders', 'missing'],
        ['select * from nowhere', name === 'mysql' ? 'grant' : 'missing'],
        ['select * from hidden', isOfOneUser(name) ? 'missing' : 'grant'],
        ['selec 1', 'query'],
      ] as const) {
        expect((await problemOf(rowsOf(sql(text)))).cause).toBe(cause);
        // The problem is told before the session is rolled back and given back; whoever asks at once gets another one.
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      expect((await rowsOf(sql('select 1'))).rows).toEqual([[1]]);
      expect((await source.sessions()).open).toBeLessThanOrEqual(5);
    });
  });

  describe('nothing is written', () => {
    const writes = [
      'insert into orders (id) values (50)',
      'delete from orders',
      "update orders set note = 'x'",
      'create table made (id int)',
      'drop table orders',
      ...(name === 'postgresql'
        ? [
            'with x as (insert into orders (id) values (51) returning id) select * from x',
            'select write_it()',
            "select set_config('transaction_read_only', 'off', false), write_it()",
            "copy orders to '/tmp/orders.csv'",
            "copy orders to program 'cat'",
            'select * from orders for update',
            'commit',
          ]
        : []),
      ...(name === 'clickhouse'
        ? [
            'select 1; drop table orders',
            "insert into function file('orders.csv') select * from orders",
            "select * from url('http://127.0.0.1:1/')",
            "select * from file('/etc/passwd', LineAsString)",
            'select 1 settings readonly = 0',
          ]
        : []),
      ...(name === 'trino'
        ? [
            'select 1; drop table orders',
            'explain (format json) delete from orders',
            'explain analyze delete from orders',
            'call system.runtime.kill_query()',
          ]
        : []),
      ...(name === 'mysql'
        ? [
            "select * from orders into outfile '/tmp/orders.csv'",
            "load data local infile '/etc/passwd' into table orders",
            'truncate table orders',
            'select 1; delete from orders',
          ]
        : []),
    ];
    test.each(writes)('by: %s', async (text) => {
      const before = await source.admin('select count(*) from orders');
      await rowsOf(sql(text)).catch(() => undefined);
      expect(await source.admin('select count(*) from orders')).toEqual(before);
      expect((await rowsOf(sql('select count(*) from orders'))).rows).toHaveLength(1);
      await expect(source.admin('select 1 from made')).rejects.toThrow(/exist|Unknown table/u);
    });
  });

  describe('sessions', () => {
    test.skipIf(isOfOneUser(name))('are not shared by people who sign in differently', async () => {
      const one = connector.run(source.reach(), sql('select current_user'), limits, signal);
      for await (const rows of (await one).rows) expect(JSON.stringify(rows)).toContain('reader');
      const other = source.reach({ identifier: 'needs_tls', properties: { ssl: 'require' } });
      expect(JSON.stringify(await rowsOf(sql('select current_user'), other))).toContain('needs_tls');
    });

    // Over HTTP, the server has no sessions to end.
    test.skipIf(isOfOneUser(name))('that the server ended are replaced', async () => {
      await rowsOf(sql('select 1'));
      await source.admin(
        ...(name === 'postgresql'
          ? ["select pg_terminate_backend(pid) from pg_stat_activity where usename = 'reader'"]
          : ["kill user reader@'%'"]),
      );
      await sleep(100);
      expect((await rowsOf(sql('select 1'))).rows).toEqual([[1]]);
    });

    test('wait for each other, and the answer is the same', async () => {
      const answers = await Promise.all(Array.from({ length: 30 }, () => rowsOf(sql(source.numbers(1000)))));
      expect(answers.every(({ rows }) => rows.length === 1000)).toBe(true);
      expect((await source.sessions()).open).toBeLessThanOrEqual(10);
    });
  });

  test('its features are told', async () => {
    const features = await connector.features(source.reach(), signal);
    // The tables of time zones of a new MariaDB are empty.
    expect(features.zones).toBe(name !== 'mysql');
    expect(features.version).toMatch(/\d+(?:\.\d+)?/u);
  });
});

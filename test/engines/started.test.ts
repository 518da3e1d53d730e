import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { startClickhouse, type Clickhouse } from '../support/clickhouse.ts';
import { trinoRows } from '../support/trino.ts';

describe('a server of the tests on ClickHouse', () => {
  let server: Clickhouse;
  beforeAll(async () => {
    server = await startClickhouse({ user: 'reader', password: 'secret' });
  });
  afterAll(() => server.stop());

  test('binds values, sets settings and says what failed by code', async () => {
    const statement =
      "select {p1:String} as x, {p2:Nullable(Int64)} as y, getSetting('max_threads') as z format JSONCompactEachRow";
    const values = { param_p1: 'a\\tb', param_p2: '\\N', max_threads: '1' };
    expect(JSON.parse(await server.run(statement, values))).toEqual(['a\tb', null, 1]);
    await expect(server.run('select nope')).rejects.toThrow('Code: 47.');
    await expect(server.run('create table t (a Int8) engine = Memory', { readonly: '1' })).rejects.toThrow(
      'Code: 164.',
    );
  });

  test('refuses another password', async () => {
    const headers = { 'x-clickhouse-user': 'reader', 'x-clickhouse-key': 'other' };
    const answer = await fetch(server.url, { method: 'POST', body: 'select 1', headers });
    expect([answer.status, answer.headers.get('x-clickhouse-exception-code')]).toEqual([403, '516']);
  });

  test('stops a query whose client goes away, and one that is killed by its id', async () => {
    const running = async (): Promise<string> =>
      server.run("select count() from system.processes where query_id in ('left', 'killed')");
    const untilStarted = async (): Promise<void> => {
      await expect.poll(running).toBe('1\n');
    };
    const ask = (id: string, signal?: AbortSignal): Promise<Response> =>
      fetch(`${server.url}/?query_id=${id}`, {
        method: 'POST',
        body: 'select sum(sipHash64(number)) from numbers(100000000000)',
        headers: { 'x-clickhouse-user': 'reader', 'x-clickhouse-key': 'secret' },
        signal: signal ?? null,
      });
    const leaving = new AbortController();
    const left = ask('left', leaving.signal).catch((error: unknown) => error);
    await untilStarted();
    leaving.abort();
    await left;
    await expect.poll(running).toBe('0\n');
    const killed = ask('killed');
    await untilStarted();
    await server.run("kill query where query_id = 'killed' sync");
    expect((await killed).headers.get('x-clickhouse-exception-code')).toBe('394');
  });
});

test('queries on Trino run on two workers and none on the coordinator', async () => {
  const { trino = '' } = inject('sharedEngines') ?? {};
  const nodes = await trinoRows(
    trino,
    "select coordinator, count(*) from system.runtime.nodes where state = 'active' group by 1 order by 1",
  );
  expect(nodes).toEqual([
    [false, 2],
    [true, 1],
  ]);
  expect(await trinoRows(trino, 'select count(*) from tpch.tiny.orders')).toEqual([[15000]]);
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inlay } from '../support/command.ts';
import { password, sourceNames, sources, type Source, type SourceName } from './sources.ts';

/** A table whose rows have nulls, letters of many alphabets and moments around the change of clocks. */
const table = {
  postgresql: `create table sales (id bigint, region text, amount decimal(12, 2), weight float8, placed timestamptz, day date)`,
  mysql: `create table sales (id bigint, region varchar(50) character set utf8mb4, amount decimal(12, 2), weight double,
    placed timestamp null, day date)`,
  clickhouse: `create table sales (id Int64, region LowCardinality(Nullable(String)), amount Nullable(Decimal(12, 2)),
    weight Nullable(Float64), placed Nullable(DateTime('Europe/Brussels')), day Nullable(Date32))
    engine = MergeTree order by id settings allow_nullable_key = 1`,
  trino: `create table sales (id bigint, region varchar, amount decimal(12, 2), weight double,
    placed timestamp(3) with time zone, day date)`,
} as const;
const values = `values
  (1, 'North', 10.5, 1.25, '2024-03-30 23:30:00', '2024-03-30'), (2, 'north', 20, 2.5, '2024-03-31 01:30:00', '2024-03-31'),
  (3, 'Süd ☀', -3.75, null, '2024-10-27 00:30:00', '2024-10-27'), (4, null, null, 4, null, null),
  (5, '', 0, 0.1, '2024-12-31 23:59:59', '2024-12-31'), (6, 'it''s a', 7, 8, '2023-01-01 00:00:00', '2023-01-01')`;
const rowsOf = (name: SourceName): string =>
  name === 'trino'
    ? `insert into sales select id, region, amount, weight, cast(placed || ' UTC' as timestamp(3) with time zone), cast(day as date)
       from (${values}) as t(id, region, amount, weight, placed, day)`
    : `insert into sales ${values}`;

describe.each(sourceNames)('inlay connector check of a database on %s', (name) => {
  let source: Source;
  beforeAll(async () => {
    source = await sources[name]();
    await source.admin(table[name], rowsOf(name));
    if (name === 'postgresql' || name === 'mysql')
      await source.admin(`grant select on sales to ${name === 'mysql' ? "reader@'%'" : 'reader'}`);
  });
  afterAll(() => source.stop());

  const check = (...more: readonly string[]) => {
    const { host, port, scope, identifier, properties } = source.reach();
    const address = ['--host', String(host), '--port', String(port), '--database', String(scope)];
    const options = Object.entries(properties).flatMap(([property, value]) => [
      '--property',
      `${property}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    ]);
    return inlay(['connector', 'check', name, ...address, '--user', String(identifier), ...options, ...more], {});
  };

  const signIn = (): readonly string[] => (source.reach().token === null ? [] : ['--password', password]);

  test('compares its answers with those of the engine', async () => {
    const { code, out, err } = await check(...signIn(), '--table', source.table('sales'));
    expect({ code, err }, out).toEqual({ code: 0, err: '' });
    expect(out).toContain('pass  sign_in: The user may sign in.');
    expect(out).toContain('pass  query: groups of region');
    expect(out).toContain('pass  query: placed by month');
    expect(out).toContain('pass  query: filter of region by texts with signs');
    expect(out).toContain('pass  after a deadline: the next statement is answered');
    expect(out).not.toContain('fail');
    expect(out).not.toContain(password);
  });

  test('says what failed, and ends with 1', async () => {
    // The cluster of the tests knows no passwords.
    const wrong = name === 'trino' ? ['--property', 'ssl=verify-full'] : ['--password', 'wrong'];
    const { code, out } = await check(...wrong, '--property', 'connect_timeout=5', '--json');
    const report: { ok: boolean; checks: readonly { level: string; check: string }[] } = JSON.parse(out);
    const { ok, checks } = report;
    expect([code, ok, checks.at(-1)?.level, checks.at(-1)?.check]).toEqual([
      1,
      false,
      'fail',
      name === 'trino' ? 'tls' : 'sign_in',
    ]);
    const missing = await check(...signIn(), '--table', 'nothing');
    expect([missing.code, missing.out]).toEqual([1, expect.stringContaining('fail  source: ')]);
  });
});

test('inlay connector check says how it is used', async () => {
  for (const args of [[], ['oracle', '--host', 'h', '--database', 'd', '--user', 'u'], ['mysql', '--host', 'h']]) {
    const { code, err } = await inlay(['connector', 'check', ...args], {});
    expect([args, code]).toEqual([args, 2]);
    expect(err).toContain('Usage: inlay connector check PROVIDER');
  }
});

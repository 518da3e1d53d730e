import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { havePostgres, startPostgres, type Postgres } from './postgres.ts';

const ask = async (url: string, statement: string): Promise<unknown> => {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    return [...(await sql.unsafe(statement))];
  } catch (error) {
    return String(error);
  } finally {
    await sql.end();
  }
};

describe.skipIf(havePostgres() !== undefined)('the PostgreSQL server of the tests', () => {
  let server: Postgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  test('gives each test an empty database of its own', async () => {
    const [one, two] = [await server.createDatabase(), await server.createDatabase()];
    await ask(one, 'create table mark (id int)');
    expect(await ask(one, 'select count(*)::int as n from mark')).toEqual([{ n: 0 }]);
    expect(await ask(two, 'select * from mark')).toContain('does not exist');
  });

  test('keeps its data and its port over a restart', async () => {
    const url = await server.createDatabase();
    await ask(url, 'create table kept as select 7 as n');
    const before = server.pid;
    await server.restart();
    expect(server.pid).not.toBe(before);
    expect(await ask(url, 'select n from kept')).toEqual([{ n: 7 }]);
  });

  test('knows every letter and takes 200 connections', async () => {
    expect(await ask(server.url(), "select upper('é') as u, current_setting('max_connections') as c")).toEqual([
      { u: 'É', c: '200' },
    ]);
  });
});

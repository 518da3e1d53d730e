import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { havePostgres, startPostgres, type Postgres } from '../../../../../test/support/postgres.ts';
import { render, text } from '../sql.ts';
import { postgresDialect } from './dialect.ts';

describe.skipIf(havePostgres() !== undefined)('a value by which no index is to be chosen', () => {
  let server: Postgres;
  let client: postgres.Sql;
  beforeAll(async () => {
    server = await startPostgres();
    client = postgres(String(await server.createDatabase()), { max: 1 });
    await client.unsafe(
      'create table thing (word text, size integer); create index on thing (word); create index on thing (size); set enable_seqscan = off',
    );
  });
  afterAll(async () => {
    await client.end();
    await server.stop();
  });

  const plan = async (expression: string): Promise<string> => {
    const lines = await client.unsafe(`explain select 1 from thing where ${expression} = '1'`);
    return lines.map((line) => String(line['QUERY PLAN'])).join('\n');
  };

  it.each(['word', 'size'])('is not looked up in one, though it could be: %s', async (column) => {
    expect(await plan(column)).toContain('Index Cond');
    expect(await plan(render(postgresDialect.unindexed(text(column)), 'dollar'))).not.toContain('Index Cond');
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '@inlay/contract';
import postgres from 'postgres';
import { freshDatabase, startTestService, storesToTest, type Answer, type TestService } from '../support/service.ts';
import { part, text } from '../support/world.ts';

const columnsIn = (record: Json | undefined): ReadonlyMap<string, string> => {
  const rows = part(record, 'rows');
  return new Map(
    (Array.isArray(rows) ? rows : []).map((row: Json) => [text(row, 'source_name'), text(row, 'id')] as const),
  );
};

describe.runIf(storesToTest.includes('postgres'))('a query over a database', () => {
  let service: TestService;
  let dataset: string;
  let accountId: string;
  let column: ReadonlyMap<string, string>;
  const ask = (body: object): Promise<Answer> => service.call('data', { action: 'get', ...body }, service.owner);
  const ref = (name: string): object => ({ dataset_id: dataset, column_id: column.get(name) });

  beforeAll(async () => {
    service = await startTestService({ store: 'sqlite', settings: { INLAY_ALLOW_PRIVATE_HOSTS: 'true' } });
    const url = new URL(await freshDatabase());
    const sql = postgres(url.href, { max: 1, onnotice: () => undefined });
    await sql.unsafe(`create table orders (id integer, region text, price numeric(12, 2), ordered_at timestamptz);
      insert into orders values (1, 'North', 10.50, '2024-01-05T10:00:00Z'), (2, 'South', 20, '2024-01-06T10:00:00Z'), (3, 'North', 5, '2024-02-01T00:00:00Z'), (4, null, 1, null)`);
    await sql.end();
    const account = await service.call(
      'account',
      {
        properties: {
          provider: 'postgresql',
          host: url.hostname,
          port: url.port,
          scope: url.pathname.slice(1),
          identifier: url.username,
          token: url.password === '' ? 'none' : url.password,
        },
      },
      service.owner,
    );
    accountId = text(account.body, 'id');
    const listed = await service.call(
      'dataprovider',
      { find: { provider: 'postgresql', account_id: accountId } },
      service.owner,
    );
    expect(listed.status, JSON.stringify(listed.body)).toBe(200);
    const made = await service.call(
      'dataprovider',
      { properties: { account_id: accountId, provider: 'postgresql', datasets: ['public.orders'] } },
      service.owner,
    );
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    const rows = part(made.body, 'rows');
    dataset = text(Array.isArray(rows) ? rows[0] : null, 'id');
    const found = await service.call('column', { find: { where: { securable_id: dataset } } }, service.owner);
    column = columnsIn(found.body);
  });

  afterAll(() => service.stop());

  it('groups and sums at the source', async () => {
    const answer = await ask({
      find: {
        dimensions: [ref('region')],
        measures: [{ ...ref('price'), aggregation: { type: 'sum' } }],
        order: [{ ...ref('region'), order: 'asc' }],
      },
    });
    expect(answer.body).toMatchObject({ source: 'pushdown', cached: false, truncated: false });
    expect(part(answer.body, 'data')).toEqual([
      [{ id: 'North', name: { en: 'North' } }, 15.5],
      [{ id: 'South', name: { en: 'South' } }, 20],
      [null, 1],
    ]);
  });
});

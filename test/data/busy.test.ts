import { isObject, type Json, type JsonObject } from '@inlay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { oneStore, havePostgresServer } from '../support/service.ts';
import { columnsOfDataset, openShop } from '../support/shop-database.ts';
import { datasetIn, part } from '../support/world.ts';
import { lateMs } from '../support/counts.ts';

const lined = { accept: 'application/x-ndjson' };
const linesOf = (body: unknown): readonly JsonObject[] =>
  String(body)
    .split('\n')
    .flatMap((line) => {
      const read: Json = line === '' ? null : JSON.parse(line);
      return isObject(read) ? [read] : [];
    });

describe('a service whose engine is busy', () => {
  const api = useApi(oneStore, { INLAY_QUERY_WAIT_S: '1', INLAY_ENGINE_CHILDREN: '2', INLAY_ENGINE_THREADS: '1' });
  const held: { query?: (at: number) => JsonObject } = {};

  beforeAll(async () => {
    const lines = Array.from({ length: 120_000 }, (_, index) => `name ${(index * 7919) % 120_011},${index}`);
    const { body } = await api.service.server.inject({
      method: 'POST',
      url: '/0.1.0/data/file?name=Many',
      headers: { 'content-type': 'text/csv', authorization: `Bearer ${api.owner.key}:${api.owner.token}` },
      payload: ['name,number', ...lines].join('\n'),
    });
    const { id } = datasetIn(JSON.parse(body));
    const columns = await columnsOfDataset(api, id);
    const on = (name: string): JsonObject => ({ dataset_id: id, column_id: columns.get(name) ?? '' });
    held.query = (at) => ({
      dimensions: [on('name')],
      measures: [{ ...on('number'), aggregation: { type: 'sum' } }],
      order: [{ ...on('number'), aggregation: { type: 'sum' }, order: 'desc' }],
      limit: { by: 3, offset: at },
    });
  });

  it('answers whole requests, and refuses others at once with the time after which to ask again', async () => {
    const { query = () => ({}) } = held;
    const answers: { readonly status: number; readonly ms: number; readonly whole: boolean }[] = [];
    const ask = async (index: number): Promise<void> => {
      const queries = Array.from({ length: 6 }, (_, at) => query(index * 10 + at));
      const startedMs = performance.now();
      const { status, body, headers } = await api.call('data', { action: 'get', find: { queries } }, undefined, lined);
      const ms = performance.now() - startedMs;
      const whole = status === 200 && linesOf(body).every((line) => line['error'] === undefined);
      if (status !== 200) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      answers.push({ status, ms, whole });
    };
    const asked: Promise<void>[] = [];
    for (let index = 0; index < 60; index += 1) {
      asked.push(ask(index));
      await new Promise((resolve) => void setTimeout(resolve, 50));
    }
    await Promise.all(asked);
    const refused = answers.filter(({ status }) => status === 503);
    const admitted = answers.filter(({ status }) => status === 200);
    expect([refused.length > 0, admitted.length > 0]).toEqual([true, true]);
    expect(admitted.length + refused.length).toBe(60);
    expect(admitted.filter(({ whole }) => !whole)).toEqual([]);
  });
});

describe.runIf(havePostgresServer)('a service whose source is busy', () => {
  const api = useApi(oneStore, { INLAY_ALLOW_PRIVATE_HOSTS: 'true', INLAY_SOURCE_CONNECTIONS: '1' });

  it('answers whole requests, also where more queries wait than a source has connections', async () => {
    const shop = await openShop(api);
    const sql = 'select 1 as n from (select pg_sleep(0.01)) as slept';
    const made = await api.ok('dataprovider', {
      properties: {
        account_id: shop.accountId,
        provider: 'postgresql',
        tables: [{ name: 'Slow', sql, type: 'query' }],
      },
    });
    const slow = datasetIn(made).id;
    const columns = await columnsOfDataset(api, slow);
    const query = (limit: number): JsonObject => ({
      dimensions: [{ dataset_id: slow, column_id: columns.get('n') ?? '' }],
      limit: { by: limit },
    });
    const ask = async (index: number): Promise<string> => {
      const queries = Array.from({ length: 6 }, (_, at) => query(index * 6 + at + 1));
      const { status, body } = await api.call('data', { action: 'get', find: { queries } }, undefined, lined);
      if (status !== 200) return `${status}`;
      const lines = linesOf(body);
      return lines.length === 6 && lines.every((line) => line['error'] === undefined) ? 'whole' : JSON.stringify(body);
    };
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => ask(index)));
    expect(new Set(answers.filter((answer) => answer !== '503'))).toEqual(new Set(['whole']));
  });
});

describe.runIf(havePostgresServer)('a request whose deadline passes', () => {
  const api = useApi(oneStore, { INLAY_QUERY_TIMEOUT_S: '3', INLAY_ALLOW_PRIVATE_HOSTS: 'true' });

  it('ends with a line for each query, in time and whole', async () => {
    const shop = await openShop(api);
    const sql = 'select o.*, pg_sleep(60)::text as slept from orders o';
    const made = await api.ok('dataprovider', {
      properties: {
        account_id: shop.accountId,
        provider: 'postgresql',
        tables: [{ name: 'Slow', sql, type: 'query' }],
      },
    });
    const slow = datasetIn(made).id;
    const columns = await columnsOfDataset(api, slow);
    const queries = [
      {
        measures: [{ dataset_id: slow, column_id: columns.get('slept') ?? '', aggregation: { type: 'distinctcount' } }],
      },
      { measures: [shop.column('*')] },
    ];
    const startedMs = performance.now();
    const { status, body } = await api.call('data', { action: 'get', find: { queries } }, undefined, lined);
    expect(status).toBe(200);
    expect(performance.now() - startedMs).toBeLessThan(3_000 + lateMs);
    const lines = linesOf(body);
    expect(new Set(lines.map(({ index }) => index))).toEqual(new Set([0, 1]));
    expect(lines).toHaveLength(2);
    const of = (index: number): JsonObject => lines.find((line) => line['index'] === index) ?? {};
    expect(part(of(0)['error'], 'code')).toBe('deadline_passed');
    expect(of(1)['data']).toEqual([[expect.any(Number)]]);
    await expect.poll(() => api.service.app.gauges['inlay_queries_pending']()).toBe(0);
  });
});

import { isObject, type JsonObject } from '@inlay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { oneStore, type Credential } from '../support/service.ts';
import { columnsOfDataset } from '../support/shop-database.ts';
import { datasetIn, text } from '../support/world.ts';

const rows = 300_000;
const at = 8;

describe('the same query of several callers at one moment', () => {
  const api = useApi(oneStore, { INLAY_ANSWER_CACHE_MB: '0' });
  const held: { dataset: string; on: (name: string) => JsonObject } = { dataset: '', on: () => ({}) };

  beforeAll(async () => {
    const lines = Array.from({ length: rows }, (_, index) => `t${index % 3},name ${(index * 7919) % 50_021},${index}`);
    const { body } = await api.service.server.inject({
      method: 'POST',
      url: '/0.1.0/data/file?name=Many',
      headers: { 'content-type': 'text/csv', authorization: `Bearer ${api.owner.key}:${api.owner.token}` },
      payload: ['tenant,name,number', ...lines].join('\n'),
    });
    held.dataset = datasetIn(JSON.parse(body)).id;
    const columns = await columnsOfDataset(api, held.dataset);
    held.on = (name) => ({ dataset_id: held.dataset, column_id: columns.get(name) ?? '' });
  });

  const tokenOf = async (tenant: string): Promise<Credential> => {
    const made = await api.create('authorization', {
      type: 'embed',
      username: `of ${tenant}`,
      suborganization: tenant,
      access: { datasets: [{ id: held.dataset, rights: 'use' }] },
      filters: [{ expression: '? = ?', parameters: [held.on('tenant'), tenant] }],
    });
    return { key: made.id, token: text(made, 'token') };
  };
  const query = (offset: number): JsonObject => ({
    dimensions: [held.on('name')],
    measures: [{ ...held.on('number'), aggregation: { type: 'sum' } }],
    order: [{ ...held.on('name'), order: 'asc' }],
    limit: { by: 5, offset },
  });
  const ask = async (by: Credential, offset = 0) => {
    const { status, body } = await api.call('data', { action: 'get', find: { queries: [query(offset)] } }, by);
    expect(status).toBe(200);
    return isObject(body) ? body : {};
  };
  const statements = async (): Promise<number> => {
    const { body } = await api.service.server.inject({ method: 'GET', url: '/metrics' });
    return Number(/^inlay_queries_total\{source="engine",outcome="ok"\} (\d+)$/mu.exec(body)?.[1] ?? 0);
  };

  it('runs once and answers all of them with the same rows', async () => {
    const one = await tokenOf('t1');
    const before = await statements();
    const answers = await Promise.all(Array.from({ length: at }, () => ask(one)));
    expect(new Set(answers.map(({ data }) => JSON.stringify(data))).size).toBe(1);
    expect(answers.map(({ cached }) => cached)).toEqual(Array.from({ length: at }, () => false));
    expect((await statements()) - before).toBeLessThan(at);
  });

  it('runs for each where their row filters differ', async () => {
    const [one, two] = [await tokenOf('t1'), await tokenOf('t2')];
    const [first, second] = await Promise.all([ask(one, 10), ask(two, 10)]);
    expect(JSON.stringify(first?.['data'])).not.toBe(JSON.stringify(second?.['data']));
    expect(JSON.stringify((await ask(two, 10))['data'])).toBe(JSON.stringify(second?.['data']));
  });

  it('reads what was stored before it was asked', async () => {
    const one = await tokenOf('t0');
    const [asked] = await Promise.all([
      ask(one, 20),
      api.ok('data', {
        action: 'create',
        properties: { securable_id: held.dataset, type: 'append', data: [['t0', 'a', 5]] },
      }),
    ]);
    expect(JSON.stringify((await ask(one))['data'])).toMatch(/^\[\[[^\]]*,5\],/u);
    expect(asked).toBeDefined();
  });
});

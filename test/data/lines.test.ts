import { isObject, type Json, type JsonObject } from '@inlay/contract';
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { text } from '../support/world.ts';

const rows = [
  ['region', 'revenue'],
  ['Europe', 3],
  ['Asia', 4],
];
const lined = { accept: 'application/x-ndjson, application/json;q=0.5' };

describe('several queries of one request, answered line by line', () => {
  const api = useApi('sqlite', {});

  const ask = async (limits: readonly number[]): Promise<readonly JsonObject[]> => {
    const { id } = await api.create('data', {
      type: 'create',
      data: rows,
      options: { header: true, name: { en: 'Lines' } },
    });
    const found = await api.find('column', { where: { securable_id: id } });
    const on = (name: string): JsonObject => ({
      dataset_id: id,
      column_id: text(
        found.find((row) => row['source_name'] === name),
        'id',
      ),
    });
    const query = (by: number): JsonObject => ({
      dimensions: [on('region')],
      measures: [{ ...on('revenue'), aggregation: { type: 'sum' } }],
      ...(by < 0 ? { dimensions: [{ ...on('region'), column_id: id }] } : { limit: { by } }),
    });
    const { status, body, headers } = await api.call(
      'data',
      { action: 'get', find: { queries: limits.map(query) } },
      undefined,
      lined,
    );
    expect(status).toBe(200);
    expect(headers['content-type']).toContain('application/x-ndjson');
    if (typeof body !== 'string') return isObject(body) ? [body] : [];
    return body.split('\n').flatMap((line) => {
      const read: Json = line === '' ? null : JSON.parse(line);
      return isObject(read) ? [read] : [];
    });
  };

  it('each say which query they answer, once', async () => {
    const wanted = [1, 2, 2, 1, 2, 1, 2];
    const lines = await ask(wanted);
    expect(lines).toHaveLength(wanted.length);
    expect(new Set(lines.map(({ index }) => index))).toEqual(new Set(wanted.keys()));
    for (const { index, data } of lines)
      expect(data).toHaveLength(wanted[typeof index === 'number' ? index : -1] ?? -1);
  });

  it('say what failed in its place, and answer the others', async () => {
    const lines = await ask([1, -1, 2]);
    expect(lines.filter(({ error }) => isObject(error ?? null)).map(({ index }) => index)).toEqual([1]);
    expect(lines.filter(({ data }) => data !== undefined)).toHaveLength(2);
  });
});

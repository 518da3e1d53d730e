import { isObject, type JsonObject } from '@inlay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { createColumnUses } from '../../packages/service/src/data/column-use.ts';
import { createSortRows, type SortContext } from '../../packages/service/src/rows/sort-rows.ts';
import { sql } from '../../packages/service/src/store/sql.ts';
import { useApi } from '../support/api.ts';
import { type Credential, storesToTest } from '../support/service.ts';
import { columnsOfDataset } from '../support/shop-database.ts';
import { datasetIn, text } from '../support/world.ts';

const rows = 20_000;

/** Proposes a dataset and sorts it; returns its id, or null where sorting pays for none. */
async function sortOnce(context: SortContext): Promise<string | null> {
  const { propose, job } = createSortRows(context);
  const proposed = await propose();
  if (proposed === null) return null;
  await job.run({
    job: { ...proposed, priority: 0, dueAt: '', attempt: 1, lease: '' },
    signal: new AbortController().signal,
    effectKey: '',
    progress: () => undefined,
  });
  return proposed.subject;
}

describe.each(storesToTest)('stored rows that are sorted in the background, on %s', (store) => {
  const api = useApi(store);
  const held: { id: string; on: (name: string) => JsonObject; token: Credential } = {
    id: '',
    on: () => ({}),
    token: { key: '', token: '' },
  };
  const uses = createColumnUses();
  let at = 0;

  beforeAll(async () => {
    const lines = Array.from({ length: rows }, (_, index) => `t${(index * 7919) % 13},${index}`);
    const { body } = await api.service.server.inject({
      method: 'POST',
      url: '/0.1.0/data/file?name=Visits',
      headers: { 'content-type': 'text/csv', authorization: `Bearer ${api.owner.key}:${api.owner.token}` },
      payload: ['tenant,number', ...lines].join('\n'),
    });
    held.id = datasetIn(JSON.parse(body)).id;
    const columns = await columnsOfDataset(api, held.id);
    held.on = (name) => ({ dataset_id: held.id, column_id: columns.get(name) ?? '' });
    const made = await api.create('authorization', {
      type: 'embed',
      username: 'viewer',
      access: { datasets: [{ id: held.id, rights: 'use' }] },
      filters: [{ expression: '? = ?', parameters: [held.on('tenant'), 't4'] }],
    });
    held.token = { key: made.id, token: text(made, 'token') };
  });

  const sorter = (thresholds = { rows: 100, queries: 1, meanMs: 0, msPerRow: 0 }) => {
    const { engine, service } = api.service.app;
    const version = (): string => `0000sorted${(at += 1)}`;
    return sortOnce({ store: service.store, engine, uses, version, now: Date.now, thresholds });
  };
  const versionNow = async (): Promise<string> => {
    const [row] = await api.service.app.service.store.rows(
      sql`select data_version from securable where id = ${held.id}`,
    );
    return String(row?.['data_version']);
  };
  /** All rows that a caller sees, as they come. */
  const seen = async (by: Credential): Promise<string> => {
    const find = { queries: [{ dimensions: [held.on('tenant'), held.on('number')], options: { rollup_data: false } }] };
    const { status, body } = await api.call('data', { action: 'get', find }, by);
    expect(status).toBe(200);
    return JSON.stringify(isObject(body) ? body['data'] : null);
  };

  it('are another version with the same rows, in the same order for whoever sees one value', async () => {
    const [before, own, version] = [await seen(api.owner), await seen(held.token), await versionNow()];
    expect(await sorter()).toBe(null);
    uses.note(held.id, 'tenant', 900);
    uses.note(held.id, 'number', 100);
    expect(await sorter({ rows: rows + 1, queries: 1, meanMs: 0, msPerRow: 0 })).toBe(null);
    expect(await sorter({ rows: 1, queries: 1, meanMs: 0, msPerRow: 1 })).toBe(null);
    uses.note(held.id, 'tenant', 900);
    expect(await sorter()).toBe(held.id);
    expect(await versionNow()).not.toBe(version);
    expect(await seen(held.token)).toBe(own);
    const after = await seen(api.owner);
    expect(after).not.toBe(before);
    expect(after.split('],[').toSorted()).toHaveLength(before.split('],[').length);
    const record = await api.find('securable', { where: { id: held.id } });
    expect(record[0]?.['rows']).toBe(rows);
  });

  it('are left as they are where rows were stored meanwhile', async () => {
    const { engine, service } = api.service.app;
    const version = await versionNow();
    const append = async (): Promise<unknown> =>
      api.ok('data', {
        action: 'create',
        properties: { securable_id: held.id, type: 'append', data: [['t4', rows]] },
      });
    const sort = (): Promise<string | null> =>
      sortOnce({
        store: service.store,
        uses,
        version: () => '0000sortedlate',
        now: Date.now,
        thresholds: { rows: 100, queries: 1, meanMs: 0, msPerRow: 0 },
        engine: {
          ...engine,
          ingest: async function* (spec, signal) {
            await append();
            yield* engine.ingest(spec, signal);
          },
        },
      });
    uses.note(held.id, 'number', 500);
    await sort();
    expect(await versionNow()).not.toBe(version);
    expect(await versionNow()).not.toContain('late');
    expect((await seen(held.token)).endsWith(`,${rows}]]`)).toBe(true);
  });
});

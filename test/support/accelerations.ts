import { setTimeout as sleep } from 'node:timers/promises';
import { isList, type JsonObject } from '@inlay/contract';
import { expect } from 'vitest';
import type { Api } from './api.ts';
import { columnsOfDataset } from './shop-database.ts';
import { part, text } from './world.ts';

/** Waits until no refresh of an acceleration is requested or in progress, and returns its record. */
export async function settled(api: Api, id: string): Promise<JsonObject> {
  for (let times = 0; times < 1200; times += 1) {
    const record = await api.get('acceleration', id);
    const isDue = typeof record['next_run_at'] === 'string' && Date.parse(text(record, 'next_run_at')) <= Date.now();
    if (record['status'] !== 'refreshing' && record['status'] !== 'pending' && !isDue) return record;
    await sleep(50);
  }
  throw new Error('a refresh did not end within a minute');
}

/** Refreshes an acceleration, and returns its record afterwards. */
export async function refreshed(api: Api, id: string): Promise<JsonObject> {
  await api.update('acceleration', id, { refresh: true });
  return settled(api, id);
}

/**
 * Accelerates a table, and returns its rows as they are read from the copy and from the source, the highest `id` first,
 * up to a number of rows.
 */
export async function bothRows(
  api: Api,
  accountId: string,
  provider: string,
  table: string,
  rowCount = 100,
): Promise<readonly unknown[]> {
  const made = await api.ok('dataprovider', { properties: { account_id: accountId, provider, datasets: [table] } });
  const found: unknown = made['rows'];
  const id = text(isList(found) ? found[0] : null, 'id');
  const columns = await columnsOfDataset(api, id);
  const acceleration = await api.create('acceleration', { securable_id: id });
  expect(await settled(api, acceleration.id)).toMatchObject({ status: 'ready', last_error: null });
  const on = (columnId: string | undefined): object => ({ dataset_id: id, column_id: columnId });
  const ask = async (options: object): Promise<readonly unknown[]> => {
    const find = {
      dimensions: [...columns.values()].map(on),
      order: [{ ...on(columns.get('id')), order: 'desc' }],
      limit: { by: rowCount },
      options: { rollup_data: false, ...options },
    };
    const answer = await api.ok('data', { action: 'get', find });
    return [part(answer, 'source'), part(answer, 'data')];
  };
  const [[copy, copied], [source, rows]] = [await ask({}), await ask({ max_age: 0 })];
  expect([copy, source]).toEqual(['engine', 'pushdown']);
  return [copied, rows];
}

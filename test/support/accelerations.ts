import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '@inlay/contract';
import type { Api } from './api.ts';
import { text } from './world.ts';

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

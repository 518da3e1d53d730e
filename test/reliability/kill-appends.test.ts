import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { isList, type Json } from '@inlay/contract';
import { counted } from '../support/counts.ts';
import { describeStores } from '../support/load-pair.ts';
import { startService, type ServiceProcess } from '../support/process.ts';
import { datasetIn, part, text } from '../support/world.ts';

const kills = counted(1, 20);
const clients = 6;
const owner = { key: '01890a5d-ac96-774b-bcce-b302099a8057', token: 'q7ZrW2nP9sXvB4mKd8TfGhJyLcE5uA3w' };
const authorization = `Bearer ${owner.key}:${owner.token}`;
const settings = { INLAY_BOOTSTRAP_KEY: owner.key, INLAY_BOOTSTRAP_TOKEN: owner.token, INLAY_RATE_LIMIT: '0' };

/** What is answered; null if the service was killed under the request. */
const send = (service: ServiceProcess, resource: string, body: object): Promise<Json | null> =>
  post(service, resource, JSON.stringify(body), 'application/json');

/** Returns the same of a body of any type. */
async function post({ url }: ServiceProcess, path: string, body: string, type: string): Promise<Json | null> {
  try {
    const headers = { 'content-type': type, authorization };
    const answer = await fetch(`${url}/0.1.0/${path}`, { method: 'POST', headers, body });
    const read: Json = JSON.parse(await answer.text());
    if (!answer.ok) throw new Error(JSON.stringify(read));
    return read;
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** Returns the numbers of the rows of a dataset, each as often as it is there. */
async function numbersIn(service: ServiceProcess, dataset: string): Promise<readonly number[]> {
  const found = part(await send(service, 'column', { find: { where: { securable_id: dataset } } }), 'rows');
  const column = (isList(found) ? found : []).find((one) => text(one, 'source_name') === 'n');
  const dimensions = [{ dataset_id: dataset, column_id: text(column ?? null, 'id') }];
  const measures = [{ dataset_id: dataset, column_id: '*', aggregation: { type: 'count' } }];
  const find = { dimensions, measures, limit: { by: 100_000 } };
  const data = part(await send(service, 'data', { action: 'get', find }), 'data');
  return (isList(data) ? data : []).flatMap((row) => {
    const [n, times] = isList(row) ? row.map(Number) : [];
    return Array.from({ length: times ?? 0 }, () => n ?? Number.NaN);
  });
}

describeStores((newStore) => {
  test('rows that were answered as appended, pushed or in files, are all there once after the service was killed', async () => {
    const store = await newStore();
    const env = { ...settings, ...store.settings };
    let service = await startService({ env });
    const rowOf = (n: number): readonly (string | number)[] => [n, `word ${n % 9}`, 1, 2, 3, 4];
    // So many that rows put behind them stand in a file of their own.
    const first = Array.from({ length: 10_000 }, (_, n) => rowOf(n));
    const create = { type: 'create', data: [['n', 'word', 'a', 'b', 'c', 'd'], ...first], options: { header: true } };
    const made = await send(service, 'data', { action: 'create', properties: create });
    const id = datasetIn(made ?? null).id;
    const acknowledged = new Set<number>(first.map(([n]) => Number(n)));
    const sent = new Set<number>(acknowledged);
    let next = first.length;
    for (let kill = 0; kill < kills; kill += 1) {
      let over = false;
      const before = acknowledged.size;
      const client = async (): Promise<void> => {
        while (!over) {
          const n = (next += 1);
          sent.add(n);
          const properties = { type: 'append', securable_id: id, data: [rowOf(n)] };
          const csv = `n,word,a,b,c,d\n${rowOf(n).join(',')}\n`;
          const answer =
            n % 2 === 0
              ? await send(service, 'data', { action: 'create', properties })
              : await post(service, `data/file?type=append&securable_id=${id}`, csv, 'text/csv');
          if (answer !== null) acknowledged.add(n);
        }
      };
      const working = Promise.all(Array.from({ length: clients }, client));
      while (acknowledged.size < before + 20) await sleep(5);
      await sleep(kill * 7);
      over = true;
      service.kill('SIGKILL');
      await Promise.all([working, service.exited]);
      service = await startService({ env });
    }
    const files = readdirSync(join(store.dataDir, 'datasets'), { recursive: true, encoding: 'utf8' });
    expect(files.some((name) => name.endsWith('.parts'))).toBe(true);
    const held = await numbersIn(service, id);
    expect(new Set(held).size).toBe(held.length);
    expect([...acknowledged].filter((n) => !new Set(held).has(n)).slice(0, 10)).toEqual([]);
    expect(held.filter((n) => !sent.has(n))).toEqual([]);
    await service.stop();
    await store.remove();
  }, 300_000);
});

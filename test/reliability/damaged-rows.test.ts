import {
  closeSync,
  copyFileSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '@inlay/contract';
import { call } from '../support/command.ts';
import { firstOwner } from '../support/load.ts';
import { startService, type ServiceProcess } from '../support/process.ts';
import { datasetIn, part, text } from '../support/world.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const rows = Array.from({ length: 10_000 }, (_, n) => [n, (n * 7919) % 10_007, `text ${(n * 31) % 997}`]);
const total = rows.reduce((sum, [n]) => sum + Number(n), 0);

/** Changes one bit of a file. */
function flip(path: string, at: number): void {
  const file = openSync(path, 'r+');
  const byte = Buffer.alloc(1);
  readSync(file, byte, 0, 1, at);
  writeSync(file, Buffer.of((byte[0] ?? 0) ^ 1), 0, 1, at);
  closeSync(file);
}

/** How a disk may damage a file. */
const damages: Readonly<Record<string, (path: string) => void>> = {
  'cut in half': (path) => truncateSync(path, Math.floor(statSync(path).size / 2)),
  'cut within its first page': (path) => truncateSync(path, 4000),
  emptied: (path) => truncateSync(path, 0),
  'overwritten with zeros': (path) => writeFileSync(path, Buffer.alloc(statSync(path).size)),
  'changed by one bit in its header': (path) => flip(path, 4096 + 40),
  // DuckDB keeps rows in blocks of 256 KB behind three pages of headers.
  'changed by one bit in its rows': (path) => flip(path, 3 * 4096 + 1000),
};

describe('a file of rows that is', () => {
  let service: ServiceProcess;
  const { settings, credential } = firstOwner();
  beforeAll(async () => {
    service = await startService({ env: { ...settings, INLAY_RATE_LIMIT: '0' } });
  });
  afterAll(() => service.stop());

  const send = (resource: string, body: JsonObject) => call(service.url, resource, { ...body, ...credential });
  const sum = async (id: string) => {
    const { body } = await send('column', { find: { where: { securable_id: id, source_name: 'column_1' } } });
    const found = part(body, 'rows');
    const column = text(Array.isArray(found) ? found[0] : null, 'id');
    const measures = [{ dataset_id: id, column_id: column, aggregation: { type: 'sum' } }];
    return send('data', { action: 'get', find: { dimensions: [], measures } });
  };
  const fileOf = (id: string): string => {
    const datasets = join(service.dataDir, 'datasets');
    const home = readdirSync(datasets).map((tenant) => join(datasets, tenant, id))[0] ?? '';
    return join(home, readdirSync(home).find((name) => name.endsWith('.duckdb')) ?? '');
  };

  it.each(Object.entries(damages))('%s is a 500 of its own, and a whole copy heals it', async (_, damage) => {
    for (const putBack of [copyFileSync, renameSync]) {
      const made = await send('data', { action: 'create', properties: { type: 'create', data: rows } });
      const { id } = datasetIn(made.body);
      const file = fileOf(id);
      copyFileSync(file, `${file}.good`);
      damage(file);
      const answer = await sum(id);
      expect(answer).toMatchObject({ status: 500, body: { code: 'rows_damaged' } });
      expect(JSON.stringify(answer.body)).not.toContain(service.dataDir);
      const isLogged = (line: string): boolean =>
        ['"level":50', `"dataset":"${id}"`, `"file":"${file}"`].every((words) => line.includes(words));
      await expect.poll(() => service.output().split('\n').some(isLogged)).toBe(true);
      putBack(`${file}.good`, file);
      expect(await sum(id)).toMatchObject({ status: 200, body: { data: [[total]] } });
    }
  });

  it('damaged takes no rows, and other datasets go on', async () => {
    const [damaged, whole] = await Promise.all(
      [0, 1].map(async () => {
        const made = await send('data', { action: 'create', properties: { type: 'create', data: rows } });
        return datasetIn(made.body).id;
      }),
    );
    if (damaged === undefined || whole === undefined) throw new Error('not reached');
    truncateSync(fileOf(damaged), 4000);
    const append = (id: string) =>
      send('data', { action: 'create', properties: { type: 'append', securable_id: id, data: [[1, 2, 'three']] } });
    expect(await append(damaged)).toMatchObject({ status: 500, body: { code: 'rows_damaged' } });
    expect((await append(whole)).status).toBe(200);
    expect(await sum(whole)).toMatchObject({ status: 200, body: { data: [[total + 1]] } });
  });
});

import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import type { JsonObject } from '@inlay/contract';
import { storeFile } from '../../packages/service/src/app/store/open-store.ts';
import { call, inlay } from '../support/command.ts';
import { firstOwner } from '../support/load.ts';
import { startService } from '../support/process.ts';

vi.setConfig({ testTimeout: 120_000 });

const folder = mkdtempSync(join(tmpdir(), 'inlay-damaged-store-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pageBytes = 4096;
const finds: readonly (readonly [string, JsonObject])[] = [
  ['tag', { where: { name: { contains: 'word' } }, order: [['created_at', 'desc']] }],
  ['tag', { where: { name: { contains: '149' } } }],
  ['tag', { order: [['name', 'asc']] }],
  ['dashboard', { where: { name: { contains: 'word wo' } }, include: [{ model: 'User' }] }],
  ['dashboard', {}],
];

it('searches that meet damaged pages of the SQLite file are 503 with an error in the log, and never end the service', async () => {
  const { settings, credential } = firstOwner();
  const env = { ...settings, INLAY_RATE_LIMIT: '0', INLAY_DATA_DIR: folder };
  const first = await startService({ env });
  for (let index = 0; index < 150; index += 1) {
    const properties = { name: { en: `name ${index} word word` } };
    const resource = index % 3 === 0 ? 'dashboard' : 'tag';
    expect((await call(first.url, resource, { action: 'create', properties, ...credential })).status).toBe(200);
  }
  await first.stop();
  const service = await startService({ env });
  const path = storeFile(folder);
  const file = openSync(path, 'r+');
  // Every page behind those of the schema: what the service has not read yet.
  for (let page = 100; page < statSync(path).size / pageBytes; page += 1)
    writeSync(file, Buffer.alloc(pageBytes, 0xff), 0, pageBytes, page * pageBytes);
  closeSync(file);
  const codes = new Set<unknown>();
  for (let round = 0; round < 5; round += 1)
    for (const [resource, find] of finds) {
      const { status, body } = await call(service.url, resource, { find, ...credential });
      codes.add(status === 200 ? 200 : body['code']);
    }
  expect([...codes].filter((code) => code !== 200)).toEqual(['store_damaged']);
  expect((await fetch(`${service.url}/livez`)).status).toBe(200);
  const isLogged = (line: string): boolean => line.includes('"level":50') && line.includes('the store is damaged');
  await expect.poll(() => service.output().split('\n').some(isLogged)).toBe(true);
  const doctor = await inlay(['doctor'], env);
  expect(doctor).toMatchObject({ code: 1, out: expect.stringMatching(/^fail {2}(?:integrity|store): /mu) });
  service.kill('SIGKILL');
  await service.exited;
});

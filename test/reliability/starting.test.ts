import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { storeFile } from '../../packages/service/src/app/store/open-store.ts';
import { freePort } from '../support/free-port.ts';
import { embeddedStore } from '../support/load-store.ts';
import { firstOwner, openClient } from '../support/load.ts';
import { endWithUs } from '../support/outlive.ts';
import { inlayProgram, startService } from '../support/process.ts';

/** Returns a start that cannot open its store yet. */
async function startLocked() {
  const store = embeddedStore();
  const { credential, settings } = firstOwner();
  const env = { ...store.settings, ...settings, INLAY_DEMO: 'false' };
  await (await startService({ env })).stop();
  const port = await freePort();
  const lock = new DatabaseSync(storeFile(store.dataDir));
  lock.exec('begin immediate');
  const child = spawn(process.execPath, [inlayProgram, 'start'], {
    env: { ...process.env, ...env, INLAY_PORT: String(port) },
    stdio: 'ignore',
  });
  if (child.pid !== undefined) child.once('exit', endWithUs(child.pid, 'KILL', store.dataDir));
  const ended = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  const statusOf = (path: string): Promise<number> =>
    fetch(url + path, { headers: { connection: 'close' } }).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(() => statusOf('/livez')).toBe(200);
  return { child, ended, lock, statusOf, client: openClient(url, credential), remove: () => store.remove() };
}

test('requests that come while a service gets ready are answered once it is', async () => {
  const { child, ended, lock, statusOf, client, remove } = await startLocked();
  expect(await statusOf('/readyz')).toBe(503);
  const create = { action: 'create', properties: { name: { en: 'early' } } };
  const early = Promise.all(Array.from({ length: 20 }, () => client.call('tag', create)));
  lock.exec('rollback');
  lock.close();
  expect((await early).map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  expect(await statusOf('/readyz')).toBe(200);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  client.close();
  await remove();
});

test('requests that wait for a service that does not get ready are refused', async () => {
  const { child, ended, lock, client, remove } = await startLocked();
  const early = client.call('tag', { action: 'get', find: {} });
  expect(await early).toMatchObject({ status: 503, body: { code: 'starting' } });
  child.kill('SIGKILL');
  await ended;
  lock.close();
  client.close();
  await remove();
});

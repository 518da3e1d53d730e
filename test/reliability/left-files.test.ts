import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isFull } from '../support/counts.ts';
import { runs } from '../support/installed.ts';
import { describeStores } from '../support/load-pair.ts';
import { embeddedStore } from '../support/load-store.ts';
import { firstOwner } from '../support/load.ts';
import { startService } from '../support/process.ts';

/** A first look comes three quarters of a minute after the start. */
const sweepLimitMs = 150_000;

describe.runIf(isFull)('files that nobody needs any more', () => {
  describeStores((newStore) => {
    it('of an upload whose service was killed are gone soon after the next start', async () => {
      const store = await newStore();
      const { credential, settings } = firstOwner();
      const env = { ...store.settings, ...settings };
      const uploads = join(store.dataDir, 'uploads');
      const killed = await startService({ env });
      const authorization = `Bearer ${credential.key}:${credential.token}`;
      const headers = { authorization, 'content-type': 'text/csv', 'content-length': '100000000' };
      const sending = request(`${killed.url}/0.1.0/data/file?name=Rows`, { method: 'POST', headers });
      sending.on('error', () => undefined);
      sending.write(`a,b\n${'1,2\n'.repeat(100_000)}`);
      await expect.poll(() => readdirSync(uploads).length).toBe(1);
      killed.kill('SIGKILL');
      await killed.exited;
      const service = await startService({ env });
      expect(readdirSync(uploads)).toHaveLength(1);
      await expect.poll(() => readdirSync(uploads), { timeout: sweepLimitMs, interval: 500 }).toEqual([]);
      expect(await service.stop()).toBe(0);
      await store.remove();
    }, 300_000);
  });

  it.skipIf(!runs('faketime', ['-f', '+1h', 'true']))(
    'are gone after a day, and not before',
    async () => {
      const store = embeddedStore();
      const clock = join(store.dataDir, 'clock');
      writeFileSync(clock, '+0');
      const faked = execFileSync('faketime', ['-f', '+0', 'env'], { encoding: 'utf8' });
      const prefix = ['env', ...faked.split('\n').filter((line) => line.startsWith('LD_PRELOAD='))];
      const moved = { FAKETIME_TIMESTAMP_FILE: clock, FAKETIME_NO_CACHE: '1', FAKETIME_DONT_FAKE_MONOTONIC: '1' };
      const env = { ...store.settings, ...firstOwner().settings, ...moved };
      const uploads = join(store.dataDir, 'uploads');
      mkdirSync(uploads, { recursive: true });
      for (const [off, left] of [
        ['+0', ['stray.csv']],
        ['+90000', []],
      ] as const) {
        writeFileSync(clock, '+0');
        const service = await startService({ env, prefix });
        // Newer than the start, so that only its age says that nobody works on it.
        writeFileSync(join(uploads, 'stray.csv'), 'x');
        writeFileSync(clock, off);
        await new Promise((resolve) => setTimeout(resolve, 60_000));
        expect(readdirSync(uploads)).toEqual(left);
        expect(await service.stop()).toBe(0);
      }
      await store.remove();
    },
    300_000,
  );
});

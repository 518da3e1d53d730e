import { mkdirSync, mkdtempSync, copyFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { isObject, type Json } from '@inlay/contract';
import { openStore } from '../../packages/service/src/app/store/open-store.ts';
import { keysAtHand } from '../../packages/service/src/config/keyring.ts';
import { readConfig } from '../../packages/service/src/config/config.ts';
import { open } from '../../packages/service/src/store/secrets/secrets.ts';
import { sql } from '../../packages/service/src/store/sql.ts';
import { counted } from '../support/counts.ts';
import { call, freshInstallation, inlay, type Installation } from '../support/command.ts';
import { startService } from '../support/process.ts';
import { type Credential, storesToTest } from '../support/service.ts';

vi.setConfig({ testTimeout: 1_800_000 });

/** Records acknowledged before the backup begins, and how long to restore them may take at most. */
const records = counted(100, 100_000);
const restoreLimitMs = 60_000;

/** Makes accounts with secrets until told to stop; returns the acknowledged ones, secret by id. */
function load(url: string, owner: Credential) {
  const acknowledged = new Map<string, string>();
  const failed: unknown[] = [];
  let stopped = false;
  const worker = async (number: number): Promise<void> => {
    for (let index = 0; !stopped; index += 1) {
      const token = `secret ${number} ${index}`;
      const { status, body } = await call(url, 'account', { ...owner, properties: { provider: 'postgresql', token } });
      if (status === 200 && typeof body['id'] === 'string') acknowledged.set(body['id'], token);
      else failed.push(body);
      await sleep(counted(5, 0));
    }
  };
  const workers = Array.from({ length: 4 }, (_, number) => worker(number));
  return {
    acknowledged,
    failed,
    stop: async () => {
      stopped = true;
      await Promise.all(workers);
    },
  };
}

/** Returns the secrets of all accounts, opened with the keys of an installation. */
async function secretsOf(env: Installation): Promise<ReadonlyMap<string, string>> {
  const { config } = readConfig(env, () => '');
  const ring = keysAtHand(config);
  if (ring === undefined) throw new Error('no key');
  const store = await openStore(config);
  try {
    const rows = await store.rows(sql`select id, organization_id, secrets from account`);
    return new Map(
      rows.map((row) => {
        const id = String(row['id']);
        const sealed: Json = JSON.parse(String(row['secrets']));
        const token = isObject(sealed) ? sealed['token'] : undefined;
        const place = { resource: 'account', id, field: 'token', organization: String(row['organization_id']) };
        return [id, open(ring, place, typeof token === 'string' ? token : '')];
      }),
    );
  } finally {
    await store.close();
  }
}

const keyFile = (env: Installation): string => join(env['INLAY_DATA_DIR'] ?? '', 'keys/secret.key');
const firstBootstrap = ['INLAY_BOOTSTRAP_KEY', 'INLAY_BOOTSTRAP_TOKEN'] as const;

describe.each(storesToTest)('a backup on %s', (store) => {
  it('has every acknowledged write while the service works, and its secrets open with the key only', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'inlay-backup-'));
    const file = join(folder, 'inlay.backup');
    const from = await freshInstallation(store);
    const to = await freshInstallation(store);
    const service = await startService({ env: from.env });
    const loading = load(service.url, from.owner);
    await expect.poll(() => loading.acknowledged.size, { timeout: 900_000 }).toBeGreaterThan(records);
    const before = new Map(loading.acknowledged);
    expect(await inlay(['backup', file], from.env)).toMatchObject({ code: 0, err: '' });
    const inUse = await inlay(['restore', file, '--replace'], from.env);
    expect(inUse).toMatchObject({ code: 1, err: expect.stringContaining('is in use. Stop the service') });
    await loading.stop();
    await service.stop();
    expect(loading.failed).toEqual([]);
    expect([...(await secretsOf(from.env)).keys()].toSorted()).toEqual([...loading.acknowledged.keys()].toSorted());

    expect(statSync(file).mode & 0o777).toBe(0o600);
    const twice = await inlay(['backup', file], from.env);
    expect(twice).toMatchObject({ code: 1, err: expect.stringContaining('exists already') });

    // Without the key, then with another one, nothing is restored.
    for (const settings of [{}, { INLAY_SECRET_KEY: 'b7SmhX0HRlYZUbUMTxjQVDrkbrIGf4nKOzV1hJvYQ2k=' }]) {
      const refused = await inlay(['restore', file], { ...to.env, ...settings });
      expect(refused).toMatchObject({ code: 1, out: '' });
      expect(refused.err).toMatch(/^The secret key differs: \d+ rows .* Nothing was restored\.\n$/u);
    }
    expect(readdirSync(to.env['INLAY_DATA_DIR'] ?? '')).toEqual([]);

    mkdirSync(join(to.env['INLAY_DATA_DIR'] ?? '', 'keys'), { mode: 0o700 });
    copyFileSync(keyFile(from.env), keyFile(to.env));
    const asked = performance.now();
    expect(await inlay(['restore', file], to.env)).toMatchObject({ code: 0, err: '' });
    const restoreMs = performance.now() - asked;
    const restored = await secretsOf(to.env);
    process.stdout.write(`${store}: ${restored.size} records restored in ${(restoreMs / 1000).toFixed(1)} s\n`);
    expect(restoreMs).toBeLessThan(restoreLimitMs);
    for (const [id, token] of before) expect(restored.get(id)).toBe(token);

    const again = await inlay(['restore', file], to.env);
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('--replace') });
    const { [firstBootstrap[0]]: _key, [firstBootstrap[1]]: _token, ...plain } = to.env;
    const second = await startService({ env: plain });
    const found = await call(second.url, 'account', { ...from.owner, find: { limit: 1 } });
    expect(found.body['count']).toBe(restored.size);
    const later = await call(second.url, 'account', {
      ...from.owner,
      properties: { provider: 'postgresql', token: 'later' },
    });
    expect(later.status).toBe(200);
    await second.stop();
    expect(await inlay(['restore', file, '--replace'], to.env)).toMatchObject({ code: 0, err: '' });
    expect(await secretsOf(to.env)).toEqual(restored);

    const other = await inlay(['restore', keyFile(from.env), '--replace'], to.env);
    expect(other.code).toBe(1);
    expect(await secretsOf(to.env)).toEqual(restored);
    for (const place of [folder, from.env['INLAY_DATA_DIR'], to.env['INLAY_DATA_DIR']])
      rmSync(place ?? '', { recursive: true, force: true });
  });
});

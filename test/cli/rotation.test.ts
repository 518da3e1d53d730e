import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { between } from '../support/load.ts';
import { isObject, type Json, type JsonObject } from '@inlay/contract';
import { openStore } from '../../packages/service/src/app/store/open-store.ts';
import { keysAtHand } from '../../packages/service/src/config/keyring.ts';
import { sealedTables } from '../../packages/service/src/cli/commands/keys-rotate.ts';
import { readConfig } from '../../packages/service/src/config/config.ts';
import type { Keyring } from '../../packages/service/src/config/keys.ts';
import { open } from '../../packages/service/src/store/secrets/secrets.ts';
import { name, sql } from '../../packages/service/src/store/sql.ts';
import type { Row } from '../../packages/service/src/store/store.ts';
import { call, freshInstallation, inlay, type Installation } from '../support/command.ts';
import { counted } from '../support/counts.ts';
import { startService } from '../support/process.ts';
import { type Credential, storesToTest } from '../support/service.ts';

vi.setConfig({ testTimeout: 1_800_000 });

const records = counted(60, 10_000);
const kills = counted(1, 20);

/** Clients that seal and open secrets; what was acknowledged for each record is kept. */
function clients(url: string, owner: Credential) {
  const tokens = new Map<string, string>();
  const failed: string[] = [];
  let stopped = false;
  let opened = 0;

  const ask = async (body: JsonObject, headers: Record<string, string> = {}): Promise<JsonObject | undefined> => {
    const answer = await call(url, 'account', { ...owner, ...body }, headers);
    if (answer.status === 200) return answer.body;
    failed.push(JSON.stringify(answer.body));
    return undefined;
  };
  const make = async (headers: Record<string, string> = {}): Promise<string | undefined> => {
    const token = randomUUID();
    const properties = { provider: 'postgresql', token };
    const made = await ask({ properties }, headers);
    if (typeof made?.['id'] === 'string') tokens.set(made['id'], token);
    if (made === undefined || Object.keys(headers).length === 0) return undefined;
    // A repeated request opens the kept answer, which holds the secret.
    const again = await ask({ properties }, headers);
    if (again?.['id'] !== made['id'] || again?.['token'] !== token) failed.push(`${token} was not answered again`);
    opened += 1;
    return undefined;
  };
  const change = async (id: string): Promise<void> => {
    const token = randomUUID();
    if ((await ask({ id, properties: { token } })) !== undefined) tokens.set(id, token);
    const found = await ask({ find: { where: { id } } });
    if (!JSON.stringify(found?.['rows'] ?? []).includes('"token":"********"')) failed.push(`${id} shows no secret`);
  };
  const worker = async (ids: readonly string[]): Promise<void> => {
    for (let index = 0; !stopped; index += 1) {
      const id = ids[index % ids.length];
      if (id !== undefined) await change(id);
      await make(index % 2 === 0 ? { 'idempotency-key': randomUUID() } : {});
      await sleep(5);
    }
  };
  return {
    tokens,
    failed,
    opened: () => opened,
    fill: async (count: number) => {
      const one = async (): Promise<void> => {
        while (tokens.size < count && failed.length === 0) await make();
      };
      await Promise.all(Array.from({ length: 8 }, one));
    },
    work: () => {
      const ids = [...tokens.keys()];
      const workers = [0, 1, 2].map((number) => worker(ids.filter((_, index) => index % 3 === number)));
      return async () => {
        stopped = true;
        await Promise.all(workers);
      };
    },
  };
}

async function everyRow(env: Installation): Promise<ReadonlyMap<string, readonly Row[]>> {
  const store = await openStore(readConfig(env, () => '').config);
  try {
    const tables = new Map<string, readonly Row[]>();
    for (const table of [...sealedTables(), 'link', 'setting'])
      tables.set(table, await store.rows(sql`select * from ${name(table)}`));
    return tables;
  } finally {
    await store.close();
  }
}

const ringOf = (env: Installation): Keyring => {
  const ring = keysAtHand(readConfig(env, () => '').config);
  if (ring === undefined) throw new Error('there is no key file');
  return ring;
};

/** Returns the token of an account row, opened with these keys alone. */
function tokenOf(ring: Keyring, row: Row): string {
  const sealed: Json = JSON.parse(String(row['secrets']));
  const text = isObject(sealed) ? sealed['token'] : undefined;
  const place = {
    resource: 'account',
    id: String(row['id']),
    field: 'token',
    organization: String(row['organization_id']),
  };
  return open(ring, place, typeof text === 'string' ? text : '');
}

/** Everything there is to see of keys: in the column that names them, and in any text of any table. */
function keysSeen(tables: ReadonlyMap<string, readonly Row[]>): {
  named: readonly unknown[];
  inTexts: readonly string[];
} {
  const rows = [...tables.values()].flat();
  const named = new Set(rows.map((row) => row['secret_key'] ?? null).filter((key) => key !== null));
  const inTexts = new Set<string>();
  for (const row of rows)
    for (const value of Object.values(row))
      for (const [, id = ''] of String(value).matchAll(/\bv1\.([0-9a-f]{12})\./gu)) inTexts.add(id);
  return { named: [...named], inTexts: [...inTexts] };
}

/** Rotates to and fro between installations, killed so many times while rows move, then to the last of them to the end. */
async function rotate(envs: readonly Installation[]): Promise<string> {
  let killed = 0;
  for (let tries = 0; killed < kills && tries < kills * 6; tries += 1) {
    const env = envs[tries % envs.length] ?? {};
    const kill = { said: 'rows to re-encrypt', afterMs: between(0, 30) };
    const { code } = await inlay(['keys', 'rotate'], env, kill);
    if (code === null) killed += 1;
  }
  expect(killed).toBe(kills);
  const last = await inlay(['keys', 'rotate'], envs.at(-1) ?? {});
  expect(last).toMatchObject({ code: 0, err: '' });
  return last.out;
}

async function expectRotated(env: Installation, tokens: ReadonlyMap<string, string>): Promise<void> {
  const ring = ringOf(env);
  expect(ring.keys.size).toBe(1);
  const tables = await everyRow(env);
  expect(keysSeen(tables)).toEqual({ named: [ring.current], inTexts: [ring.current] });
  const accounts = tables.get('account') ?? [];
  expect(accounts).toHaveLength(tokens.size);
  for (const row of accounts) expect(tokenOf(ring, row)).toBe(tokens.get(String(row['id'])));
}

describe.each(storesToTest)('a rotation on %s', (store) => {
  it('of keys in the settings loses no secret, whatever goes on and however often it is killed', async () => {
    const fresh = await freshInstallation(store);
    const [oldKey, newKey] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
    const before = { ...fresh.env, INLAY_SECRET_KEY: oldKey };
    const first = await startService({ env: before });
    const filling = clients(first.url, fresh.owner);
    await filling.fill(records);
    expect(filling.failed).toEqual([]);
    await first.stop();

    const during = { ...fresh.env, INLAY_SECRET_KEY: newKey, INLAY_SECRET_KEY_PREVIOUS: oldKey };
    const second = await startService({ env: during });
    const working = clients(second.url, fresh.owner);
    for (const [id, token] of filling.tokens) working.tokens.set(id, token);
    const stop = working.work();
    const back = { ...during, INLAY_SECRET_KEY: oldKey, INLAY_SECRET_KEY_PREVIOUS: newKey };
    expect(await rotate([during, back, during])).toContain('remove INLAY_SECRET_KEY_PREVIOUS');
    await stop();
    expect(working.failed).toEqual([]);
    expect(working.opened()).toBeGreaterThan(0);
    await second.stop();

    const after = { ...fresh.env, INLAY_SECRET_KEY: newKey };
    await expectRotated(after, working.tokens);
    expect((await inlay(['keys', 'rotate'], { ...fresh.env, INLAY_SECRET_KEY: oldKey })).err).toMatch(
      /is not available/u,
    );
    rmSync(fresh.env['INLAY_DATA_DIR'] ?? '', { recursive: true, force: true });
  });

  it('of a key file gives the running service the new key, and takes the old ones out at the end', async () => {
    const { env, owner } = await freshInstallation(store);
    const keys = join(env['INLAY_DATA_DIR'] ?? '', 'keys');
    const service = await startService({ env });
    const working = clients(service.url, owner);
    await working.fill(records);
    const old = readFileSync(join(keys, 'secret.key'), 'utf8');
    const stop = working.work();
    await rotate([env]);
    const retired = await inlay(['keys', 'rotate', '--retire'], env);
    expect(retired).toMatchObject({ code: 0, err: '' });
    await stop();
    expect(working.failed).toEqual([]);
    await service.stop();
    expect(readdirSync(keys).toSorted()).toEqual(['secret.key', 'secret.key.lock']);
    expect(readFileSync(join(keys, 'secret.key'), 'utf8')).not.toContain(old.trim());
    await expectRotated(env, working.tokens);
    rmSync(env['INLAY_DATA_DIR'] ?? '', { recursive: true, force: true });
  });

  it('begun twice at once is refused the second time where the keys are in a file', async () => {
    const { env } = await freshInstallation(store);
    const service = await startService({ env });
    await call(service.url, 'account', {
      key: env['INLAY_BOOTSTRAP_KEY'] ?? '',
      token: env['INLAY_BOOTSTRAP_TOKEN'] ?? '',
      properties: { provider: 'postgresql', token: 'a secret' },
    });
    const ends = await Promise.all([1, 2, 3].map(() => inlay(['keys', 'rotate'], env)));
    await service.stop();
    const refused = ends.filter(({ code }) => code !== 0).map(({ err }) => err);
    expect(new Set([...refused, 'Another rotation is running: wait until it has finished.\n']).size).toBe(1);
    const [sealedBy] = keysSeen(await everyRow(env)).named;
    expect(ringOf(env).current).toBe(sealedBy);
    rmSync(env['INLAY_DATA_DIR'] ?? '', { recursive: true, force: true });
  });
});

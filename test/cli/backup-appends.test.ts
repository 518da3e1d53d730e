import { cpSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { isList, isObject, type JsonObject } from '@inlay/contract';
import { call, freshInstallation, inlay, type Installation } from '../support/command.ts';
import { counted } from '../support/counts.ts';
import { startService, type ServiceProcess } from '../support/process.ts';
import { type Credential, storesToTest, type StoreName } from '../support/service.ts';
import { datasetIn, text } from '../support/world.ts';

vi.setConfig({ testTimeout: 3_600_000 });

/** Few of them are appended to more often, where the machine is slow. */
const datasets = counted(2, 10);
const backups = counted(2, 20);
/** Appends to each dataset in a second. */
const perSecond = 10;

class Client {
  readonly #service: ServiceProcess;
  readonly #owner: Credential;

  constructor(service: ServiceProcess, owner: Credential) {
    this.#service = service;
    this.#owner = owner;
  }

  async ok(resource: string, body: JsonObject): Promise<JsonObject> {
    const answer = await call(this.#service.url, resource, { ...body, ...this.#owner });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return answer.body;
  }

  async create(data: readonly (readonly number[])[]): Promise<string> {
    const rows = data.map((row) => [...row]);
    return datasetIn(await this.ok('data', { action: 'create', properties: { type: 'create', data: rows } })).id;
  }

  async append(id: string, row: number): Promise<void> {
    const properties = { type: 'append', securable_id: id, data: [[row, 1, 2, 3, 4, 5]] };
    await this.ok('data', { action: 'create', properties });
  }

  async count(id: string): Promise<number> {
    const measures = [{ dataset_id: id, column_id: '*', aggregation: { type: 'count' } }];
    const { data } = await this.ok('data', { action: 'get', find: { dimensions: [], measures } });
    const [first] = isList(data ?? null) && Array.isArray(data) ? data : [];
    return isList(first ?? null) && Array.isArray(first) ? Number(first[0]) : Number.NaN;
  }
}

/** Appends a row to each dataset ten times a second; returns how many rows of each are acknowledged. */
function load(client: Client, rows: Map<string, number>) {
  const state = { stopped: false };
  const worker = async (id: string): Promise<void> => {
    while (!state.stopped) {
      const from = performance.now();
      await client.append(id, rows.get(id) ?? 0);
      rows.set(id, (rows.get(id) ?? 0) + 1);
      await sleep(Math.max(0, from + 1000 / perSecond - performance.now()));
    }
  };
  const workers = Promise.all([...rows.keys()].map(worker));
  return {
    stop: async (): Promise<void> => {
      state.stopped = true;
      await workers;
    },
  };
}

const dataDirOf = (env: Installation): string => env['INLAY_DATA_DIR'] ?? '';

/**
 * Makes copying the store take as long as that of a large one: appends go on meanwhile. Gives settings for the command.
 */
function slowStore(store: StoreName, env: Installation, folder: string): Installation {
  if (store === 'sqlite') {
    const database = new DatabaseSync(join(dataDirOf(env), 'store', 'inlay.db'), { timeout: 10_000 });
    database.exec('create table padding as select zeroblob(150000000) as bytes');
    database.close();
    return env;
  }
  const path = process.env['PATH'] ?? '';
  writeFileSync(join(folder, 'pg_dump'), `#!/bin/sh\nPATH='${path}'; sleep 2; pg_dump "$@" && sleep 2\n`, {
    mode: 0o755,
  });
  return { ...env, PATH: `${folder}:${path}` };
}

const plain = ({ INLAY_BOOTSTRAP_KEY: _key, INLAY_BOOTSTRAP_TOKEN: _token, ...env }: Installation): Installation => env;

const checkOf = (doctor: string, name: string): unknown => {
  const { checks }: { readonly checks?: unknown } = JSON.parse(doctor);
  return Array.isArray(checks) ? checks.find((one: unknown) => isObject(one) && one['check'] === name) : undefined;
};

describe.each(storesToTest)('a backup on %s while rows are appended', (store) => {
  it('has the rows of every dataset that it names, and those acknowledged before it began', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'inlay-backup-appends-'));
    const { env, owner } = await freshInstallation(store);
    const service = await startService({ env });
    const client = new Client(service, owner);
    const rows = new Map<string, number>();
    // Rows put behind this many are in a file of their own.
    const first = Array.from({ length: 10_000 }, (_, n) => [n, 1, 2, 3, 4, 5]);
    for (let made = 0; made < datasets; made += 1) rows.set(await client.create(first), first.length);
    const settings = slowStore(store, env, folder);
    const loading = load(client, rows);
    const taken: { readonly file: string; readonly before: ReadonlyMap<string, number> }[] = [];
    for (let round = 0; round < backups; round += 1) {
      const before = new Map(rows);
      const file = join(folder, `${round}.backup`);
      expect(await inlay(['backup', file], settings)).toMatchObject({ code: 0, err: '' });
      taken.push({ file, before });
    }
    // The doctor looks at versions that are replaced meanwhile.
    expect(checkOf((await inlay(['doctor', '--json'], env)).out, 'stored rows')).toMatchObject({ level: 'ok' });
    await loading.stop();
    await service.stop();
    expect(readdirSync(join(dataDirOf(env), 'datasets', '.backup'))).toEqual([]);

    for (const { file, before } of taken) {
      const { env: to } = await freshInstallation(store);
      expect(await inlay(['restore', file], to)).toMatchObject({ code: 0, err: '' });
      const doctor = await inlay(['doctor', '--json'], to);
      expect(checkOf(doctor.out, 'stored rows'), doctor.out).toMatchObject({ level: 'ok' });
      const restored = await startService({ env: plain(to) });
      const reader = new Client(restored, owner);
      for (const [id, least] of before) expect(await reader.count(id)).toBeGreaterThanOrEqual(least);
      await restored.stop();
      rmSync(dataDirOf(to), { recursive: true, force: true });
    }
    for (const place of [folder, dataDirOf(env)]) rmSync(place, { recursive: true, force: true });
  });
});

it('rows that are missing or damaged fail a backup and a restore, and --partial leaves them out', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'inlay-backup-damaged-'));
  const { env, owner } = await freshInstallation('sqlite');
  const service = await startService({ env });
  const client = new Client(service, owner);
  const [whole, cut, lost] = [await client.create([[1]]), await client.create([[2]]), await client.create([[3]])];
  const { rows } = await client.ok('organization', { find: {} });
  const organization = text(isList(rows ?? null) && Array.isArray(rows) ? rows[0] : null, 'id');
  const fileIn = (place: string, id: string): string => {
    const home = join(place, organization, id);
    return join(home, readdirSync(home).find((name) => name.endsWith('.duckdb')) ?? '');
  };
  const good = join(folder, 'good.backup');
  expect(await inlay(['backup', good], env)).toMatchObject({ code: 0, err: '' });

  const live = join(dataDirOf(env), 'datasets');
  const [cutFile, lostFile] = [fileIn(live, cut), fileIn(live, lost)];
  truncateSync(cutFile, 4096);
  rmSync(lostFile);
  const refused = await inlay(['backup', join(folder, 'refused.backup')], env);
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.err).toContain(`dataset ${cut}: `);
  expect(refused.err).toContain('is damaged');
  expect(refused.err).toContain(`dataset ${lost}: `);
  expect(refused.err).toContain('is missing');
  expect(refused.err).not.toContain(whole);
  expect(readdirSync(folder).toSorted()).toEqual(['good.backup', 'good.backup.datasets']);
  const doctor = await inlay(['doctor', '--json'], env);
  expect(doctor.code).toBe(1);
  expect(checkOf(doctor.out, 'stored rows')).toMatchObject({
    level: 'fail',
    description: expect.stringContaining(cutFile),
  });
  const partial = await inlay(['backup', join(folder, 'partial.backup'), '--partial'], env);
  expect(partial).toMatchObject({ code: 0, err: expect.stringContaining(`dataset ${lost}: `) });

  // A copy of the files heals the datasets of the running service.
  for (const [id, path] of [
    [cut, cutFile],
    [lost, lostFile],
  ] as const)
    cpSync(fileIn(`${good}.datasets`, id), path);
  expect(await client.count(lost)).toBe(1);
  expect((await inlay(['backup', join(folder, 'healed.backup')], env)).code).toBe(0);
  await service.stop();

  truncateSync(fileIn(`${good}.datasets`, cut), 4096);
  const { env: to } = await freshInstallation('sqlite');
  const nothing = await inlay(['restore', good], to);
  expect(nothing).toMatchObject({ code: 1, out: '' });
  expect(nothing.err).toContain(`dataset ${cut}: `);
  expect(nothing.err).toContain('Nothing was restored');
  expect(readdirSync(dataDirOf(to))).toEqual([]);
  const rest = await inlay(['restore', good, '--partial'], to);
  expect(rest).toMatchObject({ code: 0, err: expect.stringContaining(`dataset ${cut}: `) });
  const restored = await startService({ env: plain(to) });
  const reader = new Client(restored, owner);
  expect([await reader.count(whole), await reader.count(lost)]).toEqual([1, 1]);
  await expect(reader.count(cut)).rejects.toThrow(/rows_missing/u);
  await restored.stop();
  for (const place of [folder, dataDirOf(env), dataDirOf(to)]) rmSync(place, { recursive: true, force: true });
});

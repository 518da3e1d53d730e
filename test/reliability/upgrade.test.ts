import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { isList, isObject, type JsonObject } from '@inlay/contract';
import { migrations } from '../../packages/service/src/store/migrations/index.ts';
import { call, inlay } from '../support/command.ts';
import { counted } from '../support/counts.ts';
import { describeStores } from '../support/load-pair.ts';
import { embeddedStore, type LoadStore } from '../support/load-store.ts';
import { firstOwner } from '../support/load.ts';
import { startService, type ServiceProcess } from '../support/process.ts';
import { lastRelease, Release, whyNoRelease } from '../support/released.ts';
import type { Credential } from '../support/service.ts';
import { StoredThings } from '../support/stored-things.ts';
import { text } from '../support/world.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const kills = counted(1, 20);

const schemaOf = async (store: LoadStore): Promise<number> => {
  const [row] = await store.rows('select count(*) as n from schema_migration');
  return Number(row?.['n']);
};

/** Makes a migration of a newer program known, as that program would. */
const noteMigration = (store: LoadStore, id: number): Promise<unknown> =>
  store.rows(
    `insert into schema_migration (id, name, applied_at) values (${id}, 'from the future', '2099-01-01T00:00:00.000Z')`,
  );

const isReady = async (url: string): Promise<boolean> => (await fetch(`${url}/readyz`)).ok;

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

  async create(resource: string, properties: JsonObject): Promise<JsonObject> {
    return this.ok(resource, { action: 'create', properties });
  }

  /** Names of dashboards that a search for a phrase finds. */
  async found(phrase: string): Promise<readonly string[]> {
    const { rows } = await this.ok('dashboard', { find: { where: { name: { contains: phrase } } } });
    return (Array.isArray(rows) ? rows : []).map((row: unknown) => text(isObject(row) ? row['name'] : null, 'en'));
  }
}

/** Makes a dashboard and a token for it, as somebody at work does. */
async function work(client: Client, name: string): Promise<Credential> {
  const id = text(await client.create('dashboard', { name: { en: name } }), 'id');
  const access = { dashboards: [{ id, rights: 'read' }] };
  const made = await client.create('authorization', { type: 'embed', username: name, access });
  return { key: text(made, 'id'), token: text(made, 'token') };
}

const reads = async (service: ServiceProcess, token: Credential): Promise<number> => {
  const { body } = await call(service.url, 'dashboard', { ...token, find: {} });
  const { rows } = body;
  return isList(rows ?? null) && Array.isArray(rows) ? rows.length : -1;
};

const noRelease = whyNoRelease(lastRelease);
if (noRelease !== undefined) process.stdout.write(`upgrades from the last release are not tested: ${noRelease}\n`);

/** Returns a new store, the settings of services on it, and its first owner. */
async function place(newStore: () => Promise<LoadStore>) {
  const store = await newStore();
  const { settings, credential } = firstOwner();
  return { store, owner: credential, env: { ...store.settings, ...settings, INLAY_RATE_LIMIT: '0' } };
}

describeStores((newStore) => {
  describe.skipIf(noRelease !== undefined)('an upgrade from the last release', () => {
    let release: Release;
    beforeAll(() => {
      release = new Release(lastRelease);
    });
    afterAll(() => release.remove());

    it('changes nothing while an instance of it runs, unless it is forced, and then loses nothing', async () => {
      const { store, env, owner } = await place(newStore);
      const old = await startService({ env, main: release.program });
      const before = await schemaOf(store);
      expect(before).toBeLessThan(migrations.length);
      const client = new Client(old, owner);
      const tokens = [await work(client, 'Written before')];

      // A port that is taken ends the start before the store is touched.
      const taken = await inlay(['start'], { ...env, INLAY_PORT: String(old.port) });
      expect(taken).toMatchObject({ code: 1, err: expect.stringContaining('The port is in use') });
      expect(await schemaOf(store)).toBe(before);
      await expect(startService({ env })).rejects.toThrow(/ended with 1:[^]*a program of an earlier version uses it/u);
      const refused = await inlay(['migrate'], env);
      expect(refused).toMatchObject({
        code: 1,
        err: expect.stringContaining('a program of an earlier version uses it'),
      });
      expect(await schemaOf(store)).toBe(before);
      tokens.push(await work(client, 'Written after the refusal'));
      expect(await isReady(old.url)).toBe(true);

      expect(await inlay(['migrate', '--force'], env)).toMatchObject({ code: 0, err: '' });
      const fresh = await startService({ env });
      tokens.push(await work(client, 'Written by the old program into the new schema'));
      expect(await old.stop()).toBe(0);
      const repaired = await inlay(['doctor', '--repair', '--json'], env);
      expect(repaired.out).toContain('"check": "repair"');
      for (const token of tokens) expect(await reads(fresh, token)).toBe(1);
      expect((await new Client(fresh, owner).found('Written')).toSorted()).toEqual([
        'Written after the refusal',
        'Written before',
        'Written by the old program into the new schema',
      ]);
      // The old program does not come back by accident.
      await expect(startService({ env, main: release.program })).rejects.toThrow(/newer than this program/u);
      expect(await fresh.stop()).toBe(0);
      await store.remove();
    });

    it('goes through once its instances are stopped, however many new ones start together', async () => {
      const { store, env, owner } = await place(newStore);
      const old = await startService({ env, main: release.program });
      const token = await work(new Client(old, owner), 'Written before');
      expect(await old.stop()).toBe(0);
      const services = await Promise.all([startService({ env }), startService({ env }), startService({ env })]);
      for (const service of services) expect(await reads(service, token)).toBe(1);
      expect(await Promise.all(services.map((service) => service.stop()))).toEqual([0, 0, 0]);
      await store.remove();
    });

    it('leaves every record and every row of datasets as it was', async () => {
      const { store, env, owner } = await place(newStore);
      const old = await startService({ env, main: release.program });
      const things = new StoredThings(owner);
      await things.make(old.url);
      const before = await things.seen(old.url);
      expect(await old.stop()).toBe(0);
      const fresh = await startService({ env });
      // Fields that the last release did not have are added to records.
      expect(await things.seen(fresh.url)).toMatchObject(before);
      expect(await fresh.stop()).toBe(0);
      const { out } = await inlay(['doctor'], env);
      expect(out).toContain('secrets: the available keys decrypt every secret');
      expect(out).toContain('stored rows: all rows of 2 datasets are there');
      await store.remove();
    });

    it('that is killed while it migrates is continued by the next start, and loses nothing', async () => {
      for (let kill = 0; kill < kills; kill += 1) {
        const { store, env, owner } = await place(newStore);
        const old = await startService({ env, main: release.program });
        const token = await work(new Client(old, owner), 'Written before');
        const things = new StoredThings(owner);
        await things.make(old.url);
        const before = await things.seen(old.url);
        expect(await old.stop()).toBe(0);
        await inlay(['migrate'], env, { said: '  ', afterMs: kill * 5 });
        const service = await startService({ env });
        expect(await schemaOf(store)).toBe(migrations.length);
        expect(await reads(service, token)).toBe(1);
        expect(await things.seen(service.url)).toMatchObject(before);
        expect(await service.stop()).toBe(0);
        await store.remove();
      }
    });
  });

  it('an instance stops writing once a newer program has changed the schema, and goes on reading', async () => {
    const { store, env, owner } = await place(newStore);
    const service = await startService({ env });
    const token = await work(new Client(service, owner), 'Written before');
    const next = migrations.length + 1;
    await noteMigration(store, next);
    const properties = { name: { en: 'x' } };
    const write = () => call(service.url, 'tag', { ...owner, action: 'create', properties });
    expect(await write()).toMatchObject({ status: 200 });
    await store.rows(`update schema_compatible set compatible_from = ${next}`);
    // From this moment on, however the write is sent.
    const refused = await write();
    expect(refused).toMatchObject({ status: 503, body: { code: 'store_newer' } });
    expect(await isReady(service.url)).toBe(false);
    expect(await reads(service, token)).toBe(1);
    await expect(startService({ env })).rejects.toThrow(/newer than this program/u);
    expect(await service.stop()).toBe(0);
    await store.remove();
  });

  it('an instance runs and starts beside a newer program whose migrations only add', async () => {
    const { store, env, owner } = await place(newStore);
    const service = await startService({ env });
    await noteMigration(store, migrations.length + 1);
    const second = await startService({ env });
    for (const one of [service, second]) await work(new Client(one, owner), 'Written beside it');
    expect(await Promise.all([service.stop(), second.stop()])).toEqual([0, 0]);
    expect(await store.rows('select id from schema_lease')).toEqual([]);
    await store.remove();
  });

  it('a migration that changes the schema is refused while an older instance holds a lease, and not after it ended', async () => {
    const { store, env } = await place(newStore);
    const service = await startService({ env });
    const last = migrations.findLast(({ addsOnly }) => addsOnly !== true)?.id ?? 0;
    // As if the program that runs did not know the last migration that does more than add.
    await store.rows(`delete from schema_migration where id >= ${last}`);
    await store.rows(`update schema_lease set schema = ${last - 1}`);
    const refused = await inlay(['migrate'], env);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining(`(schema ${last - 1})`) });
    expect(await schemaOf(store)).toBe(last - 1);
    expect(await service.stop()).toBe(0);
    expect(await store.rows('select id from schema_lease')).toEqual([]);
    await store.remove();
  });
});

it('columns that do not agree with their record are mended, and no others', async () => {
  const store = embeddedStore();
  const { settings, credential: owner } = firstOwner();
  const env = { ...store.settings, ...settings };
  const service = await startService({ env });
  const client = new Client(service, owner);
  for (const name of ['Orders', 'Returns']) await work(client, name);
  expect((await inlay(['doctor', '--repair', '--json'], env)).out).toContain('every record agrees with its columns');
  await store.rows(`update securable set name_text = null, type = null, texts = '{}' where name_text = 'orders'`);
  expect(await client.found('Orders')).toEqual([]);
  expect((await inlay(['doctor', '--repair', '--json'], env)).out).toContain('1 records of securable were mended');
  expect(await client.found('Orders')).toEqual(['Orders']);
  expect(await service.stop()).toBe(0);
  await store.remove();
});

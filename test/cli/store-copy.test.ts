import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeFile } from '../../packages/service/src/app/store/open-store.ts';
import { migrations } from '../../packages/service/src/store/migrations/index.ts';
import { call, inlay } from '../support/command.ts';
import { counted } from '../support/counts.ts';
import { embeddedStore, serverStore, type LoadStore } from '../support/load-store.ts';
import { firstOwner } from '../support/load.ts';
import { havePostgres, startPostgres, type Postgres } from '../support/postgres.ts';
import { startService } from '../support/process.ts';
import { StoredThings, type Seen } from '../support/stored-things.ts';

const kills = counted(1, 40);

describe.skipIf(havePostgres() !== undefined)('a copy of a store', () => {
  const folder = mkdtempSync(join(tmpdir(), 'inlay-copy-'));
  const { settings, credential } = firstOwner();
  const things = new StoredThings(credential);
  let server: Postgres;
  let source: LoadStore;
  let before: Seen;
  const key = { INLAY_SECRET_KEY: randomBytes(32).toString('base64') };
  const env = (store: LoadStore) => ({ ...settings, ...key, ...store.settings });

  beforeAll(async () => {
    server = await startPostgres();
    source = embeddedStore();
    const service = await startService({ env: env(source) });
    await things.make(service.url);
    before = await things.seen(service.url);
    await service.stop();
  });
  afterAll(async () => {
    await source.remove();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Returns the rows of tables of records, with all columns, their order and their encrypted secrets. */
  const rawRows = async (store: LoadStore): Promise<readonly unknown[]> => {
    const rows: unknown[] = [];
    for (const table of [
      'account',
      'authorization',
      'column',
      'dashboardversion',
      'link',
      'securable',
      'share',
      'user',
    ]) {
      const order = table === 'link' ? 'first_id, target_id, association' : 'seq';
      for (const { texts: _texts, ...row } of await store.rows(`select * from "${table}" order by ${order}`))
        rows.push(
          Object.fromEntries(
            Object.entries(row).map(([name, value]) => [name, typeof value === 'number' ? String(value) : value]),
          ),
        );
    }
    return rows;
  };

  it('has every record, secret and row of the source, in PostgreSQL and back in SQLite', async () => {
    const target = await serverStore(server);
    const copied = await inlay(['store', 'copy', source.dataDir, 'INLAY_DATABASE_URL'], env(target));
    expect(copied).toMatchObject({ code: 0, err: '' });
    expect(copied.out).toMatch(/securable: \d+ rows[^]*\d+ rows of \d+ tables are in the target and equal/u);
    expect(copied.out).toContain(`The rows of datasets are in ${target.dataDir}`);
    expect(await rawRows(target)).toEqual(await rawRows(source));

    const back = join(folder, 'back');
    const again = await inlay(['store', 'copy', 'INLAY_DATABASE_URL', back], env(target));
    expect(again).toMatchObject({ code: 0, err: '' });
    for (const one of [env(target), { ...settings, ...key, INLAY_DATA_DIR: back }]) {
      const service = await startService({ env: one });
      expect(await things.seen(service.url)).toEqual(before);
      const find = { where: { name: { contains: 'cond' } } };
      const found = await call(service.url, 'securable', { ...credential, action: 'get', find });
      expect(JSON.stringify(found.body)).toContain('Second');
      const made = await call(service.url, 'tag', { ...credential, properties: { name: { en: 'After the copy' } } });
      expect(made.status).toBe(200);
      expect(await service.stop()).toBe(0);
      expect((await inlay(['doctor'], one)).out).toContain('secrets: the available keys decrypt every secret');
    }
    await target.remove();
  });

  it('is refused from a store in use, of another schema or that is none, and into one that is there', async () => {
    const target = await serverStore(server);
    const copy = (from: string, to: string) => inlay(['store', 'copy', from, to], env(target));
    const toDatabase = (from: string) => copy(from, 'INLAY_DATABASE_URL');
    const isEmpty = async (): Promise<void> => {
      expect(await target.rows(`select tablename from pg_tables where schemaname = 'public'`)).toEqual([]);
    };
    const running = await startService({ env: env(source) });
    expect(await toDatabase(source.dataDir)).toMatchObject({
      code: 1,
      err: expect.stringContaining('Stop the service'),
    });
    await running.stop();
    await source.rows(`insert into schema_migration values (${migrations.length + 1}, 'next', '2026-01-01')`);
    expect(await toDatabase(source.dataDir)).toMatchObject({ code: 1, err: expect.stringContaining('newer version') });
    await source.rows(`delete from schema_migration where id >= ${migrations.length}`);
    expect(await toDatabase(source.dataDir)).toMatchObject({ code: 1, err: expect.stringContaining('inlay migrate') });
    const name = migrations.at(-1)?.name ?? '';
    await source.rows(`insert into schema_migration values (${migrations.length}, '${name}', '2026-01-01')`);
    expect(await toDatabase(join(folder, 'nowhere'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('no store'),
    });
    await isEmpty();
    await target.rows('create table theirs (id text)');
    expect(await toDatabase(source.dataDir)).toMatchObject({ code: 1, err: expect.stringContaining('(theirs)') });
    expect(await copy('INLAY_DATABASE_URL', join(folder, 'x'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('no store'),
    });
    expect(await copy(source.dataDir, source.dataDir)).toMatchObject({ code: 1 });
    expect(await copy(source.dataDir, 'postgres://[')).toMatchObject({ code: 2 });
    await target.remove();

    const used = await serverStore(server);
    const service = await startService({ env: env(used) });
    const busy = await inlay(['store', 'copy', 'INLAY_DATABASE_URL', join(folder, 'busy')], env(used));
    expect(busy).toMatchObject({ code: 1, err: expect.stringContaining('in use') });
    await service.stop();
    await used.remove();
  });

  it('that is killed in the middle leaves no store, and is made by the next try', async () => {
    for (let kill = 0; kill < kills; kill += 1) {
      const target = await serverStore(server);
      const one = env(target);
      const afterMs = (kill % 10) * 30;
      await inlay(['store', 'copy', source.dataDir, 'INLAY_DATABASE_URL'], one, { said: 'Copying', afterMs });
      // The server ends the transaction of a connection that is gone a little later.
      const seen = () => target.rows(`select count(*)::int as n from pg_tables where schemaname = 'public'`);
      const [made] = await seen();
      if (made?.['n'] === 0) {
        const again = await inlay(['store', 'copy', source.dataDir, 'INLAY_DATABASE_URL'], one);
        expect(again).toMatchObject({ code: 0, err: '' });
      }
      expect(await rawRows(target)).toEqual(await rawRows(source));

      const back = join(folder, `killed-${kill}`);
      await inlay(['store', 'copy', 'INLAY_DATABASE_URL', back], one, { said: 'Copying', afterMs });
      if (!existsSync(storeFile(back))) {
        // The server may still hold the transaction of the killed process.
        const again = await inlay(['store', 'copy', 'INLAY_DATABASE_URL', back], one);
        expect(again).toMatchObject({ code: 0, err: '' });
      }
      expect(readdirSync(join(back, 'store')).filter((name) => name === 'inlay.db')).toHaveLength(1);
      expect(await rawRows(embeddedStore(back))).toEqual(await rawRows(source));
      await target.remove();
    }
  }, 600_000);
});

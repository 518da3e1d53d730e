import { existsSync, readFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { storeFile } from '../../packages/service/src/app/store/open-store.ts';
import { migrations } from '../../packages/service/src/store/migrations/index.ts';
import { counted } from '../support/counts.ts';
import { describeStores } from '../support/load-pair.ts';
import type { LoadStore, StoredRow } from '../support/load-store.ts';
import { between, done, firstOwner, openClient } from '../support/load.ts';
import { inlayProgram, startService } from '../support/process.ts';

// Each count is shared between the two stores.
const starts = counted(1, 25);
const kills = counted(1, 25);

const schemaTexts = {
  sqlite: `select sql as line from sqlite_schema where sql is not null and name not like 'sqlite_%' order by type, name`,
  postgres: `select line from (
    select format('%s.%s %s %s', table_name, column_name, data_type,
      case is_nullable when 'NO' then 'not null' else '' end) as line from information_schema.columns
      where table_schema = 'public'
    union all select indexdef from pg_indexes where schemaname = 'public'
    union all select format('%s: %s', conrelid::regclass, pg_get_constraintdef(oid)) from pg_constraint
      where connamespace = 'public'::regnamespace
    union all select format('extension %s', extname) from pg_extension where extname <> 'plpgsql') as described order by line collate "C"`,
} as const;

const linesOf = (rows: readonly StoredRow[]): string => rows.map(({ line }) => `${String(line).trimEnd()}\n`).join('');
const schemaOf = async (store: LoadStore): Promise<string> => linesOf(await store.rows(schemaTexts[store.name]));
const fixture = (store: LoadStore): string => join(import.meta.dirname, `../fixtures/schema/${store.name}.txt`);
const applied = (store: LoadStore): Promise<readonly StoredRow[]> =>
  store.rows('select id, name from schema_migration order by id');
const expected = migrations.map(({ id, name }) => ({ id, name }));

/** True if a migration may be under way: the file is made, or a session of the service is there. */
async function begun(store: LoadStore): Promise<boolean> {
  if (store.name === 'sqlite') return existsSync(storeFile(store.dataDir));
  return (
    (
      await store.rows(
        `select 1 from pg_stat_activity where application_name = 'inlay service' and datname = current_database()`,
      )
    ).length > 0
  );
}

describeStores((newStore) => {
  test('instances that start together on a fresh store apply each migration once and make one first organization', async () => {
    for (let turn = 0; turn < starts; turn += 1) {
      const store = await newStore();
      const owner = firstOwner();
      const env = { ...store.settings, ...owner.settings };
      const services = await Promise.all(
        Array.from({ length: between(2, counted(4, 8)) }, () => startService({ env, isFirstStart: true })),
      );
      expect((await applied(store)).map(({ id, name }) => ({ id, name }))).toEqual(expected);
      const [count] = await store.rows('select count(*) as n from organization');
      expect(Number(count?.['n'])).toBe(1);
      for (const service of services) {
        const client = openClient(service.url, owner.credential);
        done(await client.call('tag', { action: 'create', properties: { name: { en: 'here' } } }));
        client.close();
      }
      expect(await Promise.all(services.map((service) => service.stop()))).toEqual(services.map(() => 0));
      await store.remove();
    }
  }, 1_800_000);

  test('an instance killed while it migrates is continued by the next start, to the same schema', async () => {
    for (let turn = 0; turn < kills; turn += 1) {
      const store = await newStore();
      const env = { ...store.settings, ...firstOwner().settings };
      const child = spawn(process.execPath, [inlayProgram, 'start'], {
        env: { ...process.env, ...env, INLAY_PORT: '0' },
        stdio: 'ignore',
      });
      const ended = once(child, 'exit');
      for (const limit = Date.now() + 10_000; !(await begun(store)) && Date.now() < limit;) await sleep(1);
      await sleep(between(0, 80));
      child.kill('SIGKILL');
      await ended;
      const service = await startService({ env, isFirstStart: true });
      expect((await applied(store)).map(({ id, name }) => ({ id, name }))).toEqual(expected);
      await expect(await schemaOf(store)).toMatchFileSnapshot(fixture(store));
      expect(await service.stop()).toBe(0);
      await store.remove();
    }
  }, 1_800_000);

  test('a store that is newer than the program is refused in plain words, and left alone', async () => {
    const store = await newStore();
    const env = { ...store.settings, ...firstOwner().settings };
    const service = await startService({ env });
    expect(await service.stop()).toBe(0);
    const next = migrations.length + 1;
    await store.rows(
      `insert into schema_migration (id, name, applied_at) values (${next}, 'from the future', '2099-01-01T00:00:00.000Z')`,
    );
    await store.rows(`update schema_compatible set compatible_from = ${next}`);
    await expect(startService({ env })).rejects.toThrow(/ended with 1:[^]*the store is newer than this program/u);
    expect(await applied(store)).toHaveLength(next);
    await store.remove();
  });
});

test('no index over some rows compares a column with a text: SQLite would prepare statements again for each value they bind', () => {
  const schema = readFileSync(join(import.meta.dirname, '../fixtures/schema/sqlite.txt'), 'utf8');
  const indexes = schema.split(/^(?=CREATE )/mu).filter((text) => /^CREATE (?:UNIQUE )?INDEX/u.test(text));
  expect(indexes.length).toBeGreaterThan(20);
  expect(indexes.filter((text) => /\bwhere\s+"?\w+"?\s*=/u.test(text))).toEqual([]);
});

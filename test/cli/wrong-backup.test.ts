import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrations } from '../../packages/service/src/store/migrations/index.ts';
import { freshInstallation, inlay, type Installation } from '../support/command.ts';
import { startService } from '../support/process.ts';
import { type StoreName, bothStores } from '../support/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'inlay-wrong-backup-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

/** Files that are no backup, and what the refusal calls them. */
const others = (): readonly (readonly [string, RegExp])[] => {
  const foreign = join(folder, 'foreign.db');
  const database = new DatabaseSync(foreign);
  database.exec('create table if not exists theirs (id text)');
  database.close();
  mkdirSync(join(folder, 'folder'), { recursive: true });
  return [
    [foreign, /it is a SQLite database of another program/u],
    [file('empty', ''), /it is empty/u],
    [join(folder, 'folder'), /it is a folder/u],
    [file('packed.gz', gzipSync('x')), /it is compressed with gzip/u],
    [file('text.sql', '-- PostgreSQL database dump\n'), /it is SQL as text/u],
    [file('letter.txt', 'Dear operator'), /it is of an unknown format/u],
    [file('damaged.db', Buffer.from(`SQLite format 3\0${'x'.repeat(5000)}`)), /it is a SQLite file that is damaged/u],
    [join(folder, 'missing'), /there is no backup at/u],
  ];
};

describe.each(bothStores)('a file that is no backup, restored to %s,', (store) => {
  const backups = new Map<StoreName, string>();
  let to: Installation;
  beforeAll(async () => {
    for (const name of bothStores) {
      const { env } = await freshInstallation(name);
      await (await startService({ env })).stop();
      const target = join(folder, `${store}-${name}`);
      expect(await inlay(['backup', target], env)).toMatchObject({ code: 0 });
      backups.set(name, target);
    }
    to = (await freshInstallation(store)).env;
  });

  it.runIf(store === 'sqlite')(
    'is refused by what it is',
    async () => {
      for (const [path, says] of others()) {
        const refused = await inlay(['restore', path], to);
        expect(refused, path).toMatchObject({ code: 1, out: '', err: expect.stringMatching(says) });
      }
    },
    60_000,
  );

  it('is refused where it is that of another kind of store, with the way to restore it', async () => {
    for (const [name, path] of backups) {
      if (name === store) continue;
      const refused = await inlay(['restore', path], to);
      expect(refused).toMatchObject({ code: 1, out: '' });
      expect(refused.err).toMatch(
        store === 'sqlite'
          ? /is a backup of a PostgreSQL store or database, and the settings name a SQLite store\. .*INLAY_DATABASE_URL/u
          : /is a SQLite store of this program, and the settings name a PostgreSQL store\. .*inlay store copy/u,
      );
    }
  });
});

it('a backup of a newer version is refused as such, whatever else it has', async () => {
  const { env } = await freshInstallation('sqlite');
  await (await startService({ env })).stop();
  const target = join(folder, 'newer');
  await inlay(['backup', target], env);
  const database = new DatabaseSync(target);
  database.exec(`insert into schema_migration values (${migrations.length + 1}, 'next', '2099-01-01');
    alter table securable rename column data_version to rows_version`);
  database.close();
  const refused = await inlay(['restore', target], (await freshInstallation('sqlite')).env);
  expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringContaining('made by a newer version') });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { migrations } from '../../../packages/service/src/store/migrations/index.ts';
import { openPostgresStore } from '../../../packages/service/src/store/postgres/open.ts';
import { openSqliteStore } from '../../../packages/service/src/store/sqlite/open.ts';
import type { Store } from '../../../packages/service/src/store/store.ts';
import { havePostgres, startPostgres, type Postgres } from '../postgres.ts';
import { performer, type PlaceCommand } from './place.ts';

/** Opens one store with the first migrations applied, this many of them. */
export type OpenAtStep = (steps: number) => Promise<Store<PlaceCommand, number>>;

const place = new URL('./place.ts', import.meta.url).href;

/** New stores for tests of migrations, on a cluster and in a folder that last as long as the tests of the file. */
export function useMigratedStores(): Readonly<Record<'sqlite' | 'postgres', () => Promise<OpenAtStep>>> {
  const folder = mkdtempSync(join(tmpdir(), 'inlay-migrated-'));
  let cluster: Postgres | undefined;
  beforeAll(async () => {
    if (havePostgres() === undefined) cluster = await startPostgres();
  });
  afterAll(async () => {
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    sqlite: async () => {
      const file = join(mkdtempSync(join(folder, 'store-')), 'store.db');
      return (steps) =>
        openSqliteStore({ file, performer: { module: place, data: null }, migrations: migrations.slice(0, steps) });
    },
    postgres: async () => {
      const url = (await cluster?.createDatabase()) ?? '';
      return (steps) => openPostgresStore({ url, perform: performer(), migrations: migrations.slice(0, steps) });
    },
  };
}

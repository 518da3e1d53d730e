import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import postgres from 'postgres';
import { storeFile } from '../../packages/service/src/app/store/open-store.ts';
import type { Postgres } from './postgres.ts';
import type { StoreName } from './service.ts';

export type StoredRow = Readonly<Record<string, unknown>>;

/** A store that service processes share, with a way to look into it behind their back. */
export interface LoadStore {
  readonly name: StoreName;
  /** The settings that make a service use it; the key file is in the data folder. */
  readonly settings: Readonly<Record<string, string>>;
  readonly dataDir: string;
  /** Runs fixed text and returns its rows. */
  rows(text: string): Promise<readonly StoredRow[]>;
  remove(): Promise<void>;
}

/** Returns a new embedded store without a file yet, or the one in a data folder. */
export function embeddedStore(dataDir = mkdtempSync(join(tmpdir(), 'inlay-load-'))): LoadStore {
  return {
    name: 'sqlite',
    dataDir,
    settings: { INLAY_DATA_DIR: dataDir },
    rows: async (text) => {
      const database = new DatabaseSync(storeFile(dataDir), { timeout: 5_000 });
      try {
        return database.prepare(text).all();
      } finally {
        database.close();
      }
    },
    remove: async () => rmSync(dataDir, { recursive: true, force: true }),
  };
}

/** Returns a new database of the server. `through`: the address the services are given instead, such as a proxy's. */
export async function serverStore(server: Postgres, through?: (url: string) => string): Promise<LoadStore> {
  const dataDir = mkdtempSync(join(tmpdir(), 'inlay-load-'));
  const url = await server.createDatabase();
  return {
    name: 'postgres',
    dataDir,
    settings: { INLAY_DATA_DIR: dataDir, INLAY_DATABASE_URL: through?.(url) ?? url, INLAY_POSTGRES_POOL: '6' },
    rows: async (text) => {
      const sql = postgres(url, { max: 1, onnotice: () => undefined });
      try {
        return await sql.unsafe<StoredRow[]>(text);
      } finally {
        await sql.end({ timeout: 5 });
      }
    },
    remove: async () => rmSync(dataDir, { recursive: true, force: true }),
  };
}

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import postgres from 'postgres';
import type { TestProject } from 'vitest/node';
import { readConfig } from '../../packages/service/src/config/config.ts';
import { openStore, storeFile } from '../../packages/service/src/app/store/open-store.ts';
import { havePostgres, startPostgres, type Postgres } from './postgres.ts';

/** The PostgreSQL server that all test files share. */
export interface SharedPostgres {
  readonly url: string;
  /** A database in which a service has made its tables, to copy. */
  readonly withTables: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The file of an embedded store in which a service has made its tables, to copy. */
    readonly storeWithTables: string;
    /** Null where no server can be started. */
    readonly sharedPostgres: SharedPostgres | null;
  }
}

const withTables = 'inlay_with_tables';

/** Makes the tables of a service in the store that the settings name. */
async function makeTables(settings: Readonly<Record<string, string>>): Promise<void> {
  const store = await openStore(readConfig({ ...settings }, () => '').config);
  await store.close();
}

async function startShared(dataDir: string): Promise<Postgres> {
  const server = await startPostgres();
  const sql = postgres(server.url(), { max: 1, onnotice: () => undefined });
  await sql.unsafe(`create database ${withTables}`);
  await sql.end();
  await makeTables({ INLAY_DATA_DIR: dataDir, INLAY_DATABASE_URL: server.url(withTables) });
  return server;
}

/** Run by vitest before any test and, with what it returns, after all. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'inlay-test-'));
  mkdirSync(dirname(storeFile(dataDir)), { recursive: true });
  await makeTables({ INLAY_DATA_DIR: dataDir });
  provide('storeWithTables', storeFile(dataDir));
  process.env['STORE_WITH_TABLES'] = storeFile(dataDir);
  const server = havePostgres() === undefined ? await startShared(dataDir) : null;
  provide('sharedPostgres', server === null ? null : { url: server.url(), withTables });
  return async () => {
    await server?.stop();
    rmSync(dataDir, { recursive: true });
  };
}

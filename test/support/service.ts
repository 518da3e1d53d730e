import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import postgres from 'postgres';
import { inject } from 'vitest';
import { isObject, type Json, type JsonObject } from '@inlay/contract';
import { buildApp, type App } from '../../packages/service/src/app/app.ts';
import type { AppOptions } from '../../packages/service/src/app/options.ts';
import { openStore, storeFile } from '../../packages/service/src/app/store/open-store.ts';
import { readConfig } from '../../packages/service/src/config/config.ts';
import { name, sql } from '../../packages/service/src/store/sql.ts';
import { tokenHash } from '../../packages/service/src/resources/parts/tokens.ts';
import { havePostgres } from './postgres.ts';
import { checkAnswer } from './answers.ts';
import { isFull } from './counts.ts';
import type { SharedPostgres } from './shared-stores.ts';
import { isStored } from '../../packages/service/src/declare/declaration.ts';

export interface Credential {
  readonly key: string;
  readonly token: string;
}

export interface Answer {
  readonly status: number;
  readonly body: Json;
  readonly headers: Record<string, string>;
}

export interface TestService {
  /** POST /0.1.0/<resource> with the JSON body plus the credential's key and token (none when undefined). */
  call(resource: string, body: object, credential?: Credential, headers?: Record<string, string>): Promise<Answer>;
  /** The first owner's api key. */
  readonly owner: Credential;
  readonly storeName: StoreName;
  readonly app: App;
  readonly server: FastifyInstance;
  /** Folder of the embedded store and of the key file. */
  readonly dataDir: string;
  /** PostgreSQL database of this service; undefined on SQLite. */
  readonly databaseUrl: string | undefined;
  /** Returns a hash over every row of every table but kept answers and times of last use. */
  stateHash(): Promise<string>;
  stop(): Promise<void>;
}

export type StoreName = 'sqlite' | 'postgres';

const missing = havePostgres();
if (missing !== undefined) process.stdout.write(`skipped on PostgreSQL: ${missing}\n`);

export const havePostgresServer = missing === undefined;

/** Both stores, for tests of what differs between them. PostgreSQL only where it can be started; the skip is printed. */
export const bothStores: readonly StoreName[] = havePostgresServer ? ['sqlite', 'postgres'] : ['sqlite'];

/** The store of tests that take one: INLAY_TEST_STORE, or the embedded one. */
export const oneStore: StoreName = bothStores.find((name) => name === process.env['INLAY_TEST_STORE']) ?? 'sqlite';

/** The stores of this run: the embedded one in `npm test`, PostgreSQL in `npm run test:stores`, both in `npm run test:full`. */
export const storesToTest: readonly StoreName[] =
  isFull && process.env['INLAY_TEST_STORE'] === undefined ? bothStores : [oneStore];

const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`);

/** Removes the databases of test processes that have ended. */
async function dropLeft(sql: postgres.Sql): Promise<void> {
  const found = await sql<{ datname: string }[]>`select datname from pg_database where datname ~ '^inlay_[0-9]+_'`;
  for (const { datname } of found)
    if (!isAlive(Number(datname.split('_')[1]))) await sql.unsafe(`drop database if exists ${datname} with (force)`);
}

const databases = { made: 0 };

/** Returns a fresh database in the server that all test files share; with the tables of the service where so asked. */
export async function freshDatabase(template?: 'with tables'): Promise<string> {
  const server: SharedPostgres | null = inject('sharedPostgres');
  if (server === null) throw new Error(missing);
  const sql = postgres(server.url, { max: 1, onnotice: () => undefined });
  try {
    if (databases.made === 0) await dropLeft(sql);
    databases.made += 1;
    const database = `inlay_${process.pid}_${databases.made}`;
    const like = template === undefined ? '' : `template ${server.withTables}`;
    await sql.unsafe(`create database ${database} ${like} strategy file_copy`);
    const url = new URL(server.url);
    url.pathname = database;
    return url.href;
  } finally {
    await sql.end();
  }
}

const withoutUse = (record: Json): Json =>
  isObject(record)
    ? Object.fromEntries(Object.entries(record).filter(([member]) => member !== 'last_used_at'))
    : record;

async function hashOf({ service: { store, registry } }: App): Promise<string> {
  const hash = createHash('sha256');
  for (const resource of registry.resources) {
    if (!isStored(resource)) continue;
    const rows = await store.rows(sql`select * from ${name(resource.name)} order by id`);
    for (const row of rows) {
      const { seq: _seq, last_used_at: _used, revision, record, ...rest } = row;
      const parsed: Json = JSON.parse(String(record));
      const shown = resource.name === 'authorization' ? [withoutUse(parsed)] : [parsed, revision];
      hash.update(JSON.stringify([resource.name, rest, shown]));
    }
  }
  for (const row of await store.rows(sql`select * from link order by first_id, target_id, association`))
    hash.update(JSON.stringify(row));
  return hash.digest('hex');
}

export interface TestOptions {
  readonly store: StoreName;
  /** INLAY_* variables. */
  readonly settings?: Record<string, string>;
  readonly now?: () => number;
  /** Folder to use instead of a fresh one; it is kept. */
  readonly dataDir?: string;
  /** Database to use instead of a fresh one. */
  readonly databaseUrl?: string;
  /** Keys that a row filter sends along to another place. */
  readonly filterKeys?: number;
  /** Where log lines go; nowhere by default. */
  readonly log?: (line: string) => void;
  /** Puts something between the service and its store. */
  readonly around?: (store: AppOptions['store']) => AppOptions['store'];
}

const parse = (text: string): Json => {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
};

/** Builds the real app on a real store, without a port. Every successful answer is held against the OpenAPI description. */
export async function startTestService({
  store: storeName,
  settings = {},
  now,
  dataDir: given,
  databaseUrl: database,
  filterKeys,
  log,
  around = (store) => store,
}: TestOptions): Promise<TestService> {
  const dataDir = given ?? mkdtempSync(join(tmpdir(), 'inlay-test-'));
  const databaseUrl = storeName === 'postgres' ? (database ?? (await freshDatabase('with tables'))) : undefined;
  const owner = { key: randomUUID(), token: randomBytes(32).toString('base64url') };
  const env = {
    INLAY_DATA_DIR: dataDir,
    INLAY_DEMO: 'false',
    INLAY_RATE_LIMIT: '0',
    INLAY_LOGIN_RATE_LIMIT: '0',
    INLAY_POSTGRES_POOL: '5',
    INLAY_MAX_EVENT_LOOP_DELAY_MS: '60000',
    INLAY_LOG_LEVEL: log === undefined ? 'silent' : 'info',
    ...(databaseUrl === undefined ? {} : { INLAY_DATABASE_URL: databaseUrl }),
    ...settings,
  };
  const { config } = readConfig(env, () => '');
  mkdirSync(dirname(storeFile(dataDir)), { recursive: true });
  if (given === undefined && storeName === 'sqlite') copyFileSync(inject('storeWithTables'), storeFile(dataDir));
  const store = await openStore(config, now);
  const logger = pino({ level: config.logLevel }, { write: (line: string) => log?.(line) });
  const options: AppOptions = {
    config,
    logger,
    store: around(store),
    onAnswer: checkAnswer,
    ...(now === undefined ? {} : { now }),
    ...(filterKeys === undefined ? {} : { filterKeys }),
  };
  const app = await buildApp(options);
  await store.write({
    kind: 'bootstrap',
    first: {
      organizationName: 'First',
      owner: { email: 'first@example.com', name: 'First owner', passwordHash: null, level: 3 },
      key: owner.key,
      tokenHash: tokenHash(owner.token),
    },
  });
  return {
    owner,
    storeName,
    app,
    server: app.server,
    dataDir,
    databaseUrl,
    call: async (resource, body, credential, headers = {}) => {
      const payload: JsonObject = { ...Object.fromEntries(Object.entries(body)), ...credential };
      const answered = await app.server.inject({
        method: 'POST',
        url: `/0.1.0/${resource}`,
        headers: { 'content-type': 'application/json', ...headers },
        payload: JSON.stringify(payload),
      });
      const shown = Object.entries(answered.headers).map(([header, value]) => [header, String(value)] as const);
      return { status: answered.statusCode, body: parse(answered.body), headers: Object.fromEntries(shown) };
    },
    stateHash: () => hashOf(app),
    stop: async () => {
      await app.server.close();
      await app.close();
      if (given === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

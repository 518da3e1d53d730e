import {
  chmodSync,
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { join } from 'node:path';
import type { Json } from '@inlay/contract';
import postgres from 'postgres';
import { startPostgres } from '../../test/support/postgres.ts';
import { startService, type ServiceProcess } from '../../test/support/process.ts';
import { part, text } from '../../test/support/world.ts';
import { columnIn, createBoard, datasetOf, rowsIn, type Board, type Call, type Dataset, type Login } from './board.ts';
import { customersTable, ordersTable, visitsTable, writeRows, type LoadTable } from './rows.ts';

export const owner: Login = { key: '01890a5d-ac96-774b-bcce-b302099a8057', token: 'q7ZrW2nP9sXvB4mKd8TfGhJyLcE5uA3w' };

/** Two dashboards over the same orders: the filter of one follows the link to the customers, that of the other does not. */
export interface LinkedBoards {
  readonly linked: Board;
  readonly unlinked: Board;
}

export interface LoadWorld {
  readonly service: ServiceProcess;
  readonly engine: Board;
  readonly source: Board;
  /** `files` returns the files of the current versions by table. */
  readonly linkedEngine: LinkedBoards & { readonly files: () => Readonly<Record<string, string>> };
  readonly linkedSource: LinkedBoards & { readonly url: URL };
  readonly close: () => Promise<void>;
}

export interface LoadSizes {
  readonly engineRows: number;
  readonly sourceRows: number;
  readonly linkedRows: number;
  readonly viewers: number;
  readonly linkedViewers: number;
}

async function fillPostgres(url: URL, tables: readonly { readonly table: LoadTable; readonly csv: string }[]) {
  const sql = postgres(url.href, { max: 1, onnotice: () => undefined });
  for (const { table, csv } of tables) {
    await sql.unsafe(`create table ${table.name} (${table.definition})`);
    await sql.unsafe(`copy ${table.name} from '${csv}' (format csv, header)`);
    for (const column of table.indexes) await sql.unsafe(`create index on ${table.name} (${column})`);
    await sql.unsafe(`vacuum analyze ${table.name}`);
  }
  await sql.end();
}

/** Returns a function that calls a service as its owner. */
export function ownerCall(service: ServiceProcess): Call {
  return async (resource, body) => {
    const answer = await fetch(`${service.url}/0.1.0/${resource}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.key}:${owner.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const result: Json = JSON.parse(await answer.text());
    if (!answer.ok) throw new Error(JSON.stringify(result));
    return result;
  };
}

/** Uploads a Parquet file; returns the id of the dataset. */
export async function upload(service: ServiceProcess, parquet: string, name: string): Promise<string> {
  const request: RequestInit = {
    method: 'POST',
    duplex: 'half',
    body: Readable.toWeb(createReadStream(parquet)),
    headers: {
      authorization: `Bearer ${owner.key}:${owner.token}`,
      'content-type': 'application/vnd.apache.parquet',
      'content-length': String(statSync(parquet).size),
    },
  };
  const answer = await fetch(`${service.url}/0.1.0/data/file?name=${name}`, request);
  const result: Json = JSON.parse(await answer.text());
  if (!answer.ok) throw new Error(JSON.stringify(result));
  return text(part(result, 'dataset') ?? rowsIn(result)[0] ?? result, 'id');
}

const link = (call: Call, from: Dataset, to: Dataset): Promise<Json> =>
  call('column', {
    action: 'associate',
    id: columnIn(from, 'customer_id'),
    resource: { role: 'Joins', id: columnIn(to, 'id') },
    properties: { type: 'lookup' },
  });

async function linkedBoards(call: Call, orders: string, customers: string, viewers: number): Promise<LinkedBoards> {
  const [fact, filtered] = [await datasetOf(call, orders), await datasetOf(call, customers)];
  await link(call, fact, filtered);
  return {
    linked: await createBoard(call, fact, filtered, viewers),
    unlinked: await createBoard(call, fact, fact, viewers),
  };
}

/** Returns the file of the newest version of a dataset. */
function versionFile(dataDir: string, dataset: string): string {
  const datasets = join(dataDir, 'datasets');
  const folder = join(datasets, readdirSync(datasets)[0] ?? '', dataset);
  const names = readdirSync(folder, { encoding: 'utf8' }).filter((name) => name.endsWith('.duckdb'));
  return join(folder, names.toSorted().at(-1) ?? '');
}

/** Creates a service with dashboards of 12 items over rows in the engine and at PostgreSQL, of one table and of two. */
export async function openLoadWorld(sizes: LoadSizes): Promise<LoadWorld> {
  const { engineRows, sourceRows, linkedRows, viewers, linkedViewers } = sizes;
  const folder = mkdtempSync(join(tmpdir(), 'inlay-bench-load-'));
  const filesFolder = process.env['BENCH_FOLDER'] ?? folder;
  mkdirSync(filesFolder, { recursive: true });
  // PostgreSQL, which may run as another user, reads files in this folder.
  chmodSync(filesFolder, 0o755);
  const file = async (table: LoadTable, format: 'parquet' | 'csv'): Promise<string> => {
    const path = join(filesFolder, `${table.name}-${table.rows}.${format}`);
    if (!existsSync(path)) await writeRows(path, table, format);
    return path;
  };
  const [orders, customers] = [ordersTable(linkedRows), customersTable];
  const server = await startPostgres();
  const url = new URL(await server.createDatabase());
  const sourceTables = [visitsTable(sourceRows), orders, customers];
  await fillPostgres(
    url,
    await Promise.all(sourceTables.map(async (table) => ({ table, csv: await file(table, 'csv') }))),
  );
  const dataDir = join(folder, 'data');
  const service = await startService({
    env: {
      INLAY_DATA_DIR: dataDir,
      INLAY_RATE_LIMIT: '0',
      INLAY_LOG_REQUESTS: 'false',
      INLAY_BOOTSTRAP_KEY: owner.key,
      INLAY_BOOTSTRAP_TOKEN: owner.token,
      INLAY_ALLOW_PRIVATE_HOSTS: 'true',
    },
  });
  const call = ownerCall(service);
  const account = await call('account', {
    properties: {
      provider: 'postgresql',
      host: url.hostname,
      port: url.port,
      scope: url.pathname.slice(1),
      identifier: url.username,
      token: url.password === '' ? 'none' : url.password,
    },
  });
  const atSource = async (table: string): Promise<string> => {
    const properties = { account_id: text(account, 'id'), provider: 'postgresql', datasets: [`public.${table}`] };
    return text(rowsIn(await call('dataprovider', { properties }))[0] ?? null, 'id');
  };
  const boardOf = async (dataset: string): Promise<Board> => {
    const fact = await datasetOf(call, dataset);
    return createBoard(call, fact, fact, viewers);
  };
  const stored = async (table: LoadTable): Promise<string> => upload(service, await file(table, 'parquet'), table.name);
  const [storedOrders, storedCustomers] = [await stored(orders), await stored(customers)];
  return {
    service,
    engine: await boardOf(await stored(visitsTable(engineRows))),
    source: await boardOf(await atSource('visits')),
    linkedEngine: {
      ...(await linkedBoards(call, storedOrders, storedCustomers, linkedViewers)),
      files: () => ({ orders: versionFile(dataDir, storedOrders), customers: versionFile(dataDir, storedCustomers) }),
    },
    linkedSource: {
      ...(await linkedBoards(call, await atSource('orders'), await atSource('customers'), linkedViewers)),
      url,
    },
    close: async () => {
      await service.stop();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

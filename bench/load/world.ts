import { chmodSync, createReadStream, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { isList, isObject, type Json, type JsonObject } from '@inlay/contract';
import {
  barChart,
  column,
  columnChart,
  dashboardContents,
  donutChart,
  dropdownFilter,
  evolutionNumber,
  lineChart,
  pivotTable,
  regularTable,
} from '@inlay/contract/dashboard';
import postgres from 'postgres';
import { startPostgres, type Postgres } from '../../test/support/postgres.ts';
import { startService, type ServiceProcess } from '../../test/support/process.ts';
import { part, text } from '../../test/support/world.ts';

export const tenants = 1000;
export const tokens = 1200;

/** Tenants of unlike sizes: the largest has about eleven times as many rows as the median. */
const visits = (rows: number): string => `select
  'tenant ' || lpad(cast(floor(${tenants} * pow(((hash(i + 9) % 1000000) / 1000000.0), 1.4)) as integer)::varchar, 4, '0') as tenant,
  timestamp '2024-01-01' + to_seconds((hash(i) % 63072000)::bigint) as at,
  'region ' || (hash(i + 1) % 12) as region,
  'product ' || (hash(i + 2) % 300) as product,
  'status ' || (hash(i + 3) % 5) as status,
  ((hash(i + 4) % 100000) / 100.0)::double as revenue,
  ((hash(i + 5) % 70000) / 100.0)::double as cost,
  (hash(i + 6) % 20)::integer as units
from range(${rows}) t(i)`;

interface Login {
  readonly key: string;
  readonly token: string;
}

const owner: Login = { key: '01890a5d-ac96-774b-bcce-b302099a8057', token: 'q7ZrW2nP9sXvB4mKd8TfGhJyLcE5uA3w' };

/** A dashboard with the tokens that see it, each the rows of one tenant. */
export interface Board {
  readonly dashboardId: string;
  readonly items: readonly string[];
  /** A filter of a viewer, as the element sends it. */
  readonly filter: (value: string) => JsonObject;
  readonly tokens: readonly Login[];
  /** Keeps results for this many seconds; 0: not at all. */
  readonly keep: (seconds: number) => Promise<void>;
}

export interface LoadWorld {
  readonly service: ServiceProcess;
  readonly engine: Board;
  readonly source: Board;
  readonly postgres: Postgres;
  /** The size of the rows in the engine, in MB. */
  readonly close: () => Promise<void>;
}

const rowsIn = (found: Json): readonly Json[] => {
  const rows = isObject(found) ? found['rows'] : undefined;
  return rows !== undefined && isList(rows) ? rows : [];
};

async function writeRows(path: string, rows: number, format: 'parquet' | 'csv'): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '1GB', threads: '2' });
  const connection = await instance.connect();
  await connection.run(`copy (${visits(rows)}) to '${path}' (format ${format})`);
  connection.closeSync();
  instance.closeSync();
}

async function fillPostgres(server: Postgres, csv: string): Promise<URL> {
  const url = new URL(await server.createDatabase());
  const sql = postgres(url.href, { max: 1, onnotice: () => undefined });
  await sql`create table visits (tenant text, at timestamp, region text, product text, status text,
    revenue double precision, cost double precision, units integer)`;
  await sql.unsafe(`copy visits from '${csv}' (format csv, header)`);
  await sql`create index visits_tenant on visits (tenant)`;
  await sql`vacuum analyze visits`;
  await sql.end();
  return url;
}

/** Creates a service with a dashboard of 12 items over rows in the engine, and one over as many rows at PostgreSQL. */
export async function openLoadWorld(engineRows: number, sourceRows: number): Promise<LoadWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'inlay-bench-load-'));
  const kept = process.env['BENCH_FOLDER'] ?? folder;
  mkdirSync(kept, { recursive: true });
  // The server of PostgreSQL, which may be another user, reads a file there.
  chmodSync(kept, 0o755);
  const parquet = join(kept, `visits-${engineRows}.parquet`);
  const csv = join(kept, `visits-${sourceRows}.csv`);
  if (!existsSync(parquet)) await writeRows(parquet, engineRows, 'parquet');
  if (!existsSync(csv)) await writeRows(csv, sourceRows, 'csv');
  const server = await startPostgres();
  const url = await fillPostgres(server, csv);
  const service = await startService({
    env: {
      INLAY_DATA_DIR: join(folder, 'data'),
      INLAY_RATE_LIMIT: '0',
      INLAY_LOG_REQUESTS: 'false',
      INLAY_BOOTSTRAP_KEY: owner.key,
      INLAY_BOOTSTRAP_TOKEN: owner.token,
      INLAY_ALLOW_PRIVATE_HOSTS: 'true',
    },
  });
  const headers = { authorization: `Bearer ${owner.key}:${owner.token}` };
  const call = async (resource: string, body: object): Promise<Json> => {
    const sent = {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
    const answer = await fetch(`${service.url}/0.1.0/${resource}`, sent);
    const said: Json = JSON.parse(await answer.text());
    if (!answer.ok) throw new Error(JSON.stringify(said));
    return said;
  };
  const upload = async (): Promise<string> => {
    const size = statSync(parquet).size;
    const sent: RequestInit = {
      method: 'POST',
      duplex: 'half',
      body: Readable.toWeb(createReadStream(parquet)),
      headers: { ...headers, 'content-type': 'application/vnd.apache.parquet', 'content-length': String(size) },
    };
    const answer = await fetch(`${service.url}/0.1.0/data/file?name=Visits`, sent);
    const said: Json = JSON.parse(await answer.text());
    if (!answer.ok) throw new Error(JSON.stringify(said));
    return text(part(said, 'dataset') ?? rowsIn(said)[0] ?? said, 'id');
  };
  const atSource = async (): Promise<string> => {
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
    const made = await call('dataprovider', {
      properties: { account_id: text(account, 'id'), provider: 'postgresql', datasets: ['public.visits'] },
    });
    return text(rowsIn(made)[0] ?? null, 'id');
  };
  const board = async (dataset: string): Promise<Board> => {
    const found = rowsIn(await call('column', { find: { where: { securable_id: dataset } } }));
    const ids = new Map(found.map((one) => [text(one, 'source_name'), text(one, 'id')]));
    const of = (name: string, options = {}) => column(dataset, ids.get(name) ?? name, options);
    const at = (index: number) => ({
      position: { col: (index % 3) * 16, row: 8 + Math.floor(index / 3) * 16, sizeX: 16, sizeY: 16 },
    });
    const [month, revenue] = [of('at', { level: 3 }), of('revenue')];
    const sorted = { sort: { by: 'measure', order: 'desc' } } as const;
    const contents = dashboardContents([
      dropdownFilter({ id: 'products', position: { col: 0, row: 0, sizeX: 16, sizeY: 8 }, dimension: of('region') }),
      evolutionNumber({ id: 'revenue', ...at(0), measure: revenue, evolution: month }),
      evolutionNumber({ id: 'units', ...at(1), measure: of('units'), evolution: month }),
      columnChart({ id: 'months', ...at(2), xAxis: month, measure: revenue }),
      columnChart({ id: 'stacked', ...at(3), xAxis: month, measure: revenue, legend: of('status') }),
      lineChart({ id: 'both', ...at(4), xAxis: month, measure: [revenue, of('cost')] }),
      barChart({ id: 'top', ...at(5), yAxis: of('product'), measure: revenue, options: { ...sorted, limit: 10 } }),
      barChart({ id: 'regions', ...at(6), yAxis: of('region'), measure: revenue, options: sorted }),
      donutChart({ id: 'status', ...at(7), category: of('status'), measure: of('units') }),
      pivotTable({ id: 'pivot', ...at(8), row: of('region'), column: of('status'), measure: revenue }),
      regularTable({ id: 'table', ...at(9), columns: [of('product'), { ...revenue, aggregationFunc: 'sum' }] }),
      lineChart({ id: 'weeks', ...at(10), xAxis: of('at', { level: 4 }), measure: of('units') }),
    ]);
    const dashboard = await call('dashboard', { properties: { name: { en: 'Visits' }, contents } });
    const dashboardId = text(dashboard, 'id');
    const made: Login[] = [];
    for (let index = 0; index < tokens; index += 1) {
      const tenant = `tenant ${String((index * 7) % tenants).padStart(4, '0')}`;
      const token = await call('authorization', {
        properties: {
          type: 'embed',
          username: `viewer ${index}`,
          suborganization: tenant,
          role: 'viewer',
          filters: [
            { expression: '? = ?', parameters: [{ dataset_id: dataset, column_id: ids.get('tenant') }, tenant] },
          ],
          access: { dashboards: [{ id: dashboardId, rights: 'read' }], datasets: [{ id: dataset, rights: 'read' }] },
        },
      });
      made.push({ key: text(token, 'id'), token: text(token, 'token') });
    }
    return {
      dashboardId,
      items: [
        'products',
        'revenue',
        'units',
        'months',
        'stacked',
        'both',
        'top',
        'regions',
        'status',
        'pivot',
        'table',
        'weeks',
      ],
      filter: (value) => ({
        expression: '? = ?',
        parameters: [{ dataset_id: dataset, column_id: ids.get('region') ?? '' }, value],
      }),
      tokens: made,
      keep: async (seconds) => void (await call('securable', { id: dataset, properties: { cache: seconds } })),
    };
  };
  return {
    service,
    engine: await board(await upload()),
    source: await board(await atSource()),
    postgres: server,
    close: async () => {
      await service.stop();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

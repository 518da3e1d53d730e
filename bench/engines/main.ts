// npm run bench:engines: queries over rows at ClickHouse and Trino, by the service and by the client of each database with
// the very same statements, in alternating rounds of one run; and the memory of the service while it exports all rows.
// Needs `npm run engines:install`. BENCH_ROWS, BENCH_ROUNDS, BENCH_ONLY (clickhouse or trino).
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isList, type JsonObject } from '@inlay/contract';
import { haveClickhouse, startClickhouse } from '../../test/support/clickhouse.ts';
import { haveTrino, startTrino } from '../../test/support/trino.ts';
import { part, text } from '../../test/support/world.ts';
import { median, say, timed } from '../measure.ts';
import { startOwned, type OwnedService } from '../query/owner.ts';
import { clickhouseClient, trinoClient, writeRows, type OwnClient } from './own-clients.ts';
import { startRecorder, type Recorder } from './recorder.ts';

const rows = Number(process.env['BENCH_ROWS'] ?? 10_000_000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 7);

/** A database with the table `sales`, and how much longer than its own client the service may take. */
interface Subject {
  readonly name: 'clickhouse' | 'trino';
  readonly account: JsonObject;
  readonly port: number;
  readonly most: { readonly factor: number; readonly ms: number };
  readonly client: OwnClient;
  stop(): Promise<void>;
}

async function clickhouseSubject(folder: string): Promise<Subject> {
  const server = await startClickhouse({ user: 'reader', password: 'secret' });
  await writeRows(join(folder, 'sales.parquet'), rows);
  await server.run('create database shop');
  await server.run(
    `create table shop.sales engine = MergeTree order by tuple() as select * from file('${join(folder, 'sales.parquet')}')`,
  );
  return {
    name: 'clickhouse',
    account: { scope: 'shop', identifier: 'reader', token: 'secret' },
    port: server.port,
    most: { factor: 1.15, ms: 5 },
    client: await clickhouseClient(server.port),
    stop: () => server.stop(),
  };
}

async function trinoSubject(): Promise<Subject> {
  const cluster = await startTrino();
  await writeRows(join(cluster.lake, 'ext/sales/sales.parquet'), rows);
  await cluster.run('create schema lake.shop');
  await cluster.run(
    `create table lake.shop.sales (id bigint, region varchar, product varchar, revenue decimal(12, 2), quantity bigint,
       day timestamp(6)) with (format = 'PARQUET', external_location = 'local:///ext/sales')`,
  );
  return {
    name: 'trino',
    account: { scope: 'lake', identifier: 'reader', properties: { schema: 'shop' } },
    port: cluster.port,
    most: { factor: 1.1, ms: 150 },
    client: trinoClient(cluster.port),
    stop: () => cluster.stop(),
  };
}

const datasetOver = async ({ call }: OwnedService, accountId: string): Promise<string> => {
  const made = part(await call('dataprovider', { properties: { account_id: accountId, datasets: ['sales'] } }), 'rows');
  return text(isList(made) ? made[0] : null, 'id');
};

async function queriesOver(
  { columnsOf }: OwnedService,
  dataset: string,
): Promise<Readonly<Record<string, JsonObject>>> {
  const columns = await columnsOf(dataset);
  const on = (name: string, more: JsonObject = {}): JsonObject => ({ ...columns.get(name), ...more });
  const sum = on('revenue', { aggregation: { type: 'sum' } });
  return {
    'sum by month': { dimensions: [on('day', { level: 3 })], measures: [sum] },
    'top 10 of 500': { dimensions: [on('product')], measures: [sum], limit: { by: 10 } },
    'filtered sum by region': {
      dimensions: [on('region')],
      measures: [sum],
      where: [{ expression: '? = ?', parameters: [on('quantity'), 7] }],
    },
    '10,000 rows as they are': {
      dimensions: [on('id'), on('region'), on('product'), on('day')],
      options: { rollup_data: false },
      limit: { by: 10_000 },
    },
  };
}

/** Returns the statement that the service sends for a query, as its own client would send it. */
async function statementOf({ call }: OwnedService, query: JsonObject, recorder: Recorder): Promise<string> {
  recorder.forget();
  const answer = await call('data', { action: 'get', find: query });
  if (part(answer, 'source') !== 'pushdown') throw new Error(JSON.stringify(answer).slice(0, 500));
  const statement = recorder.last();
  if (statement === undefined) throw new Error('no statement was recorded');
  return statement;
}

const residentMb = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Returns how many MB above its size at rest the service takes while it exports all rows as NDJSON. */
async function exportMb({ service, exported, columnsOf }: OwnedService, dataset: string): Promise<number> {
  const dimensions = [...(await columnsOf(dataset)).values()];
  const atRest = residentMb(service.pid);
  let most = atRest;
  const watch = setInterval(() => (most = Math.max(most, residentMb(service.pid))), 50);
  let lines = 0;
  for await (const chunk of await exported({ type: 'ndjson', query: { dimensions, options: { rollup_data: false } } }))
    for (const byte of chunk) if (byte === 0x0a) lines += 1;
  clearInterval(watch);
  if (lines !== rows) throw new Error(`${lines} lines instead of ${rows}`);
  return most - atRest;
}

async function measure(subject: Subject): Promise<void> {
  const { name, account, port, most, client } = subject;
  const folder = mkdtempSync(join(tmpdir(), 'inlay-bench-engines-'));
  const owned = await startOwned(folder, {
    INLAY_ALLOW_PRIVATE_HOSTS: 'true',
    INLAY_QUERY_TIMEOUT_S: '600',
  });
  const recorder = await startRecorder(port);
  const properties = { provider: name, host: '127.0.0.1', port: String(recorder.port), ...account };
  const id = text(await owned.call('account', { properties }), 'id');
  const dataset = await datasetOver(owned, id);
  const queries = await queriesOver(owned, dataset);
  say(`${name}, ${rows} rows`);
  const statements = new Map<string, string>();
  for (const [what, query] of Object.entries(queries)) statements.set(what, await statementOf(owned, query, recorder));
  await owned.call('account', { id, properties: { ...account, port: String(port) } });
  for (const [what, query] of Object.entries(queries)) {
    const statement = statements.get(what) ?? '';
    const times: Readonly<Record<'service' | 'client', number[]>> = { service: [], client: [] };
    for (let round = 0; round <= rounds; round += 1) {
      const service = await timed(() => owned.call('data', { action: 'get', find: query }));
      const own = await timed(() => client.run(statement));
      // The first round warms both up.
      if (round === 0) continue;
      times.service.push(service);
      times.client.push(own);
    }
    const [service, own] = [median(times.service), median(times.client)];
    const limit = most.factor * own + most.ms;
    say(
      `  ${service <= limit ? 'ok  ' : 'OVER'} ${what}: service ${service.toFixed(0)} ms, own client ${own.toFixed(0)} ms: ${(service / own).toFixed(2)}x (at most ${most.factor}x + ${most.ms} ms)`,
    );
  }
  say(`  export of all rows as NDJSON: ${(await exportMb(owned, dataset)).toFixed(0)} MB above rest (at most 100)`);
  recorder.close();
  await client.close();
  await owned.service.stop();
  rmSync(folder, { recursive: true, force: true });
}

const only = process.env['BENCH_ONLY'];
const folder = mkdtempSync(join(tmpdir(), 'inlay-bench-rows-'));
const subjects: readonly (readonly [Subject['name'], string | undefined, () => Promise<Subject>])[] = [
  ['clickhouse', haveClickhouse(), () => clickhouseSubject(folder)],
  ['trino', haveTrino(), trinoSubject],
];
for (const [name, missing, start] of subjects) {
  if (only !== undefined && only !== name) continue;
  if (missing !== undefined) {
    say(`${missing}. It is not measured.`);
    continue;
  }
  const subject = await start();
  await measure(subject);
  await subject.stop();
}
rmSync(folder, { recursive: true, force: true });

// npm run bench:hang: how long queries of one organization take while another one asks a cluster of Trino that answers, whose
// coordinator is suspended, or that accepts connections and answers nothing, and while nobody asks the cluster. All queries
// start at a fixed pace; the rounds alternate. Needs `npm run engines:install`. BENCH_ROUNDS, BENCH_ROUND_S, BENCH_ROWS.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isList, type Json, type JsonObject } from '@inlay/contract';
import postgres from 'postgres';
import { startFaultProxy } from '../../test/support/fault-proxy.ts';
import { done, openClient, percentile, textIn, type Client } from '../../test/support/load.ts';
import { startPostgres } from '../../test/support/postgres.ts';
import type { Credential } from '../../test/support/service.ts';
import { startTrino } from '../../test/support/trino.ts';
import { datasetIn, part, text } from '../../test/support/world.ts';
import { startWith } from '../loop/start.ts';
import { say } from '../measure.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const roundMs = Number(process.env['BENCH_ROUND_S'] ?? 10) * 1000;
const rows = Number(process.env['BENCH_ROWS'] ?? 100_000);
/** Time between two queries of each kind, whether the last one is answered or not. */
const paceMs = { steady: 100, asked: 500 } as const;
/** As many rows as one push has at most. */
const clusterRows = 10_000;
const untilAnsweredMs = 180_000;
const states = ['healthy', 'unasked', 'suspended', 'silent'] as const;
type State = (typeof states)[number];

const folder = mkdtempSync(join(tmpdir(), 'inlay-bench-hang-'));
const cluster = await startTrino({ workers: 1 });
const proxy = await startFaultProxy(cluster.port);
const server = await startPostgres();
await cluster.run('create schema lake.hang');
mkdirSync(join(cluster.lake, 'hang'));
const tokens = ['asking', 'other'].map((name) => `hang-${name}-`.padEnd(43, 'x'));
const { service, owners } = await startWith(tokens, join(folder, 'data'), {
  INLAY_ALLOW_PRIVATE_HOSTS: 'true',
  INLAY_RATE_LIMIT: '0',
  INLAY_LOG_REQUESTS: 'false',
  INLAY_LOG_LEVEL: 'fatal',
  INLAY_QUERY_TIMEOUT_S: '30',
  INLAY_CLUSTER: `trino://inlay@127.0.0.1:${proxy.port}/lake/hang`,
  INLAY_CLUSTER_FILES: join(cluster.lake, 'hang'),
  INLAY_CLUSTER_LOCATION: 'local:///hang',
  INLAY_CLUSTER_ROWS: String(clusterRows),
});
async function clean(): Promise<void> {
  await service.stop();
  await proxy.stop();
  await server.stop();
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.on('uncaughtException', (error) => {
  say(String(error));
  void clean().finally(() => process.exit(1));
});
const clientOf = (credential: Credential | undefined): Client =>
  openClient(`http://127.0.0.1:${service.port}`, credential, { timeoutMs: 120_000 });
const [asking, other] = [clientOf(owners[0]), clientOf(owners[1])];

const make = async (client: Client, resource: string, properties: object): Promise<Json> =>
  done(await client.call(resource, { action: 'create', properties }));

/** Returns a query that sums one column by another, whose answers are not cached. */
async function sumOver(client: Client, dataset: string, by: string, summed: string): Promise<JsonObject> {
  done(await client.call('dataset', { action: 'update', id: dataset, properties: { cache: 0 } }));
  const columns = part(done(await client.call('column', { find: { where: { securable_id: dataset } } })), 'rows');
  const slot = (name: string): JsonObject => {
    const column = (isList(columns) ? columns : []).find((each) => textIn(each, 'source_name') === name);
    return { dataset_id: dataset, column_id: text(column, 'id') };
  };
  return { dimensions: [slot(by)], measures: [{ ...slot(summed), aggregation: { type: 'sum' } }] };
}

async function stored(client: Client, count: number): Promise<JsonObject> {
  const data = [['region', 'amount'], ...Array.from({ length: count }, (_, n) => [`region ${n % 20}`, n])];
  const dataset = datasetIn(await make(client, 'data', { type: 'create', data, options: { header: true } })).id;
  return sumOver(client, dataset, 'region', 'amount');
}

async function atSource(
  client: Client,
  account: object,
  table: string,
  by: string,
  summed: string,
): Promise<JsonObject> {
  const accountId = textIn(await make(client, 'account', { host: '127.0.0.1', ...account }), 'id');
  const dataset = datasetIn(await make(client, 'dataprovider', { account_id: accountId, datasets: [table] })).id;
  return sumOver(client, dataset, by, summed);
}

const database = new URL(await server.createDatabase());
const sql = postgres(database.href, { max: 1, onnotice: () => undefined });
await sql.unsafe(
  `create table sales as select 'region ' || n % 20 as region, n as amount from generate_series(1, ${rows}) n`,
);
await sql.end();
const postgresAccount = {
  provider: 'postgresql',
  host: database.hostname,
  port: database.port,
  scope: database.pathname.slice(1),
  identifier: database.username,
  token: database.password === '' ? 'none' : database.password,
};
const trinoAccount = {
  provider: 'trino',
  port: String(proxy.port),
  scope: 'tpch',
  identifier: 'reader',
  properties: { schema: 'tiny' },
};
/** What the other organization asks. Its rows in the engine are too few for the cluster. */
const steady = {
  engine: await stored(other, clusterRows - 1),
  PostgreSQL: await atSource(other, postgresAccount, 'public.sales', 'region', 'amount'),
} as const;
/** What the asking organization asks: rows of its own that are at the cluster, and a table of the cluster. */
const asked = {
  'own rows': await stored(asking, clusterRows),
  'a table': await atSource(asking, trinoAccount, 'orders', 'orderstatus', 'totalprice'),
} as const;

interface Answered {
  readonly ms: number;
  /** Where the query ran, or the status of a refusal. */
  readonly by: string;
}

async function ask(client: Client, find: JsonObject): Promise<Answered> {
  const startedMs = performance.now();
  const { status, body } = await client.call('data', { action: 'get', find });
  return { ms: performance.now() - startedMs, by: status === 200 ? textIn(body, 'source') : String(status) };
}

/** Waits until the cluster answers both queries. */
async function untilHealthy(): Promise<void> {
  const endMs = performance.now() + untilAnsweredMs;
  const answers = async (): Promise<string> => {
    const { by: own } = await ask(asking, asked['own rows']);
    const { by: table } = await ask(asking, asked['a table']);
    return `${own} ${table}`;
  };
  let seen = await answers();
  for (; seen !== 'cluster pushdown'; seen = await answers()) {
    if (performance.now() > endMs) throw new Error(`the cluster does not answer: ${seen}`);
    await sleep(500);
  }
}

async function enter(state: State): Promise<void> {
  if (state === 'suspended') cluster.suspendCoordinator();
  else if (state === 'silent') await proxy.set({ kind: 'black-hole' });
}

async function leave(state: State): Promise<void> {
  if (state === 'suspended') cluster.resumeCoordinator();
  else if (state === 'silent') await proxy.clear();
}

type Answers = Record<string, Answered[]>;
const answersOf = (queries: object): Answers => Object.fromEntries(Object.keys(queries).map((name) => [name, []]));

/**
 * Starts a query at a steady pace until the end, and returns when all are answered. Each has another limit, so that none
 * shares the answer of another one.
 */
async function load(client: Client, find: JsonObject, everyMs: number, endMs: number, into: Answered[]): Promise<void> {
  const running: Promise<unknown>[] = [];
  for (let dueMs = performance.now(); dueMs < endMs; dueMs += everyMs) {
    await sleep(Math.max(0, dueMs - performance.now()));
    const limit = { by: 100 + running.length };
    running.push(ask(client, { ...find, limit }).then((answer) => into.push(answer)));
  }
  await Promise.all(running);
}

/** Runs one round in a state of the cluster. Answers that arrive after its end count too. */
async function round(state: State, steadyAnswers: Answers, askedAnswers: Answers): Promise<void> {
  await untilHealthy();
  await enter(state);
  const endMs = performance.now() + roundMs;
  const loads = Object.entries(steady).map(([name, find]) =>
    load(other, find, paceMs.steady, endMs, steadyAnswers[name] ?? []),
  );
  if (state !== 'unasked')
    for (const [name, find] of Object.entries(asked))
      loads.push(load(asking, find, paceMs.asked, endMs, askedAnswers[name] ?? []));
  await Promise.all(loads);
  await leave(state);
}

const p95 = (answers: readonly Answered[] = []): number =>
  percentile(
    answers.map(({ ms }) => ms),
    95,
  );

function places(answers: readonly Answered[] = []): string {
  const counts = new Map<string, number>();
  for (const { by } of answers) counts.set(by, (counts.get(by) ?? 0) + 1);
  return [...counts].map(([by, count]) => `${by} ${count}`).join(', ');
}

await round('healthy', answersOf(steady), answersOf(asked));
const results = new Map(states.map((state) => [state, { steady: answersOf(steady), asked: answersOf(asked) }]));
for (let index = 0; index < rounds; index += 1)
  for (const [state, result] of index % 2 === 0 ? results : [...results].toReversed())
    await round(state, result.steady, result.asked);

say(
  `one organization starts ${2000 / paceMs.asked} queries a second at a cluster, another one ${2000 / paceMs.steady} over its own data; ${rounds} alternating rounds of ${roundMs / 1000} s`,
);
for (const [state, result] of results) {
  say(`  cluster ${state}`);
  for (const name of Object.keys(steady)) {
    const ms = p95(result.steady[name]);
    const [healthy, unasked] = (['healthy', 'unasked'] as const).map(
      (usual) => ms / p95(results.get(usual)?.steady[name]),
    );
    say(
      `    ${(healthy ?? 0) <= 1.5 ? 'ok  ' : 'OVER'} other organization, ${name.padEnd(10)} p95 ${ms.toFixed(1).padStart(7)} ms: ${healthy?.toFixed(2)}x healthy (at most 1.5x), ${unasked?.toFixed(2)}x unasked; ${places(result.steady[name])}`,
    );
  }
  if (state === 'unasked') continue;
  for (const name of Object.keys(asked))
    say(
      `         asking organization, ${name.padEnd(9)} p95 ${p95(result.asked[name]).toFixed(1).padStart(7)} ms; ${places(result.asked[name])}`,
    );
}
asking.close();
other.close();
await clean();
// A client of the cluster may still wait for the suspended coordinator.
process.exit(0);

// npm run bench:faults: what other callers feel while sources fail and readers stall, quiet and failing phases in turn.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isList, isObject, type Json } from '@inlay/contract';
import postgres from 'postgres';
import { done, firstOwner, openClient, textIn } from '../../test/support/load.ts';
import { haveMariadb, startMariadb } from '../../test/support/mariadb.ts';
import { startPostgres } from '../../test/support/postgres.ts';
import { startService } from '../../test/support/process.ts';
import { load, post, type Measured } from '../service/load.ts';
import { median, say } from '../measure.ts';
import { faultNames, type FaultName, type Order } from './dead-sources.ts';
import { datasetIn } from '../../test/support/world.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const phaseMs = Number(process.env['BENCH_PHASE_MS'] ?? 1500);
const callers = Number(process.env['BENCH_CALLERS'] ?? 24);
const stalled = Number(process.env['BENCH_STALLED'] ?? 1000);
const only = process.env['BENCH_ONLY'];

const { credential, settings } = firstOwner();
const authorization = `Bearer ${credential.key}:${credential.token}`;
const service = await startService({
  env: {
    ...settings,
    INLAY_ALLOW_PRIVATE_HOSTS: 'true',
    INLAY_QUERY_TIMEOUT_S: '5',
    INLAY_LOG_LEVEL: 'fatal',
    MALLOC_ARENA_MAX: '2',
    INLAY_MAX_IN_FLIGHT: '5000',
  },
});
const client = openClient(service.url, credential);
const make = async (resource: string, properties: object): Promise<Json> =>
  done(await client.call(resource, { action: 'create', properties }));

const sources = fork(join(import.meta.dirname, 'dead-sources.ts'));
const [first] = await once(sources, 'message');
const ports: unknown = isObject(first) ? first['ports'] : [];
const [tcpPort, httpPort] = Array.isArray(ports) ? ports.map(Number) : [];
const tell = (order: Order): void => void sources.send(order);

// Sound data, asked for by everybody else.
async function ownRows(cache: number): Promise<object> {
  const data = [['region', 'amount'], ...Array.from({ length: 9000 }, (_, n) => [`region ${n % 20}`, n])];
  const options = { header: true, name: { en: 'Own' } };
  const id = datasetIn(await make('data', { type: 'create', data, options })).id;
  if (cache > 0) done(await client.call('dataset', { action: 'update', id, properties: { cache } }));
  return queryOf(id, 'region');
}

async function queryOf(id: string, dimension: string, more: object = {}): Promise<object> {
  const found = done(await client.call('column', { find: { where: { securable_id: id } } }));
  const rows = found['rows'] ?? null;
  const column = (isList(rows) ? rows : []).find((row) => textIn(row, 'source_name') === dimension);
  return { dimensions: [{ dataset_id: id, column_id: textIn(column ?? null, 'id') }], ...more };
}

// Sources that fail: one of each kind, and real databases with endless rows.
async function atDatabase(provider: string, port: number, login: object, endless: string): Promise<object> {
  const account = await make('account', { provider, host: '127.0.0.1', port: String(port), token: 'none', ...login });
  const source_query = endless;
  const made = await make('dataset', { account_id: textIn(account, 'id'), subtype: provider, source_query });
  const id = textIn(made, 'id');
  await make('column', { securable_id: id, type: 'hierarchy', source_name: 'n' });
  return queryOf(id, 'n', { options: { rollup_data: false } });
}

const cluster = await startPostgres();
const database = new URL(await cluster.createDatabase());
const mariadb = haveMariadb() === undefined ? await startMariadb() : null;
await mariadb?.createUser('reader', 'none');
const real = { scope: database.pathname.slice(1), identifier: database.username };
const series = `select 'row ' || generate_series(1, 2000000000) as n`;
const digits = 'select 0 as n union all select 1 union all select 2 union all select 3 union all select 4';
const product = `select concat('row ', a.n + b.n) as n from ${'a b c d e f g h i j k l m n o p q'
  .split(' ')
  .map((name) => `(${digits}) ${name}`)
  .join(', ')}`;
const flooding = [
  await atDatabase('postgresql', Number(database.port), real, series),
  ...(mariadb === null
    ? []
    : [
        await atDatabase(
          'mysql',
          mariadb.port,
          { scope: await mariadb.createDatabase(), identifier: 'reader' },
          product,
        ),
      ]),
];
const login = { scope: 'x', identifier: 'u' };
const plugin = await make('plugin', { slug: 'dead', base_url: `http://127.0.0.1:${httpPort}`, authorize: 'token' });
const pluginAccount = await make('account', { plugin_id: textIn(plugin, 'id'), provider: 'dead', token: 'good' });
const listed = done(
  await client.call('dataprovider', {
    action: 'create',
    properties: { account_id: textIn(pluginAccount, 'id'), datasets: ['missions'] },
  }),
)['rows'];
const plugged = await queryOf(textIn(isList(listed ?? null) ? (Object(listed)[0] ?? null) : null, 'id'), 'mission');
const failing = [
  await atDatabase('postgresql', tcpPort ?? 0, login, 'select 1 as n'),
  await atDatabase('mysql', tcpPort ?? 0, login, 'select 1 as n'),
  plugged,
];
const among = process.env['BENCH_SOURCE'];
const queriesFor = (fault: FaultName): readonly object[] => {
  const all = fault === 'endless rows' ? [...flooding, plugged] : failing;
  return among === undefined ? all : all.slice(Number(among), Number(among) + 1);
};

// What everybody else does.
const dashboard = textIn(await make('dashboard', { name: { en: 'One' } }), 'id');
const request = (resource: string, body: object): Buffer =>
  post(`/0.1.0/${resource}`, JSON.stringify({ action: 'get', ...body }), authorization);
const kinds = {
  gets: request('dashboard', { id: dashboard }),
  cached: request('data', { find: await ownRows(600) }),
  columnar: request('data', { find: await ownRows(0) }),
} as const;
type Kind = keyof typeof kinds;
const kindNames: readonly Kind[] = ['gets', 'cached', 'columnar'];

async function measure(): Promise<Readonly<Record<Kind, Measured>>> {
  const [gets, cached, columnar] = await Promise.all([
    load(service.port, 2, phaseMs, () => kinds.gets),
    load(service.port, 2, phaseMs, () => kinds.cached),
    load(service.port, 1, phaseMs, () => kinds.columnar),
  ]);
  return { gets, cached, columnar };
}

interface Rows {
  readonly quiet: Record<Kind, number[]>;
  readonly failing: Record<Kind, number[]>;
  failed: number;
}
const noRows = (): Rows => ({
  quiet: { gets: [], cached: [], columnar: [] },
  failing: { gets: [], cached: [], columnar: [] },
  failed: 0,
});
function note(rows: Rows, phase: 'quiet' | 'failing', measured: Readonly<Record<Kind, Measured>>): void {
  for (const kind of kindNames) {
    rows[phase][kind].push(measured[kind].p99Ms);
    rows.failed += measured[kind].failed;
  }
}

const broken: string[] = [];
function print(name: string, rows: Rows, most: number, extraMs: number): void {
  const cells = kindNames.map((kind) => {
    const [quiet, fails] = [median(rows.quiet[kind]), median(rows.failing[kind])];
    const holds = fails <= quiet * most || fails <= quiet + extraMs;
    if (!holds) broken.push(`${name}, ${kind}`);
    return `${kind} ${quiet.toFixed(1)} → ${fails.toFixed(1)} ms (${(fails / quiet).toFixed(2)}×${holds ? '' : ' ✗'})`;
  });
  say(`${name.padEnd(24)} ${cells.join('   ')}   failed ${rows.failed}`);
}

await measure();
say(`p99 of others, median of ${rounds} rounds, quiet → failing; ${callers} callers at the failing sources`);
for (const fault of faultNames.filter((name) => only === undefined || name.includes(only))) {
  const rows = noRows();
  for (let round = 0; round < rounds; round += 1) {
    note(rows, 'quiet', await measure());
    tell({ kind: 'fail', how: fault });
    tell({ kind: 'ask', url: service.url, credential, queries: queriesFor(fault), callers, pauseMs: 200 });
    await sleep(500);
    note(rows, 'failing', await measure());
    const stopped = once(sources, 'message');
    tell({ kind: 'stop' });
    await stopped;
    await sleep(300);
  }
  print(fault, rows, 1.5, 10);
}

/** Connections that send a part of a request and then nothing, or read nothing of a long answer. */
async function stall(count: number): Promise<readonly Socket[]> {
  const sockets: Socket[] = [];
  for (let index = 0; index < count; index += 1) {
    const socket = connect(service.port, '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    const head = `POST /0.1.0/dashboard HTTP/1.1\r\nhost: here\r\nauthorization: ${authorization}\r\ncontent-type: application/json\r\n`;
    if (index % 3 === 0) socket.write('POST /0.1.0/dash');
    else if (index % 3 === 1) socket.write(`${head}content-length: 1000\r\n\r\n{`);
    else socket.pause().write(`${head}content-length: 15\r\n\r\n{"action":"get"`);
    sockets.push(socket);
  }
  return sockets;
}

if (only === undefined || only.includes('stall')) {
  const rows = noRows();
  for (let round = 0; round < rounds; round += 1) {
    note(rows, 'quiet', await measure());
    const sockets = await stall(stalled);
    note(rows, 'failing', await measure());
    for (const socket of sockets) socket.destroy();
    await sleep(300);
  }
  print(`${stalled} stalled`, rows, 2, 0);
}

const watch = postgres(database.href, { max: 1 });
const [left] = await watch.unsafe(
  `select count(*)::int as n from pg_stat_activity where query like '%generate_series%' and state = 'active' and pid <> pg_backend_pid()`,
);
say(`left running at PostgreSQL: ${String(left?.['n'])}`);
say(broken.length === 0 ? 'every bar holds' : `bars broken: ${broken.join('; ')}`);
await watch.end();
client.close();
sources.kill();
await service.stop();
await cluster.stop();
await mariadb?.stop();
process.exit(broken.length === 0 ? 0 : 1);

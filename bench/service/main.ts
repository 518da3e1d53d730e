// npm run bench:service: the service next to a bare Fastify route and raw node:http, in alternating rounds of one run.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { storeFile } from '../../packages/service/src/app/store/open-store.ts';
import { freePort } from '../../test/support/free-port.ts';
import { havePostgres, startPostgres } from '../../test/support/postgres.ts';
import { load, post, type Measured } from './load.ts';
import { npmStart, run, type Running } from './processes.ts';
import { contents, seed, settings, type Seeded } from './seed.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const roundMs = Number(process.env['BENCH_ROUND_MS'] ?? 1500);
const securables = Number(process.env['BENCH_SECURABLES'] ?? 20_000);
const only = process.env['BENCH_STORE'];
/** A service runs for months: V8 compiles for good what was called 3,000 times, and is done after some 20,000 creates. */
const warmRequests = Number(process.env['BENCH_WARM_REQUESTS'] ?? 20_000);
/** What answers too slowly for this many is warm after this. */
const warmMs = 30_000;
const warmSliceMs = 1000;
/** Operations to measure, with commas between; all unless named. */
const chosen = process.env['BENCH_OPERATIONS']?.split(',');
const widths = (process.env['BENCH_IN_FLIGHT'] ?? '1,32').split(',').map(Number);

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? 0;
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const cycle = <Item>(items: readonly Item[]): (() => Item) => {
  let at = 0;
  return () => {
    const item = items[at % items.length];
    at += 1;
    if (item === undefined) throw new Error('nothing to send');
    return item;
  };
};

interface Side {
  readonly name: 'inlay' | 'bare' | 'raw';
  readonly port: number;
  readonly next: () => Buffer;
}

interface Row {
  readonly operation: string;
  readonly inFlight: number;
  readonly sides: Readonly<Record<string, { perSecond: number; p50Ms: number; p99Ms: number }>>;
}

async function warm(side: Side, inFlight: number): Promise<void> {
  const until = performance.now() + warmMs;
  for (let answered = 0; answered < warmRequests && performance.now() < until;) {
    const { perSecond } = await load(side.port, inFlight, warmSliceMs, side.next);
    answered += (perSecond * warmSliceMs) / 1000;
  }
}

async function compare(operation: string, inFlight: number, sides: readonly Side[]): Promise<Row> {
  const measured = new Map<string, Measured[]>(sides.map(({ name }) => [name, []]));
  for (const side of sides) await warm(side, inFlight);
  for (let round = 0; round < rounds; round += 1) {
    for (const side of sides) {
      const one = await load(side.port, inFlight, roundMs, side.next);
      if (one.failed > 0) throw new Error(`${side.name} ${operation}: ${one.failed} answers were not 200`);
      measured.get(side.name)?.push(one);
    }
  }
  const inlay = measured.get('inlay') ?? [];
  const shown = sides.map(({ name }) => {
    const all = measured.get(name) ?? [];
    const ratio = median(inlay.map((one, index) => one.perSecond / (all[index]?.perSecond ?? 1)));
    const of = name === 'inlay' ? '' : `  inlay/${name} ${(ratio * 100).toFixed(0)} %`;
    return `${name} ${median(all.map((one) => one.perSecond)).toFixed(0)}/s p50 ${median(all.map((one) => one.p50Ms)).toFixed(2)} ms p99 ${median(all.map((one) => one.p99Ms)).toFixed(2)} ms${of}`;
  });
  say(`  ${operation.padEnd(10)} ${String(inFlight).padStart(2)} in flight  ${shown.join(' | ')}`);
  return { operation, inFlight, sides: {} };
}

/** Waits until the service has made its demo, which its first start does next to the first requests. */
async function demoMade(port: number): Promise<void> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/demo/state`);
    const state: unknown = await answer.json();
    if (typeof state === 'object' && state !== null && 'ready' in state && state.ready === true) return;
    await sleep(200);
  }
}

async function make(port: number, authorization: string, resource: string, properties: object): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/0.1.0/${resource}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ properties }),
  });
  const made: unknown = await answer.json();
  return typeof made === 'object' && made !== null && 'id' in made ? String(made.id) : '';
}

/** Mints an embed token for two dashboards with one row filter. */
async function minting(port: number, authorization: string, dashboards: readonly string[]): Promise<() => Buffer> {
  const dataset = await make(port, authorization, 'dataset', { name: { en: 'Sales' } });
  const column = { securable_id: dataset, type: 'hierarchy', name: { en: 'Tenant' } };
  const columnId = await make(port, authorization, 'column', column);
  return cycle(
    Array.from({ length: 1000 }, (_, index) => {
      const granted = [dashboards[index % dashboards.length], dashboards[(index + 1) % dashboards.length]];
      const read = (id: string | undefined): object => ({ id, rights: 'read' });
      const properties = {
        type: 'embed',
        role: 'viewer',
        username: `viewer-${index}`,
        access: { dashboards: granted.map(read), datasets: [read(dataset)] },
        filters: [{ securable_id: dataset, column_id: columnId, expression: '? in ?', value: [`tenant ${index}`] }],
      };
      return post('/0.1.0/authorization', JSON.stringify({ properties }), authorization);
    }),
  );
}

async function operations(inlay: Running, bare: Running, raw: Running, seeded: Seeded): Promise<void> {
  const { key, token, ids } = seeded;
  const authorization = `Bearer ${key}:${token}`;
  const api = (body: object): Buffer => post('/0.1.0/securable', JSON.stringify(body), authorization);
  const properties = { type: 'dashboard', name: { en: 'Made under load' }, contents: contents() };
  const get: readonly Side[] = [
    { name: 'inlay', port: inlay.port, next: cycle(ids.map((id) => api({ action: 'get', id }))) },
    { name: 'bare', port: bare.port, next: cycle(ids.map((id) => post('/get', JSON.stringify({ id })))) },
    { name: 'raw', port: raw.port, next: cycle(ids.map((id) => post('/', JSON.stringify({ id })))) },
  ];
  const search: readonly Side[] = [
    { name: 'inlay', port: inlay.port, next: cycle([api({ find: { search: { keyphrase: 'needle' }, limit: 50 } })]) },
    { name: 'bare', port: bare.port, next: cycle([post('/search', JSON.stringify({ fragment: 'needle' }))]) },
  ];
  // Neither of these two is a statement of its own somewhere else.
  const include: readonly Side[] = [
    {
      name: 'inlay',
      port: inlay.port,
      next: cycle(
        ids
          .slice(0, 20)
          .map((_id, offset) =>
            api({ find: { limit: 20, offset: 20 * offset, include: [{ model: 'Users' }, { model: 'Tags' }] } }),
          ),
      ),
    },
  ];
  const mint: readonly Side[] = [
    { name: 'inlay', port: inlay.port, next: await minting(inlay.port, authorization, ids) },
  ];
  const create: readonly Side[] = [
    { name: 'inlay', port: inlay.port, next: cycle([api({ properties })]) },
    { name: 'bare', port: bare.port, next: cycle([post('/create', JSON.stringify({ properties }))]) },
  ];
  // Every update changes the record and every link is a new one: a store may skip what changes nothing.
  let turn = 0;
  const changed = (): { name: { en: string } } => ({ name: { en: `Changed under load ${(turn += 1)}` } });
  const nextId = cycle(ids);
  const update: readonly Side[] = [
    { name: 'inlay', port: inlay.port, next: () => api({ id: nextId(), properties: changed() }) },
    {
      name: 'bare',
      port: bare.port,
      next: () => post('/update', JSON.stringify({ id: nextId(), properties: { ...properties, ...changed() } })),
    },
  ];
  const tags = await Promise.all(
    Array.from({ length: 300 }, (_, index) => make(inlay.port, authorization, 'tag', { name: { en: `Tag ${index}` } })),
  );
  const pairs = (): (() => { id: string; tag: string }) => {
    const nextTag = cycle(tags.flatMap((tag) => ids.map(() => tag)));
    const nextOf = cycle(ids);
    return () => ({ id: nextOf(), tag: nextTag() });
  };
  const [ours, theirs] = [pairs(), pairs()];
  const associate: readonly Side[] = [
    {
      name: 'inlay',
      port: inlay.port,
      next: () => {
        const { id, tag } = ours();
        return api({ action: 'associate', id, resource: { role: 'Tags', id: tag } });
      },
    },
    {
      name: 'bare',
      port: bare.port,
      next: () => {
        const { id, tag } = theirs();
        return post('/associate', JSON.stringify({ id, target: tag }));
      },
    },
  ];
  const compared = Object.entries({ get, search, include, create, mint, update, associate }).filter(
    ([operation]) => chosen?.includes(operation) ?? true,
  );
  for (const inFlight of widths) for (const [operation, sides] of compared) await compare(operation, inFlight, sides);
}

/** How gets fare while writes run: the question behind a writer of its own. */
async function mixed(inlay: Running, { key, token, ids }: Seeded): Promise<void> {
  const authorization = `Bearer ${key}:${token}`;
  const api = (body: object): Buffer => post('/0.1.0/securable', JSON.stringify(body), authorization);
  const gets = cycle(ids.map((id) => api({ action: 'get', id })));
  const writes = cycle([api({ properties: { name: { en: 'Beside gets' }, contents: contents() } })]);
  const alone = await load(inlay.port, 4, roundMs, gets);
  const [beside] = await Promise.all([load(inlay.port, 4, roundMs, gets), load(inlay.port, 4, roundMs, writes)]);
  say(
    `  gets, 4 in flight: alone p50 ${alone.p50Ms.toFixed(2)} p99 ${alone.p99Ms.toFixed(2)} ms; while 4 writes are in flight p50 ${beside.p50Ms.toFixed(2)} p99 ${beside.p99Ms.toFixed(2)} ms`,
  );
}

async function onStore(kind: 'sqlite' | 'postgres', databaseUrl: string | undefined, bareUrl: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'inlay-bench-'));
  const dataDir = join(folder, 'data');
  const seeded = await seed(dataDir, databaseUrl, securables);
  if (kind === 'sqlite') cpSync(storeFile(dataDir), join(folder, 'bare.db'));
  const [port, barePort, rawPort] = await Promise.all([freePort(), freePort(), freePort()]);
  const set = { ...settings(dataDir, databaseUrl), INLAY_PORT: String(port) };
  const { args: main, env: memory } = npmStart(set);
  const env = { ...set, ...memory };
  // What `npm start` runs first also brings Node's program back into memory, where the system has let go of it.
  execFileSync('npm', ['run', '--silent', 'prestart']);
  const first = await run(main, port, env, /listens on/u);
  await demoMade(port);
  await first.stop();
  const inlay = await run(main, port, env, /listens on/u);
  const sample = await fetch(`http://127.0.0.1:${port}/0.1.0/securable`, {
    method: 'POST',
    headers: { authorization: `Bearer ${seeded.key}:${seeded.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ action: 'get', id: seeded.ids[0] }),
  });
  const bytes = await sample.text();
  writeFileSync(join(folder, 'sample.json'), bytes);
  const bare = await run(
    [
      'bench/service/bare.ts',
      kind,
      kind === 'sqlite' ? join(folder, 'bare.db') : bareUrl,
      String(barePort),
      join(folder, 'sample.json'),
    ],
    barePort,
    {},
    /ready/u,
  );
  const raw = await run(['bench/service/raw.ts', join(folder, 'sample.json'), String(rawPort)], rawPort, {}, /ready/u);
  say(
    `\n${kind}: ${securables} securables, a record is ${bytes.length} bytes; start ${first.startMs.toFixed(0)} ms the first time (waited for the disk ${first.diskWaits} times), ${inlay.startMs.toFixed(0)} ms again (${inlay.diskWaits}); RSS ${inlay.rssMb().toFixed(0)} MB before load`,
  );
  await operations(inlay, bare, raw, seeded);
  await mixed(inlay, seeded);
  say(`  RSS after load: ${inlay.rssMb().toFixed(0)} MB (bare ${bare.rssMb().toFixed(0)} MB)`);
  await Promise.all([inlay.stop(), bare.stop(), raw.stop()]);
  rmSync(folder, { recursive: true, force: true });
}

if (only !== 'postgres') await onStore('sqlite', undefined, '');
const missing = havePostgres();
if (missing !== undefined) say(`skipped on PostgreSQL: ${missing}`);
else if (only !== 'sqlite') {
  const cluster = await startPostgres({ fsync: true });
  const url = await cluster.createDatabase();
  await onStore('postgres', url, url);
  await cluster.stop();
}
process.exit(0);

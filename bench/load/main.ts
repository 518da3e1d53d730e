// npm run bench:load: viewers who open a dashboard as the element asks for it, 200 in a minute and 20 in a minute, over rows in
// the engine and at PostgreSQL; a second wave over cached results; and more viewers than the machine can serve.
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Json, JsonObject } from '@inlay/contract';
import { say } from '../measure.ts';
import { childrenOf, residentMb } from '../../test/support/process-memory.ts';
import { openLoadWorld, tokens, type Board } from './world.ts';

const engineRows = Number(process.env['BENCH_ROWS'] ?? 8_000_000);
const sourceRows = Number(process.env['BENCH_SOURCE_ROWS'] ?? 2_000_000);
const minuteMs = Number(process.env['BENCH_MINUTE_MS'] ?? 60_000);
const only = process.env['BENCH_ONLY']?.split(',');
/** As the element: how long a busy service is asked again, and how long a viewer looks before the next filter. */
const patienceMs = 60_000;
const lookMs = 1000;
/** How long rows may take to be sorted in the background. */
const sortedMs = Number(process.env['BENCH_SORTED_MS'] ?? 120_000);

const world = await openLoadWorld(engineRows, sourceRows);
const { service } = world;

/** What became of one request for rows. */
interface Round {
  readonly ms: number;
  readonly asked: number;
  readonly answered: number;
  readonly refusals: number;
  /** The request that was admitted alone, without those that were refused before. */
  readonly admittedMs: number;
}

const isError = (line: string): boolean => {
  const read: Json = JSON.parse(line);
  return typeof read === 'object' && read !== null && 'error' in read;
};

async function round(board: Board, index: number, queries: readonly JsonObject[]): Promise<Round> {
  const { key, token } = board.tokens[index % tokens] ?? { key: '', token: '' };
  const startedMs = performance.now();
  let refusals = 0;
  for (;;) {
    const askedMs = performance.now();
    const answer = await fetch(`${service.url}/0.1.0/data`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/x-ndjson',
        authorization: `Bearer ${key}:${token}`,
      },
      body: JSON.stringify({ action: 'get', find: { queries } }),
    }).catch(() => null);
    const body = (await answer?.text().catch(() => '')) ?? '';
    const ms = performance.now() - startedMs;
    const admittedMs = performance.now() - askedMs;
    if (answer?.status === 503 && ms < patienceMs) {
      refusals += 1;
      await wait(Number(answer.headers.get('retry-after') ?? 1) * 1000 * (1 + Math.random() / 2));
      continue;
    }
    const lines = answer?.status === 200 ? body.split('\n').filter((line) => line !== '') : [];
    return { ms, asked: queries.length, answered: lines.filter((line) => !isError(line)).length, refusals, admittedMs };
  }
}

async function appearance(board: Board, index: number): Promise<void> {
  const { key, token } = board.tokens[index % tokens] ?? { key: '', token: '' };
  const answer = await fetch(`${service.url}/0.1.0/appearance`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}:${token}` },
    body: JSON.stringify({ action: 'get', find: { dashboard_id: board.dashboardId } }),
  });
  await answer.arrayBuffer();
  if (!answer.ok && answer.status !== 503) throw new Error(`the appearance was answered ${answer.status}`);
}

/** Returns a visit: what the page needs first, all 12 items, and twice a filter that asks for 11 of them again. */
async function visit(board: Board, index: number): Promise<readonly Round[]> {
  const query = (item: string): JsonObject => ({ dashboard_id: board.dashboardId, item_id: item });
  const filtered = (value: string): readonly JsonObject[] =>
    board.items.slice(1).map((item) => ({ ...query(item), where: [board.filter(value)] }));
  const startedMs = performance.now();
  await appearance(board, index);
  const first = await round(board, index, board.items.map(query));
  const rounds = [{ ...first, ms: performance.now() - startedMs }];
  for (const at of [3, 7]) {
    await wait(lookMs);
    rounds.push(await round(board, index, filtered(`region ${(index + at) % 12}`)));
  }
  return rounds;
}

const at = (numbers: readonly number[], share: number): number =>
  numbers.toSorted((left, right) => left - right)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))] ??
  0;

/** Processor time of the service and of all its children, ended ones too, in seconds. */
function cpuS(): number {
  const fields = readFileSync(`/proc/${service.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const own = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return [...childrenOf(service.pid).values()].reduce((sum, ticks) => sum + ticks, own) / 100;
}

const memoryMb = (): number =>
  [service.pid, ...childrenOf(service.pid).keys()].reduce((sum, pid) => sum + residentMb(pid), 0);

async function cacheHits(): Promise<string> {
  const lines = (await (await fetch(`${service.url}/metrics`)).text()).split('\n');
  const count = (label: string): number =>
    lines
      .filter(
        (line) => line.startsWith('inlay_queries_total{') && line.includes(label) && line.includes('outcome="ok"'),
      )
      .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  return `${count('source="cache"')} of ${count('')} queries since the start from the cache`;
}

/** Visits that begin evenly over a minute. */
async function wave(title: string, board: Board, viewers: number): Promise<number> {
  const cpuBefore = cpuS();
  let peakMb = memoryMb();
  const watch = setInterval(() => (peakMb = Math.max(peakMb, memoryMb())), 1000);
  const startedMs = performance.now();
  const visits = await Promise.all(
    Array.from({ length: viewers }, async (_, index) => {
      await wait((index * minuteMs) / viewers);
      return visit(board, index).catch(() => []);
    }),
  );
  clearInterval(watch);
  const seconds = (performance.now() - startedMs) / 1000;
  const isWhole = (rounds: readonly Round[]): boolean =>
    rounds.length === 3 && rounds.every(({ asked, answered }) => asked === answered);
  const whole = visits.filter(isWhole);
  const [first, later] = [whole.map(([one]) => one?.ms ?? 0), whole.flatMap(([, ...rest]) => rest.map(({ ms }) => ms))];
  const refusals = visits.flat().reduce((sum, one) => sum + one.refusals, 0);
  const ms = (numbers: readonly number[]): string =>
    `p50 ${at(numbers, 0.5).toFixed(0)} ms, p95 ${at(numbers, 0.95).toFixed(0)} ms`;
  say(`${title}`);
  say(
    `  ${whole.length} of ${viewers} visits complete in ${seconds.toFixed(0)} s; refused and asked again ${refusals} times`,
  );
  say(`  12 items: ${ms(first)}; after a filter: ${ms(later)}`);
  const answered = visits.flat().filter(({ asked, answered: lines }) => asked === lines);
  say(
    `  ${answered.length} dashboards and filters answered whole, ${(answered.length / seconds).toFixed(1)} a second; once admitted: ${ms(answered.map(({ admittedMs }) => admittedMs))}`,
  );
  say(
    `  ${((cpuS() - cpuBefore) / viewers).toFixed(2)} s of processor time a visit of 34 queries; at most ${peakMb.toFixed(0)} MB resident with all children; ${await cacheHits()}`,
  );
  return whole.length / seconds;
}

const wanted = (name: string): boolean => only === undefined || only.includes(name);
say(
  `${engineRows} rows in the engine, ${sourceRows} at PostgreSQL, ${tokens} tokens of 1000 tenants; the load runs on the same machine`,
);
await visit(world.engine, 0);
await visit(world.source, 0);
if (wanted('engine20')) await wave('engine, 20 viewers a minute', world.engine, 20);
if (wanted('engine')) {
  await wave('engine, 200 viewers a minute, rows as they came', world.engine, 200);
  // The service sorts the rows by tenant in the background.
  await wait(sortedMs);
  await wave('engine, 200 viewers a minute, rows sorted meanwhile', world.engine, 200);
  await wave('engine, 20 viewers a minute, rows sorted', world.engine, 20);
}
if (wanted('source20')) await wave('PostgreSQL, 20 viewers a minute', world.source, 20);
if (wanted('source')) await wave('PostgreSQL, 200 viewers a minute', world.source, 200);
if (wanted('cached')) {
  await world.engine.keep(600);
  await wave('engine with cache, first wave of 200', world.engine, 200);
  await wave('engine with cache, second wave of 200', world.engine, 200);
  await world.engine.keep(0);
}
if (wanted('saturated')) {
  const peak = await wave('engine, 400 viewers a minute', world.engine, 400);
  const beyond = await wave('engine, 1200 viewers a minute', world.engine, 1200);
  say(`  complete visits a second: ${beyond.toFixed(2)}, ${(beyond / peak).toFixed(2)} of those of 400 a minute`);
}
await world.close();

// npm run bench:load: viewers who open a dashboard as the element does, 200 in a minute and 20 in a minute, over rows in the
// engine and at PostgreSQL; a second wave over cached results; more viewers than the machine can serve; and row filters that
// follow a link, beside the same queries without the service. BENCH_ONLY names the parts to run.
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { median, say, timed, within } from '../measure.ts';
import { childrenOf, residentMb } from '../../test/support/process-memory.ts';
import type { Board } from './board.ts';
import { openDuckdbDirect, openPostgresDirect, type Direct } from './direct.ts';
import { ask, isWhole, queriesOf, visit, type Round } from './visits.ts';
import { openLoadWorld, type LinkedBoards } from './world.ts';

const sizes = {
  engineRows: Number(process.env['BENCH_ROWS'] ?? 8_000_000),
  sourceRows: Number(process.env['BENCH_SOURCE_ROWS'] ?? 2_000_000),
  linkedRows: Number(process.env['BENCH_LINKED_ROWS'] ?? 2_000_000),
  viewers: Number(process.env['BENCH_VIEWERS'] ?? 1200),
  linkedViewers: 60,
};
const minuteMs = Number(process.env['BENCH_MINUTE_MS'] ?? 60_000);
const only = process.env['BENCH_ONLY']?.split(',');
/** How long rows may take to be sorted in the background. */
const sortedMs = Number(process.env['BENCH_SORTED_MS'] ?? 120_000);
const comparedRounds = 12;

const world = await openLoadWorld(sizes);
const { service } = world;
const { url } = service;

const at = (numbers: readonly number[], share: number): number =>
  numbers.toSorted((left, right) => left - right)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))] ??
  0;

/** Processor time of the service and of all its children, including ended ones, in seconds. */
function cpuS(): number {
  const fields = readFileSync(`/proc/${service.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const own = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return [...childrenOf(service.pid).values()].reduce((sum, ticks) => sum + ticks, own) / 100;
}

const memoryMb = (): number =>
  [service.pid, ...childrenOf(service.pid).keys()].reduce((sum, pid) => sum + residentMb(pid), 0);

async function cacheHits(): Promise<string> {
  const lines = (await (await fetch(`${url}/metrics`)).text()).split('\n');
  const count = (label: string): number =>
    lines
      .filter(
        (line) => line.startsWith('inlay_queries_total{') && line.includes(label) && line.includes('outcome="ok"'),
      )
      .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  return `${count('source="cache"')} of ${count('')} queries since the start from the cache`;
}

/** Limits that a wave is compared with. */
interface Targets {
  readonly roundMs?: number;
  readonly cpuS: number;
}

const firstLineMs = 150;

function compare(rounds: readonly Round[], expected: number, cpu: number, targets: Targets): void {
  const whole = rounds.filter(isWhole);
  say(`  ${whole.length === expected ? 'ok  ' : 'OVER'} ${whole.length} of ${expected} rounds complete`);
  if (targets.roundMs !== undefined)
    within(
      'a round, p95',
      at(
        whole.map(({ ms }) => ms),
        0.95,
      ),
      targets.roundMs,
      'ms',
    );
  within(
    'first line, p95',
    at(
      whole.map(({ firstMs }) => firstMs),
      0.95,
    ),
    firstLineMs,
    'ms',
  );
  within('processor time a round of 12', (cpu * 1000 * 12) / (34 / 3), targets.cpuS * 1000, 'ms');
}

/** Visits that begin evenly over `spanMs`. Returns the complete visits a second. */
async function wave(
  title: string,
  board: Board,
  viewers: number,
  targets: Targets | null = null,
  spanMs = minuteMs,
): Promise<number> {
  const cpuBefore = cpuS();
  let peakMb = memoryMb();
  const watch = setInterval(() => (peakMb = Math.max(peakMb, memoryMb())), 1000);
  const startedMs = performance.now();
  const visits = await Promise.all(
    Array.from({ length: viewers }, async (_, index) => {
      await wait((index * spanMs) / viewers);
      return visit(url, board, index).catch(() => []);
    }),
  );
  clearInterval(watch);
  const cpu = cpuS() - cpuBefore;
  const seconds = (performance.now() - startedMs) / 1000;
  const rounds = visits.flat();
  const whole = visits.filter((visited) => visited.length === 3 && visited.every(isWhole));
  const [first, later] = [whole.map(([one]) => one?.ms ?? 0), whole.flatMap(([, ...rest]) => rest.map(({ ms }) => ms))];
  const sum = (of: (round: Round) => number): number => rounds.reduce((total, round) => total + of(round), 0);
  const ms = (numbers: readonly number[]): string =>
    `p50 ${at(numbers, 0.5).toFixed(0)} ms, p95 ${at(numbers, 0.95).toFixed(0)} ms`;
  say(title);
  say(
    `  ${whole.length} of ${viewers} visits complete in ${seconds.toFixed(0)} s; ${sum(({ refusals }) => refusals)} refusals, ${sum(({ failed }) => failed)} errors in answers`,
  );
  say(
    `  12 items: ${ms(first)}; after a filter: ${ms(later)}; first line: ${ms(rounds.map(({ firstMs }) => firstMs))}`,
  );
  const answered = rounds.filter(isWhole);
  say(
    `  ${answered.length} rounds complete, ${(answered.length / seconds).toFixed(1)} a second; once admitted: ${ms(answered.map(({ admittedMs }) => admittedMs))}`,
  );
  say(
    `  ${(cpu / viewers).toFixed(3)} s of processor time a visit of 34 queries; at most ${peakMb.toFixed(0)} MB resident with all children; ${await cacheHits()}`,
  );
  if (targets !== null) compare(rounds, viewers * 3, cpu / Math.max(1, rounds.length), targets);
  return whole.length / seconds;
}

const follows = 'customer_id in (select id from customers where tenant = $1)';

/** Compares 12 queries behind a link with the same without the link, and with those of a driver, in alternating rounds. */
async function compareLinked(
  title: string,
  { linked, unlinked }: LinkedBoards,
  open: (where: string) => Promise<Direct>,
  mostRatio: number,
): Promise<void> {
  const [byLink, byTenant] = [await open(follows), await open('tenant = $1')];
  const sides = {
    linked: (index: number) => ask(url, linked, index, queriesOf(linked)),
    unlinked: (index: number) => ask(url, unlinked, index, queriesOf(unlinked)),
    byLink: (index: number) => byLink.run(linked.viewers[index]?.tenant ?? ''),
    byTenant: (index: number) => byTenant.run(linked.viewers[index]?.tenant ?? ''),
  };
  const times: Record<keyof typeof sides, number[]> = { linked: [], unlinked: [], byLink: [], byTenant: [] };
  for (let index = 0; index < comparedRounds; index += 1)
    for (const name of ['linked', 'byLink', 'unlinked', 'byTenant'] as const)
      times[name].push(await timed(() => sides[name](index)));
  await Promise.all([byLink.close(), byTenant.close()]);
  const ms = (name: keyof typeof sides): string => `${median(times[name]).toFixed(0)} ms`;
  const ratios = times.linked.map((time, index) => time / (times.byLink[index] ?? time));
  say(`${title}, 12 queries of a tenant, medians of ${comparedRounds} alternating rounds`);
  say(`  filter behind a link: ${ms('linked')}, without the service ${ms('byLink')}`);
  say(`  filter on the orders: ${ms('unlinked')}, without the service ${ms('byTenant')}`);
  within('filter behind a link, to the same without the service', 100 * median(ratios), 100 * mostRatio, '%');
}

const wanted = (name: string): boolean => only === undefined || only.includes(name);
say(
  `${sizes.engineRows} rows in the engine, ${sizes.sourceRows} at PostgreSQL, ${sizes.linkedRows} orders in each, ${sizes.viewers} viewers of 1000 tenants; the load runs on the same machine`,
);
await visit(url, world.engine, 0);
await visit(url, world.source, 0);
if (wanted('engine20')) await wave('engine, 20 viewers a minute', world.engine, 20);
if (wanted('engine')) {
  await wave('engine, 200 viewers a minute, rows as uploaded', world.engine, 200, { cpuS: 0.3 });
  // The service sorts the rows by tenant in the background.
  await wait(sortedMs);
  await wave('engine, 200 viewers a minute, rows sorted meanwhile', world.engine, 200, { roundMs: 1000, cpuS: 0.08 });
  await wave('engine, 20 viewers a minute, rows sorted', world.engine, 20);
}
if (wanted('source20')) await wave('PostgreSQL, 20 viewers a minute', world.source, 20);
if (wanted('source')) await wave('PostgreSQL, 200 viewers a minute', world.source, 200);
if (wanted('linked')) {
  const { linkedSource, linkedEngine } = world;
  await wave('PostgreSQL behind a link, 50 viewers in 15 s', linkedSource.linked, 50, null, minuteMs / 4);
  await compareLinked('PostgreSQL', linkedSource, (where) => openPostgresDirect(linkedSource.url, where), 1.5);
  await compareLinked('engine', linkedEngine, (where) => openDuckdbDirect(linkedEngine.files(), where), 1);
}
if (wanted('cached')) {
  await world.engine.cache(600);
  await wave('engine with cache, first wave of 200', world.engine, 200);
  await wave('engine with cache, second wave of 200', world.engine, 200);
  await world.engine.cache(0);
}
if (wanted('saturated')) {
  const peak = await wave('engine, 400 viewers a minute', world.engine, 400);
  const beyond = await wave('engine, 1200 viewers a minute', world.engine, 1200);
  say(`  complete visits a second: ${beyond.toFixed(2)}, ${(beyond / peak).toFixed(2)} of those of 400 a minute`);
}
await world.close();

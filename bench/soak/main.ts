// npm run soak: all attacks at once for SOAK_MINUTES (30) beside honest callers of another organization; with SOAK_ATTACKS=none
// the honest callers alone, who pause SOAK_THINK_MS between two requests.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../../test/support/load.ts';
import { part } from '../../test/support/world.ts';
import { send } from '../loop/client.ts';
import { furnish } from '../loop/stage.ts';
import { pausesSince, watchedBy } from '../loop/read-pauses.ts';
import { startWith } from '../loop/start.ts';
import { slopesOf, watchHoldings } from './holdings.ts';
import { say } from '../measure.ts';
import { childrenOf } from '../query/children.ts';
import { attacks } from './attacks.ts';

const minutes = Number(process.env['SOAK_MINUTES'] ?? 30);
const idleMs = Number(process.env['SOAK_IDLE_S'] ?? 30) * 1000;
const bounds = { probeMs: 1000, honestMs: 2000, mainMb: 600 } as const;
const chosen = process.env['SOAK_ATTACKS']?.split(',');

const folder = mkdtempSync(join(tmpdir(), 'inlay-soak-'));
const tokens = ['attacked', 'honest'].map((name) => `soak-${name}-`.padEnd(43, 'x'));
const pauses = join(folder, 'pauses');
const watched = watchedBy(pauses);
const settings = { ...watched.env, INLAY_LOG_REQUESTS: 'false', INLAY_LOG_LEVEL: 'error' };
const { service, owners } = await startWith(tokens, join(folder, 'data'), settings, watched.args);
const [theirs, ours] = owners;
if (theirs === undefined || ours === undefined) throw new Error('two organizations are needed');

const forked: ChildProcess[] = [];
const start = (file: string, ...args: readonly string[]): ChildProcess => {
  const child = fork(join(import.meta.dirname, file), args);
  forked.push(child);
  return child;
};
const told = async (child: ChildProcess, order: string): Promise<unknown> => {
  child.send(order);
  const [answer]: readonly unknown[] = await once(child, 'message', { signal: AbortSignal.timeout(60_000) });
  return answer;
};
async function clean(): Promise<void> {
  for (const child of forked) child.kill('SIGKILL');
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.on('uncaughtException', (error) => {
  say(String(error));
  void clean().finally(() => process.exit(1));
});
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void clean().finally(() => process.exit(1)));

const share = 0.2;
const [attacked, honest] = [await furnish(service.port, theirs, 1), await furnish(service.port, ours, share)];
say(`${cpus().length} processors, ${Math.round(totalmem() / 1024 ** 3)} GB, load ${loadavg()[0]?.toFixed(1)} before`);

/** What the thread that answers has run and waited for a processor so far, in ms. */
const scheduled = (): { readonly ranMs: number; readonly waitedMs: number } => {
  const [ran, waited] = readFileSync(`/proc/${service.pid}/task/${service.pid}/schedstat`, 'utf8')
    .split(' ')
    .map(Number);
  return { ranMs: (ran ?? 0) / 1e6, waitedMs: (waited ?? 0) / 1e6 };
};

// Memory and probes, all the time.
const peaks = { children: new Map<string, number>() };
const probes: number[] = [];
const failedProbes: string[] = [];
const isOver = { now: false };
const watching = setInterval(() => {
  for (const { id, maxMb } of childrenOf(service.pid)) peaks.children.set(id, maxMb);
}, 1000);
async function probe(): Promise<void> {
  for (; !isOver.now; await sleep(200)) {
    const { ms, status } = await send(service.port, {
      method: 'GET',
      path: probes.length % 2 === 0 ? '/livez' : '/readyz',
      from: '127.7.0.9',
    });
    probes.push(ms);
    if (status !== 200) failedProbes.push(String(status));
  }
}

const viewers = start('viewer.ts', String(100_000 * share));
viewers.send(honest);
await sleep(10_000);
await told(viewers, 'report');
void probe();
const holdings = watchHoldings(service.port, join(folder, 'data'));
await sleep(idleMs);
const idle = await told(viewers, 'report');
say(`idle: ${JSON.stringify(part(idle, 'all'))}, main ${Math.round(service.peakMb())} MB`);
const idleProbe = Math.max(...probes.splice(0));

const named = Object.keys(attacks).filter((name) => chosen?.some((word) => name.includes(word)) ?? true);
const attackers = named.map((name) => ({ name, child: start('attacker.ts', name) }));
for (const { child } of attackers) child.send(attacked);
const [startedMs, startedAt] = [performance.now(), Date.now()];
const before = scheduled();
const totals = { answers: 0, wrong: 0, p99s: [0], most: 0 };
const words: string[] = [];
let last: unknown = null;
for (let minute = 1; minute <= minutes; minute += 1) {
  await sleep(Math.max(0, startedMs + minute * 60_000 - performance.now()));
  say(
    `minute ${minute}: probe at most ${Math.round(Math.max(...probes))} ms, failed ${failedProbes.length}; main ${Math.round(service.rssMb())} MB (most ${Math.round(service.peakMb())}), ${holdings.now()}, load ${loadavg()[0]?.toFixed(1)}`,
  );
}
last = await told(viewers, 'report');
totals.wrong = Number(part(last, 'wrong'));
for (const { name, child } of attackers) words.push(`  ${name}: ${JSON.stringify(await told(child, 'stop'))}`);
isOver.now = true;
clearInterval(watching);

const p99 = Number(part(part(last, 'all'), 'p99Ms'));
const children = [...peaks.children.values()].toSorted((left, right) => right - left);
const slowest = Math.max(...probes);
say(`\n${minutes} minutes, ${named.length} kinds of attacks at once; what was answered to them:\n${words.join('\n')}`);
say(`honest, idle:     ${JSON.stringify(part(idle, 'all'))}; slowest probe ${Math.round(idleProbe)} ms`);
say(`honest, attacked: ${JSON.stringify(part(last, 'all'))}`);
for (const [kind, figures] of Object.entries(Object(part(last, 'kinds')))) say(`  ${kind}: ${JSON.stringify(figures)}`);
const longest = (await pausesSince(pauses, startedAt)).toSorted((left, right) => right.processorMs - left.processorMs);
say(
  `longest steps of the event loop, collections apart, of ${longest.length} over 10 ms (ms of its processor / of the clock / of collections):`,
);
say(
  `  ${longest
    .slice(0, 12)
    .map((one) => [one.processorMs, one.wallMs, one.gcMs].map(Math.round).join(' / '))
    .join(', ')}`,
);
const after = scheduled();
say(
  `its thread ran ${Math.round((after.ranMs - before.ranMs) / 1000)} s and waited ${Math.round((after.waitedMs - before.waitedMs) / 1000)} s for a processor`,
);
say(`slope per hour, without the first third: ${slopesOf(holdings.stop())}`);
const isUp = (await send(service.port, { method: 'GET', path: '/livez' })).status === 200;
const rows: readonly (readonly [string, string, boolean])[] = [
  ['restarts or an end of the service', isUp ? '0' : 'it ended', isUp],
  ['wrong answers', `${totals.wrong} ${JSON.stringify(part(last, 'wrongAnswers'))}`, totals.wrong === 0],
  ['probes that failed', `${failedProbes.length} of ${probes.length}`, failedProbes.length === 0],
  ['slowest probe', `${Math.round(slowest)} ms (p99 ${Math.round(percentile(probes, 99))})`, slowest <= bounds.probeMs],
  ['honest p99', `${p99} ms, idle ${String(part(part(idle, 'all'), 'p99Ms'))} ms`, p99 <= bounds.honestMs],
  ['main process', `${Math.round(service.peakMb())} MB at most`, service.peakMb() <= bounds.mainMb],
  ['children', `${children.length}, at most ${children.slice(0, 8).join(', ')} MB`, (children[0] ?? 0) <= 700],
];
for (const [name, value, holds] of rows) say(`${holds ? 'holds ' : 'BROKEN'} ${name}: ${value}`);
await clean();
process.exit(rows.every(([, , holds]) => holds) ? 0 : 1);

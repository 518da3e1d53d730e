// npm run bench:fair: how long charts of others wait beside one viewer who asks heavy queries in a loop, in alternating rounds of one run.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { EngineCaller } from '../../packages/service/src/engine/engine.ts';
import { openEngine } from '../../packages/service/src/engine/open-engine.ts';
import { say, timed } from '../measure.ts';
import { ingestRows, queries } from './data.ts';

const heavyRows = Number(process.env['BENCH_ROWS'] ?? 10_000_000);
const lightRows = 100_000;
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
const roundMs = Number(process.env['BENCH_ROUND_MS'] ?? 8000);
/** Time between two charts of one viewer. */
const paceMs = 40;

const folder = mkdtempSync(join(tmpdir(), 'inlay-bench-fair-'));
const engine = openEngine({
  dataDir: folder,
  memoryMb: 400,
  children: 4,
  threads: 2,
  deadlineMs: 60_000,
  spillMb: 8000,
});
const heavyPath = await ingestRows(engine, folder, heavyRows);
const lightPath = await ingestRows(engine, folder, lightRows);
const otherPath = await ingestRows(engine, folder, lightRows, 'other');

const signal = new AbortController().signal;
const viewer = (authorizationId: string): EngineCaller => ({ suborganization: null, authorizationId });

async function ask(tenant: string, authorizationId: string, path: string, sql: string): Promise<void> {
  const tables = [{ name: 'rows', source: { kind: 'file', path } }] as const;
  const limits = { rowLimit: 100_000, byteLimit: 1_000_000_000, deadlineMs: 60_000 };
  const job = { tenant, caller: viewer(authorizationId), tables, sql, params: [], ...limits };
  const { chunks } = await engine.query(job, signal);
  for await (const _ of chunks);
}

const heavy = [queries.top, queries.distinct, queries.two];

/** Asks for a chart every so often until the time is over; how long each took, in ms. */
async function charts(tenant: string, path: string, untilMs: number): Promise<readonly number[]> {
  const times: number[] = [];
  while (performance.now() < untilMs) {
    times.push(await timed(() => ask(tenant, `viewer of ${tenant}`, path, queries.filtered)));
    await wait(paceMs);
  }
  return times;
}

interface Round {
  readonly colleague: readonly number[];
  readonly other: readonly number[];
  readonly heavy: number;
}

/** Runs one round while a viewer runs this many heavy queries at a time. */
async function round(loops: number): Promise<Round> {
  const untilMs = performance.now() + roundMs;
  let done = 0;
  const loop = async (index: number): Promise<void> => {
    for (let at = index; performance.now() < untilMs; at += 1) {
      await ask('bench', 'the heavy viewer', heavyPath, heavy[at % heavy.length] ?? '');
      done += 1;
    }
  };
  const [colleague, other] = await Promise.all([
    charts('bench', lightPath, untilMs),
    charts('other', otherPath, untilMs),
    ...Array.from({ length: loops }, (_, index) => loop(index)),
  ]);
  return { colleague, other, heavy: done };
}

const p95 = (times: readonly number[]): number =>
  times.toSorted((left, right) => left - right)[Math.floor(times.length * 0.95)] ?? 0;

say(`${heavyRows} rows for the heavy viewer, ${lightRows} for charts; ${rounds} alternating rounds of ${roundMs} ms`);
const found = new Map<number, Round[]>([0, 2, 8].map((loops) => [loops, []]));
await round(0);
for (let index = 0; index < rounds; index += 1)
  for (const [loops, all] of index % 2 === 0 ? found : [...found].toReversed()) all.push(await round(loops));

const of = (loops: number, whose: 'colleague' | 'other'): number =>
  p95((found.get(loops) ?? []).flatMap((one) => one[whose]));
for (const loops of found.keys()) {
  const all = found.get(loops) ?? [];
  const perMinute = (all.reduce((sum, one) => sum + one.heavy, 0) / (rounds * roundMs)) * 60_000;
  say(`  ${loops} heavy queries at a time (${perMinute.toFixed(0)} of them a minute)`);
  for (const [whose, bar] of [
    ['colleague', 'at most 3x and 100 ms'],
    ['other', 'of another organization, at most 1.5x'],
  ] as const) {
    const ms = of(loops, whose);
    say(
      `    ${whose.padEnd(10)} p95 ${ms.toFixed(1).padStart(7)} ms  ${(ms / of(0, whose)).toFixed(2)}x idle  (${bar})`,
    );
  }
}
await engine.close();
rmSync(folder, { recursive: true, force: true });

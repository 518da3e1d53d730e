// npm run bench:ingest, second part: 1 and 1,000 rows appended to datasets of 20,000 and 8,000,000 rows, by 1 and 8 clients, all onto one
// dataset or onto several. BENCH_APPENDS is how many each client sends (20), BENCH_BASES the sizes of the datasets.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { percentile } from '../../test/support/load.ts';
import { median, say } from '../measure.ts';
import { childrenOf } from './children.ts';
import { writeParquet } from './data.ts';
import { abreast, startOwned } from './owner.ts';

const bases = (process.env['BENCH_BASES'] ?? '20000,8000000').split(',').map(Number);
const appends = Number(process.env['BENCH_APPENDS'] ?? 20);
/** Datasets that the clients share where they do not all send to one. */
const datasetsOf = (base: number): number => (base <= 100_000 ? 8 : 4);
const limitMs = (base: number): number => (base <= 100_000 ? 60 : 250);

const folder = mkdtempSync(join(tmpdir(), 'inlay-bench-appends-'));
const { service, call, upload } = await startOwned(join(folder, 'data'));
let maxMb = 0;
const watch = setInterval(() => {
  maxMb = Math.max(maxMb, ...childrenOf(service.pid).map((child) => child.nowMb));
}, 100);

const rowsFrom = (from: number, count: number): readonly (readonly (string | number)[])[] =>
  Array.from({ length: count }, (_, at) => {
    const n = from + at;
    return [
      '2024-05-06 07:08:09',
      `region ${n % 10}`,
      `product ${n % 1000}`,
      `customer ${n % 100_000}`,
      (n % 997) / 4,
      n % 900,
    ];
  });

async function measure(datasets: readonly string[], count: number, clients: number): Promise<readonly number[]> {
  const times: number[] = [];
  const sent = Array.from({ length: clients * appends }, (_, index) => index);
  await abreast(sent, clients, async (index) => {
    const securable_id = datasets[index % datasets.length];
    const properties = { type: 'append', securable_id, data: rowsFrom(index * count, count) };
    const sinceMs = performance.now();
    await call('data', { action: 'create', properties });
    times.push(performance.now() - sinceMs);
  });
  return times;
}

for (const base of bases) {
  const path = join(folder, `${base}.parquet`);
  await writeParquet(path, base);
  const file = readFileSync(path);
  const datasets: string[] = [];
  for (let at = 0; at < datasetsOf(base); at += 1) datasets.push(await upload(file, 'application/vnd.apache.parquet'));
  const cases = [
    ['1 client', 1, datasets.slice(0, 1)],
    ['8 clients, one dataset', 8, datasets.slice(1, 2)],
    [`8 clients, ${datasets.length} datasets`, 8, datasets],
  ] as const;
  for (const count of [1, 1000])
    for (const [name, clients, own] of cases) {
      const startedMs = performance.now();
      const times = await measure(own, count, clients);
      const perSecond = (times.length / (performance.now() - startedMs)) * 1000;
      say(
        `${count} rows onto ${base}, ${name.padEnd(23)}  p50 ${median(times).toFixed(0)} ms  p95 ${percentile(times, 95).toFixed(0)} ms  ${perSecond.toFixed(1)} appends/s  (p50 of 1 client at most ${limitMs(base)} ms)`,
      );
    }
  for (const id of datasets) await call('securable', { action: 'delete', id });
}
say(`a child held at most ${maxMb} MB  (at most 400 MB)`);
clearInterval(watch);
await service.stop();
rmSync(folder, { recursive: true, force: true });

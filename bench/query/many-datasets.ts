// npm run bench:datasets: datasets of 100 rows uploaded by 8 clients, then queried one after the other, each for the first time since
// its upload. BENCH_DATASETS is how many (10,000).
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isList, type Json } from '@inlay/contract';
import { part } from '../../test/support/world.ts';
import { percentile } from '../../test/support/load.ts';
import { median, say } from '../measure.ts';
import { childrenOf } from './children.ts';
import { abreast, startOwned } from './owner.ts';

const datasets = Number(process.env['BENCH_DATASETS'] ?? 10_000);
const clients = 8;
const rows = 100;

const csvOf = (dataset: number): string =>
  [
    'day,region,product,customer,revenue,units',
    ...Array.from({ length: rows }, (_, row) => {
      const day = new Date(Date.UTC(2024, 0, 1 + row)).toISOString().slice(0, 10);
      return `${day},region ${row % 5},product ${row % 20},customer ${dataset}-${row},${row}.25,${row % 7}`;
    }),
  ].join('\n');

const folder = mkdtempSync(join(tmpdir(), 'inlay-bench-datasets-'));
const { service, call, upload, columnsOf } = await startOwned(join(folder, 'data'));
const children = (): ReturnType<typeof childrenOf> => childrenOf(service.pid);
const descriptorsOf = (id: string): number => {
  try {
    return readdirSync(`/proc/${id}/fd`).length;
  } catch {
    return 0;
  }
};
const most = { rssMb: 0, descriptors: 0 };
const watch = setInterval(() => {
  for (const { id, nowMb } of children()) {
    most.rssMb = Math.max(most.rssMb, nowMb);
    most.descriptors = Math.max(most.descriptors, descriptorsOf(id));
  }
}, 200);

const failures = new Map<string, number>();
const noting = async (work: () => Promise<void>): Promise<void> =>
  work().catch((error: unknown) => {
    const why = error instanceof Error ? error.message.slice(0, 200) : String(error);
    failures.set(why, (failures.get(why) ?? 0) + 1);
  });

const ids: string[] = [];
const uploadMs: number[] = [];
const startedMs = performance.now();
await abreast(
  Array.from({ length: datasets }, (_, index) => csvOf(index)),
  clients,
  (csv) =>
    noting(async () => {
      const sinceMs = performance.now();
      ids.push(await upload(csv));
      uploadMs.push(performance.now() - sinceMs);
    }),
);
const perSecond = (ids.length / (performance.now() - startedMs)) * 1000;
say(
  `${ids.length} uploads of ${rows} rows by ${clients} clients  ${perSecond.toFixed(1)} uploads/s  p50 ${median(uploadMs).toFixed(0)} ms`,
);

const filesIn = (path: string): readonly string[] => readdirSync(path, { recursive: true, encoding: 'utf8' });
const bytes = filesIn(join(folder, 'data', 'datasets'))
  .map((name) => statSync(join(folder, 'data', 'datasets', name)))
  .reduce((sum, found) => sum + (found.isFile() ? found.size : 0), 0);
say(`${(bytes / 1000 / ids.length).toFixed(0)} KB on the disk for each dataset  (at most 150 KB)`);

const regionsIn = (answer: Json): number => {
  const data = part(answer, 'data');
  return isList(data) ? data.length : 0;
};
const queryMs: number[] = [];
for (const id of ids)
  await noting(async () => {
    const columns = await columnsOf(id);
    const dimensions = [columns.get('region')];
    const measures = [{ ...columns.get('revenue'), aggregation: { type: 'sum' } }];
    const sinceMs = performance.now();
    const answer = await call('data', { action: 'get', find: { dimensions, measures } });
    queryMs.push(performance.now() - sinceMs);
    if (regionsIn(answer) !== 5) throw new Error('a wrong answer');
  });
const failed = [...failures.values()].reduce((sum, count) => sum + count, 0);
say(
  `${queryMs.length} queries in turn, each dataset for the first time  p50 ${median(queryMs).toFixed(1)} ms  p95 ${percentile(queryMs, 95).toFixed(1)} ms  (p50 at most 15 ms)`,
);
say(`${failed} failures  (none)`);
for (const [why, count] of failures) say(`  ${count} times: ${why}`);
say(`a child held at most ${most.rssMb} MB and ${most.descriptors} descriptors  (at most 400 MB and 512)`);
const metrics = await (await fetch(`${service.url}/metrics`)).text().catch(() => '');
say(
  metrics
    .split('\n')
    .filter((line) => line.startsWith('inlay_engine_children_retired_total'))
    .join('\n'),
);
clearInterval(watch);
await service.stop();
rmSync(folder, { recursive: true, force: true });

// npm run bench:sorted: queries of one tenant over rows as they came and over the same rows sorted by tenant, in alternating rounds.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEngine } from '../../packages/service/src/engine/open-engine.ts';
import { median, say, timed } from '../measure.ts';
import { ingestRows } from './data.ts';

const rows = Number(process.env['BENCH_ROWS'] ?? 8_000_000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 4);
const folder = mkdtempSync(join(tmpdir(), 'inlay-bench-sorted-'));
const engine = openEngine({
  dataDir: folder,
  memoryMb: 400,
  children: 4,
  threads: 2,
  deadlineMs: 60_000,
  spillMb: 8000,
});
const signal = new AbortController().signal;
const before = await ingestRows(engine, folder, rows);
const onto = { version: `v${rows}`, key: null };
const spec = { tenant: 'bench', datasetId: 'rows', version: 'sorted', onto } as const;
const sortMs = await timed(async () => {
  for await (const _ of engine.ingest({ ...spec, source: { kind: 'version', order: ['product'] } }, signal));
});
const after = engine.versionPath('bench', 'rows', 'sorted');
const mb = (path: string): string => (statSync(path).size / 1024 ** 2).toFixed(0);
say(
  `${rows} rows of 1,000 tenants, sorted in ${(sortMs / 1000).toFixed(1)} s; ${mb(before)} MB before, ${mb(after)} MB after`,
);

const bound = `"rows:product"(product) = "rows:product"('product 77')`;
const queries = {
  'months of one tenant': `select json_array(k, s)::varchar from (select year(ts) * 100 + month(ts) as k, sum(revenue) as s
    from "rows" where ${bound} group by k order by k)`,
  'regions of one tenant': `select json_array(region, s)::varchar from (select region, sum(units) as s
    from "rows" where ${bound} group by region order by region)`,
  'months of all tenants': `select json_array(k, s)::varchar from (select year(ts) * 100 + month(ts) as k, sum(revenue) as s
    from "rows" group by k order by k)`,
};
const ask = async (path: string, sql: string): Promise<void> => {
  const tables = [{ name: 'rows', source: { kind: 'file', path } }] as const;
  const limits = { rowLimit: 100_000, byteLimit: 1_000_000_000, deadlineMs: 60_000 };
  const caller = { suborganization: null, authorizationId: 'bench' };
  const { chunks } = await engine.query({ tenant: 'bench', caller, tables, sql, params: [], ...limits }, signal);
  for await (const _ of chunks);
};
for (const [name, sql] of Object.entries(queries)) {
  const times: { readonly came: number[]; readonly sorted: number[] } = { came: [], sorted: [] };
  for (let round = 0; round < rounds; round += 1)
    for (const [how, path] of [
      ['came', before],
      ['sorted', after],
    ] as const) {
      // The first one opens the file, in place of the other version.
      await ask(path, sql);
      for (let time = 0; time < 5; time += 1) times[how].push(await timed(() => ask(path, sql)));
    }
  const [came, sorted] = [median(times.came), median(times.sorted)];
  say(
    `  ${name.padEnd(22)} ${came.toFixed(1).padStart(7)} ms as they came ${sorted.toFixed(1).padStart(7)} ms sorted  ${(came / sorted).toFixed(1)}x`,
  );
}
await engine.close();
rmSync(folder, { recursive: true, force: true });

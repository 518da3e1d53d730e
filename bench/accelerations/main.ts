// npm run bench:accelerations: a dashboard of 12 items over rows at PostgreSQL with and without a copy, and refreshes beside
// `COPY` of the same rows, in alternating rounds of one run. BENCH_ROWS, BENCH_ROUNDS.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isList, type JsonObject } from '@inlay/contract';
import postgres from 'postgres';
import { havePostgres, startPostgres } from '../../test/support/postgres.ts';
import { part, text } from '../../test/support/world.ts';
import { median, say, timed } from '../measure.ts';
import { startOwned } from '../query/owner.ts';

const rows = Number(process.env['BENCH_ROWS'] ?? 10_000_000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const added = Math.floor(rows / 100);

const missing = havePostgres();
if (missing !== undefined) throw new Error(missing);
const server = await startPostgres();
const url = new URL(await server.createDatabase());
const sql = postgres(url.href, { max: 1, onnotice: () => undefined });
const insert = (from: number, until: number): string =>
  `insert into sales select n, 'region ' || n % 12, 'product ' || n * 7 % 500, (n * 13 % 100000) / 100.0, n % 50,
    timestamp '2020-01-01' + (n % 2000) * interval '1 day', now(), now() from generate_series(${from}, ${until}) n`;
await sql.unsafe(
  `create table sales (id bigint primary key, region text, product text, revenue numeric(12, 2), quantity integer,
    day timestamp, made_at timestamptz, changed_at timestamptz)`,
);
await sql.unsafe(insert(1, rows));
await sql.unsafe('create index on sales (made_at); create index on sales (changed_at); analyze sales');

const folder = mkdtempSync(join(tmpdir(), 'inlay-bench-accelerations-'));
const owned = await startOwned(folder, {
  INLAY_ALLOW_PRIVATE_HOSTS: 'true',
  INLAY_SYNC_METADATA: 'false',
  INLAY_QUERY_TIMEOUT_S: '600',
});
const { call, columnsOf, service } = owned;
const account = await call('account', {
  properties: {
    provider: 'postgresql',
    host: url.hostname,
    port: url.port,
    scope: url.pathname.slice(1),
    identifier: url.username,
    token: url.password === '' ? 'none' : url.password,
  },
});
const made = part(
  await call('dataprovider', { properties: { account_id: text(account, 'id'), datasets: ['public.sales'] } }),
  'rows',
);
const dataset = text(isList(made) ? made[0] : null, 'id');
const columns = await columnsOf(dataset);
const on = (name: string, more: JsonObject = {}): JsonObject => ({ ...columns.get(name), ...more });
const sum = (name: string): JsonObject => on(name, { aggregation: { type: 'sum' } });
const average = (name: string): JsonObject => on(name, { aggregation: { type: 'average' } });
const twelve: readonly JsonObject[] = [
  { measures: [sum('revenue')] },
  { measures: [sum('quantity'), average('revenue')] },
  { dimensions: [on('region')], measures: [sum('revenue')] },
  { dimensions: [on('day', { level: 3 })], measures: [sum('revenue')] },
  { dimensions: [on('day', { level: 1 }), on('region')], measures: [sum('revenue')] },
  { dimensions: [on('product')], measures: [sum('revenue')], limit: { by: 10 } },
  { dimensions: [on('region')], measures: [on('product', { aggregation: { type: 'distinctcount' } })] },
  { dimensions: [on('day', { level: 2 })], measures: [sum('quantity'), sum('revenue')] },
  { dimensions: [on('quantity')], measures: [on('id', { aggregation: { type: 'count' } })] },
  { dimensions: [on('region'), on('day', { level: 2 })], measures: [average('revenue')] },
  { dimensions: [on('product')], measures: [average('revenue')], limit: { by: 20 } },
  { dimensions: [on('day', { level: 3 })], measures: [on('id', { aggregation: { type: 'count' } })] },
];

/** Answers the twelve queries as one request, from the copies or from the source. */
const dashboard = async (isFromSource: boolean): Promise<void> => {
  const options = isFromSource ? { options: { max_age: 0 } } : {};
  const answer = await call('data', {
    action: 'get',
    find: { queries: twelve.map((query) => ({ ...query, ...options })) },
  });
  const wanted = isFromSource ? 'pushdown' : 'engine';
  for (const one of isList(answer) ? answer : [])
    if (part(one, 'source') !== wanted) throw new Error(JSON.stringify(one).slice(0, 500));
};

const settled = async (id: string): Promise<number> => {
  const startedMs = performance.now();
  for (;;) {
    const record = await call('acceleration', { action: 'get', id });
    const status = part(record, 'status');
    if (status === 'failed') throw new Error(JSON.stringify(part(record, 'last_error')));
    if (status === 'ready' && part(record, 'next_run_at') === null) return performance.now() - startedMs;
    await sleep(20);
  }
};
const refresh = async (id: string): Promise<number> => {
  await call('acceleration', { id, properties: { refresh: true } });
  return settled(id);
};
const copyOut = (where = ''): Promise<number> =>
  timed(async () => {
    const rowsOut = await sql.unsafe(`copy (select * from sales ${where}) to stdout`).readable();
    for await (const _ of rowsOut);
  });

say(`${rows} rows at PostgreSQL`);
const copyMs = await copyOut();
const created = await call('acceleration', { properties: { securable_id: dataset } });
const id = text(created, 'id');
const firstMs = await settled(id);
say(
  `  first refresh ${(firstMs / 1000).toFixed(1)} s, COPY out ${(copyMs / 1000).toFixed(1)} s: ${(firstMs / copyMs).toFixed(2)}x (at most 2x)`,
);
const record = await call('acceleration', { action: 'get', id });
say(`  the copy takes ${Math.round(Number(part(record, 'bytes')) / 1e6)} MB`);

const times: Readonly<Record<'copy' | 'source', number[]>> = { copy: [], source: [] };
await dashboard(false);
for (let round = 0; round < rounds; round += 1) {
  times.source.push(await timed(() => dashboard(true)));
  times.copy.push(await timed(() => dashboard(false)));
}
const [slow, fast] = [median(times.source), median(times.copy)];
say(
  `  12 items: source ${slow.toFixed(0)} ms, copy ${fast.toFixed(0)} ms: ${(slow / fast).toFixed(1)}x as fast (at least 10x)`,
);

const proposalsNow = async (): Promise<readonly string[]> => {
  const proposals = part(await call('acceleration', { action: 'get', id }), 'rollup_proposals');
  return (isList(proposals) ? proposals : []).map((proposal) => text(proposal, 'id'));
};
await dashboard(false);
await dashboard(false);
let rollups = await proposalsNow();
while (rollups.length === 0) {
  await sleep(500);
  rollups = await proposalsNow();
}
const rollUp = (ids: readonly string[]): Promise<unknown> =>
  call('acceleration', { id, properties: { rollup_ids: [...ids] } });
const startedMs = performance.now();
await rollUp(rollups);
await settled(id);
const writtenMs = performance.now() - startedMs;
const rolledUpTimes: Readonly<Record<'copy' | 'rollups', number[]>> = { copy: [], rollups: [] };
await dashboard(false);
for (let round = 0; round < rounds; round += 1) {
  await rollUp([]);
  rolledUpTimes.copy.push(await timed(() => dashboard(false)));
  await rollUp(rollups);
  rolledUpTimes.rollups.push(await timed(() => dashboard(false)));
}
const [fromCopy, fromRollups] = [median(rolledUpTimes.copy), median(rolledUpTimes.rollups)];
say(
  `  12 items: copy ${fromCopy.toFixed(0)} ms, ${rollups.length} rollups ${fromRollups.toFixed(0)} ms: ${(fromCopy / fromRollups).toFixed(1)}x as fast; the refresh that writes them ${(writtenMs / 1000).toFixed(1)} s`,
);
await rollUp([]);

for (const strategy of ['insert', 'insert-update'] as const) {
  const key = strategy === 'insert' ? [] : [columns.get('id')?.column_id ?? ''];
  await call('acceleration', {
    id,
    properties: {
      load_type: 'delta',
      data_storage_strategy: strategy,
      late_rows_seconds: 0,
      primary_key_column_ids: key,
      created_at_column_id: columns.get('made_at')?.column_id ?? null,
      updated_at_column_id: strategy === 'insert' ? null : (columns.get('changed_at')?.column_id ?? null),
    },
  });
  await settled(id);
  const deltas: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    if (strategy === 'insert') await sql.unsafe(insert(rows + 1 + round * added, rows + (round + 1) * added));
    else
      await sql.unsafe(
        `update sales set revenue = revenue + 1, changed_at = now() where id between ${round * added + 1} and ${(round + 1) * added}`,
      );
    deltas.push(await refresh(id));
  }
  const most = strategy === 'insert' ? 5 : 20;
  say(
    `  ${strategy}: a delta of 1 % ${(median(deltas) / 1000).toFixed(2)} s, ${((100 * median(deltas)) / copyMs).toFixed(0)} % of COPY out (at most ${most} %)`,
  );
}
await service.stop();
await sql.end();
await server.stop();
rmSync(folder, { recursive: true, force: true });

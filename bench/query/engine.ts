// npm run bench:query: queries through the engine's children beside the same SQL straight in DuckDB, in alternating rounds of one run.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { openEngine } from '../../packages/service/src/engine/open-engine.ts';
import { median, say, timed } from '../measure.ts';
import { ingestRows, manyRows, queries } from './data.ts';

const rows = Number(process.env['BENCH_ROWS'] ?? 10_000_000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 7);
const threads = 2;
const memoryMb = 400;

const folder = mkdtempSync(join(tmpdir(), 'inlay-bench-query-'));
const engine = openEngine({ dataDir: folder, memoryMb, children: 4, threads, deadlineMs: 600_000, spillMb: 8000 });
const signal = new AbortController().signal;
const path = await ingestRows(engine, folder, rows);

const spill = join(folder, 'straight');
mkdirSync(spill);
const settings = { threads: String(threads), memory_limit: `${memoryMb - 150}MB`, temp_directory: spill };
const instance = await DuckDBInstance.create(':memory:', settings);
const first = await instance.connect();
await first.run(`attach '${path}' as v (read_only)`);

const connect = async (): Promise<DuckDBConnection> => {
  const connection = await instance.connect();
  await connection.run('create temp view "rows" as from v."rows"');
  return connection;
};

/** Straight in DuckDB, in this process: the result as the driver gives it. */
async function straight(connection: DuckDBConnection, sql: string): Promise<string> {
  const reader = await connection.runAndReadAll(sql);
  return reader
    .getRows()
    .map(([text]) => String(text))
    .join(',');
}

async function through(sql: string): Promise<string> {
  const tables = [{ name: 'rows', source: { kind: 'file', path } }] as const;
  const limits = { rowLimit: 100_000, byteLimit: 1_000_000_000, deadlineMs: 600_000 };
  const caller = { suborganization: null, authorizationId: 'bench' };
  const job = { tenant: 'bench', caller, tables, sql, params: [], ...limits };
  const { chunks } = await engine.query(job, signal);
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts).toString();
}

/** Runs both in turn and prints the medians; returns the median of the rounds' differences in milliseconds. */
async function compare(
  name: string,
  ours: () => Promise<unknown>,
  theirs: () => Promise<unknown>,
  bar: string,
): Promise<void> {
  const times: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] };
  for (const work of [ours, theirs]) await work();
  for (let round = 0; round < rounds; round += 1) {
    const turn = [
      ['ours', ours],
      ['theirs', theirs],
    ] as const;
    for (const [side, work] of round % 2 === 0 ? turn : [...turn].reverse()) times[side].push(await timed(work));
  }
  const [mine, other] = [median(times.ours), median(times.theirs)];
  const more = mine - other * 1.15;
  say(
    `  ${name.padEnd(22)} ours ${mine.toFixed(1).padStart(7)} ms  DuckDB ${other.toFixed(1).padStart(7)} ms  ratio ${(mine / other).toFixed(2)}  over 1.15x by ${more.toFixed(1)} ms  (${bar})`,
  );
}

say(`${rows} rows, ${threads} threads, ${rounds} alternating rounds`);
const connection = await connect();
for (const [name, sql] of Object.entries(queries)) {
  const numbers = /-?\d+\.\d+/gu;
  const [one, other] = [await through(sql), await straight(connection, sql)];
  if (one.replaceAll(numbers, '#') !== other.replaceAll(numbers, '#')) throw new Error(`${name}: different answers`);
  await compare(
    name,
    () => through(sql),
    () => straight(connection, sql),
    'at most 1.15x + 3 ms',
  );
}

const atOnce = 32;
const five = Object.values(queries);
const sqlOf = (index: number): string => five[index % five.length] ?? '';
const connections = await Promise.all(Array.from({ length: atOnce }, connect));
await compare(
  `the five, ${atOnce} at once`,
  () => Promise.all(connections.map((_, index) => through(sqlOf(index)))),
  () => Promise.all(connections.map((one, index) => straight(one, sqlOf(index)))),
  'at most 1.11x: 90 % of the throughput',
);

const aggregated = `select string_agg(j, ',' order by i) from (select j, row_number() over () as i from (${manyRows}))
  group by (i - 1) // 25000 order by min(i)`;
await compare(
  '100,000 rows',
  () => through(manyRows),
  () => straight(connection, aggregated),
  'at most 2x',
);

for (const { pid } of engine.pool.children()) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  say(
    `  child ${pid}: ${/VmHWM:\s+(\d+)/u.exec(status)?.[1] ?? '?'} kB at most, ${/VmRSS:\s+(\d+)/u.exec(status)?.[1] ?? '?'} kB now (at most 400 MB)`,
  );
}
await engine.close();
rmSync(folder, { recursive: true, force: true });

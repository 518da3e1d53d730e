// npm run bench:values: times questions that name a value of a dataset with many rows and 20 text columns: the first one, for which the
// service reads the distinct values of the columns, and later ones, for which it has them in memory. BENCH_ROWS, BENCH_ROUNDS.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { isList, isObject, member, type Json } from '@inlay/contract';
import { part, text } from '../../test/support/world.ts';
import { percentile } from '../../test/support/load.ts';
import { say, within } from '../measure.ts';
import { startOwned } from '../query/owner.ts';

const rows = Number(process.env['BENCH_ROWS'] ?? 1_000_000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 50);
/** Numbers of members of the columns: small lists, products, customers. */
const memberCounts = [...Array<number>(10).fill(50), ...Array<number>(6).fill(1000), ...Array<number>(4).fill(15_000)];

const folder = mkdtempSync(join(tmpdir(), 'inlay-bench-values-'));
const { service, call, upload } = await startOwned(join(folder, 'data'), { INLAY_DEMO: 'false' });

async function parquetOf(): Promise<Uint8Array<ArrayBuffer>> {
  const path = join(folder, 'rows.parquet');
  const columns = memberCounts.map(
    (members, at) => `'${String.fromCodePoint(97 + at)}member ' || (hash(i + ${at}) % ${members}) as text_${at}`,
  );
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '1GB', threads: '2' });
  const connection = await instance.connect();
  await connection.run(
    `copy (select ${columns.join(', ')}, (hash(i) % 1000)::bigint as amount from range(${rows}) t(i)) to '${path}' (format parquet)`,
  );
  connection.closeSync();
  instance.closeSync();
  return new Uint8Array(readFileSync(path));
}

/** How long an answer took in ms, and whether it filters by the value that the question names. */
interface TimedAnswer {
  readonly tookMs: number;
  readonly isFound: boolean;
}

async function ask(dataset: string, value: string): Promise<TimedAnswer> {
  const properties = { dataset_id: dataset, type: 'generate-chart', question: `amount by text 1, only ${value}` };
  const startedMs = performance.now();
  const answer = await call('aichart', { action: 'create', properties });
  return { tookMs: performance.now() - startedMs, isFound: JSON.stringify(filtersOf(answer)).includes(value) };
}

function filtersOf(answer: Json): Json {
  const chart = part(answer, 'generatedChart');
  return (isObject(chart) ? member(chart, 'filters') : null) ?? null;
}

const dataset = await upload(await parquetOf(), 'application/vnd.apache.parquet');
const found = part(await call('organization', { find: {} }), 'rows');
const organization = text((isList(found) ? found[0] : null) ?? null, 'id');
await call('organization', { action: 'update', id: organization, properties: { flag_experimental_ai: true } });

say(`${rows} rows, ${memberCounts.length} text columns, ${memberCounts.reduce((sum, count) => sum + count)} members`);
const first = await ask(dataset, 'tmember 12');
within(`the first answer, ${first.isFound ? 'found' : 'told as not looked up'}`, first.tookMs, 1000, 'ms');
// What one second did not suffice for is read for the next questions.
let answers = 1;
while (!(await ask(dataset, 'tmember 12')).isFound && answers < 30) answers += 1;
say(`  the members of all columns are kept after ${answers} answers`);
const later: TimedAnswer[] = [];
for (let round = 0; round < rounds; round += 1)
  later.push(await ask(dataset, `${String.fromCodePoint(97 + (round % memberCounts.length))}member ${round % 50}`));
const foundCount = later.filter(({ isFound }) => isFound).length;
within(
  `later answers (${foundCount} of ${rounds} found), p95`,
  percentile(
    later.map(({ tookMs }) => tookMs),
    95,
  ),
  100,
  'ms',
);
await service.stop();
rmSync(folder, { recursive: true });

// npm run bench:query: queries over HTTP with an embed token and its row filter, beside the same SQL straight in DuckDB on the same
// files, in alternating rounds of one run. BENCH_ONLY (a pattern of names) runs some, BENCH_FOLDER keeps the rows for the next run.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { isList, isObject, type Json, type JsonObject } from '@inlay/contract';
import { median, say, timed } from '../measure.ts';
import { childrenOf } from './children.ts';
import { openWorld } from './world.ts';

const rows = Number(process.env['BENCH_ROWS'] ?? 10_000_000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 7);
const only = new RegExp(process.env['BENCH_ONLY'] ?? '', 'u');
const threads = 2;
const memoryMb = 400;

const world = await openWorld(rows, {
  INLAY_ENGINE_MEMORY_MB: String(memoryMb),
  INLAY_ENGINE_THREADS: String(threads),
});
const { fact, segment, ask } = world;
const spill = join(world.folder, 'spill');
mkdirSync(spill, { recursive: true });
const instance = await DuckDBInstance.create(':memory:', {
  threads: String(threads),
  memory_limit: `${memoryMb - 150}MB`,
  temp_directory: spill,
});
const connect = (): Promise<DuckDBConnection> => instance.connect();
const direct = await connect();
await direct.run(`attach '${world.files.facts}' as f (read_only)`);
await direct.run(`attach '${world.files.segments}' as s (read_only)`);

const within = `region in (${world.allowed.map((one) => `'${one}'`).join(', ')})`;
const region = fact('region');
const revenue = fact('revenue', { aggregation: { type: 'sum' } });
interface Case {
  readonly name: string;
  readonly find: JsonObject;
  readonly sql: string;
}
const cases: readonly Case[] = [
  {
    name: 'month',
    find: { dimensions: [fact('ts', { level: 3 })], measures: [revenue] },
    sql: `select year(ts) * 100 + month(ts) as k, sum(revenue) from f."rows" where ${within} group by k order by k`,
  },
  {
    name: 'filtered category',
    find: {
      dimensions: [fact('product')],
      measures: [revenue],
      where: [
        { expression: '? = ?', parameters: [region, 'region 3'] },
        { expression: '? >= ?', parameters: [fact('units'), 500] },
      ],
    },
    sql: `select product, sum(revenue) from f."rows" where ${within} and region = 'region 3' and units >= 500
      group by product order by product`,
  },
  {
    name: 'top 10 of 100,000',
    find: {
      dimensions: [fact('customer')],
      measures: [revenue],
      order: [{ ...revenue, order: 'desc' }],
      limit: { by: 10 },
    },
    sql: `select customer, sum(revenue) as s from f."rows" where ${within} group by customer order by s desc, customer limit 10`,
  },
  {
    name: 'distinct count',
    find: { dimensions: [region], measures: [fact('customer', { aggregation: { type: 'distinctcount' } })] },
    sql: `select region, count(distinct customer) from f."rows" where ${within} group by region order by region`,
  },
  {
    name: 'two-dataset join',
    find: { dimensions: [segment('segment')], measures: [revenue] },
    sql: `select segment, sum(revenue) from f."rows" left join s."rows" on customer = code where ${within}
      group by segment order by segment`,
  },
];
const manyRows: Case = {
  name: '100,000 rows',
  find: {
    dimensions: [fact('ts'), region, fact('product')],
    measures: [fact('revenue'), fact('units')],
    options: { rollup_data: false },
    limit: { by: 100_000 },
  },
  sql: `select string_agg(j, ',' order by i) from (select j, row_number() over () as i from (
    select json_array(
      strftime(ts, '%Y-%m-%dT%H:%M:%S.%gZ'),
      json_object('id', region, 'name', json_object('en', region)),
      json_object('id', product, 'name', json_object('en', product)),
      revenue, units
    )::varchar as j
    from f."rows" where ${within} limit 100000)) group by (i - 1) // 25000 order by min(i)`,
};

const straight = async (sql: string, connection = direct): Promise<number> =>
  (await connection.runAndReadAll(sql)).getRowsJson().length;

async function compare(
  name: string,
  ours: () => Promise<unknown>,
  theirs: () => Promise<unknown>,
  bar: string,
): Promise<void> {
  const times: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] };
  for (const work of [ours, theirs]) await work();
  for (let round = 0; round < rounds; round += 1) {
    const turn = [['ours', ours] as const, ['theirs', theirs] as const];
    for (const [side, work] of round % 2 === 0 ? turn : turn.toReversed()) times[side].push(await timed(work));
  }
  const [mine, other] = [median(times.ours), median(times.theirs)];
  say(
    `  ${name.padEnd(22)} over HTTP ${mine.toFixed(1).padStart(8)} ms  DuckDB ${other.toFixed(1).padStart(8)} ms  ratio ${(mine / other).toFixed(2)}  (${bar})`,
  );
}

async function answered(find: JsonObject): Promise<number> {
  const answer: Json = JSON.parse((await ask(find)).toString());
  const data = isObject(answer) ? (answer['data'] ?? null) : null;
  return isList(data) ? data.length : 0;
}

say(`${rows} rows, ${threads} threads, ${memoryMb} MB, ${rounds} alternating rounds`);
for (const { name, find, sql } of cases.filter((one) => only.test(one.name))) {
  if ((await answered(find)) !== (await straight(sql))) throw new Error(`${name}: other rows`);
  await compare(
    name,
    () => ask(find),
    () => straight(sql),
    'at most 1.15x + 3 ms',
  );
}
const atOnce = 32;
if (only.test(`${atOnce} at once`)) {
  const five = Array.from({ length: atOnce }, (_, index) => cases[index % cases.length]).filter(
    (one) => one !== undefined,
  );
  // DuckDB alone is at its best with two at a time on two cores; with all at once it took half as long again.
  const connections = await Promise.all([connect(), connect()]);
  await compare(
    `the five, ${atOnce} at once`,
    () => Promise.all(five.map(({ find }) => ask(find))),
    async () => {
      const left = five.map(({ sql }) => sql);
      const work = async (connection: DuckDBConnection): Promise<void> => {
        for (let sql = left.shift(); sql !== undefined; sql = left.shift()) await straight(sql, connection);
      };
      await Promise.all(connections.map(work));
    },
    'at most 1.11x: 90 % of the throughput',
  );
}
if (only.test(manyRows.name)) {
  if ((await answered(manyRows.find)) !== 100_000) throw new Error('other rows');
  await compare(
    manyRows.name,
    () => ask(manyRows.find),
    () => straight(manyRows.sql),
    'at most 2x',
  );
}
const [cached] = cases;
if (cached !== undefined && only.test('kept answer')) {
  await world.keep(600);
  await ask(cached.find);
  const times: number[] = [];
  for (let index = 0; index < 50; index += 1) times.push(await timed(() => ask(cached.find)));
  say(`  kept answer            over HTTP ${median(times).toFixed(2)} ms  (at most 3 ms)`);
  await world.keep(0);
}
for (const { id, maxMb, nowMb } of childrenOf(world.service.pid))
  say(`  child ${id}: ${maxMb} MB at most, ${nowMb} MB now (at most ${memoryMb} MB)`);
await world.close();

// npm run bench:query:http: queries over HTTP with an embed token and its row filters, beside the same SQL straight in DuckDB on
// the same file, in alternating rounds of one run.
import { createReadStream, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { isList, isObject, type Json, type JsonObject } from '@inlay/contract';
import { startService } from '../../test/support/process.ts';
import { part, text } from '../../test/support/world.ts';
import { writeParquet } from './data.ts';

const rows = Number(process.env['BENCH_ROWS'] ?? 10_000_000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 7);
const threads = 2;
const memoryMb = 400;
const owner = { key: '01890a5d-ac96-774b-bcce-b302099a8057', token: 'q7ZrW2nP9sXvB4mKd8TfGhJyLcE5uA3w' };

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const median = (numbers: readonly number[]): number =>
  [...numbers].sort((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? 0;
const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
};

const folder = mkdtempSync(join(tmpdir(), 'inlay-bench-http-'));
const service = await startService({
  env: {
    INLAY_DATA_DIR: join(folder, 'data'),
    INLAY_BOOTSTRAP_KEY: owner.key,
    INLAY_BOOTSTRAP_TOKEN: owner.token,
    INLAY_RATE_LIMIT: '0',
    INLAY_LOG_REQUESTS: 'false',
    INLAY_ENGINE_MEMORY_MB: String(memoryMb),
    INLAY_ENGINE_THREADS: String(threads),
  },
});
const call = async (resource: string, body: object, by: { key: string; token: string } = owner): Promise<Json> => {
  const answer = await fetch(`${service.url}/0.1.0/${resource}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${by.key}:${by.token}` },
    body: JSON.stringify(body),
  });
  const read: Json = JSON.parse(await answer.text());
  if (!answer.ok) throw new Error(JSON.stringify(read));
  return read;
};

/** Sends a file the way a client does; gives the dataset. */
const upload = (path: string, type: string, name: string): Promise<Json> =>
  new Promise((resolve, reject) => {
    const sent = request(
      `${service.url}/0.1.0/data/file?name=${name}`,
      { method: 'POST', headers: { 'content-type': type, authorization: `Bearer ${owner.key}:${owner.token}` } },
      (answer) => {
        let body = '';
        answer.on('data', (chunk: Buffer) => (body += chunk.toString()));
        answer.on('end', () => {
          const read: Json = JSON.parse(body);
          if (answer.statusCode === 200) resolve(read);
          else reject(new Error(body));
        });
      },
    );
    sent.on('error', reject);
    createReadStream(path, { highWaterMark: 1024 * 1024 }).pipe(sent);
  });

const columnsOf = async (id: string): Promise<(name: string, more?: JsonObject) => JsonObject> => {
  const found = part(await call('column', { find: { where: { securable_id: id } } }), 'rows');
  const ids = new Map((isList(found) ? found : []).map((one) => [text(one, 'source_name'), text(one, 'id')]));
  return (name, more = {}) => ({ dataset_id: id, column_id: ids.get(name) ?? name, ...more });
};

const instance = await DuckDBInstance.create(':memory:', {
  threads: String(threads),
  memory_limit: `${memoryMb - 150}MB`,
  temp_directory: join(folder, 'spill'),
});
mkdirSync(join(folder, 'spill'));
const connect = (): Promise<DuckDBConnection> => instance.connect();
const direct = await connect();

const parquet = await writeParquet(folder, rows);
const csv = join(folder, 'rows.csv');
await direct.run(`copy (from '${parquet}') to '${csv}' (format csv, header)`);
const facts = text(await upload(parquet, 'application/vnd.apache.parquet', 'facts'), 'id');
const customers = join(folder, 'customers.parquet');
await direct.run(
  `copy (select 'customer ' || i as code, 'segment ' || (i % 20) as segment from range(100000) t(i)) to '${customers}' (format parquet)`,
);
const segments = text(await upload(customers, 'application/vnd.apache.parquet', 'customers'), 'id');
const [fact, segment] = [await columnsOf(facts), await columnsOf(segments)];
await call('column', {
  action: 'associate',
  id: fact('customer')['column_id'],
  resource: { role: 'Joins', id: segment('code')['column_id'] },
  properties: { type: 'lookup' },
});

/** The file that the service keeps the rows of a dataset in. */
function fileOf(dataset: string): string {
  const datasets = join(folder, 'data', 'datasets');
  const [tenant = ''] = readdirSync(datasets);
  const [file = ''] = readdirSync(join(datasets, tenant, dataset))
    .toSorted()
    .reverse();
  return join(datasets, tenant, dataset, file);
}
await direct.run(`attach '${fileOf(facts)}' as f (read_only)`);
await direct.run(`attach '${fileOf(segments)}' as s (read_only)`);

const allowed = ['region 1', 'region 2', 'region 3', 'region 4', 'region 5', 'region 6', 'region 7', 'region 8'];
const region = fact('region');
const made = await call('authorization', {
  action: 'create',
  properties: {
    ...{ type: 'embed', username: 'bench', role: 'viewer' },
    access: { datasets: [facts, segments].map((id) => ({ id, rights: 'use' })) },
    filters: [{ securable_id: facts, column_id: region['column_id'], expression: '? in ?', value: allowed }],
  },
});
const token = { key: text(made, 'id'), token: text(made, 'token') };

const within = `region in (${allowed.map((one) => `'${one}'`).join(', ')})`;
const revenue = fact('revenue', { aggregation: { type: 'sum' } });
const cases: readonly { readonly name: string; readonly find: JsonObject; readonly sql: string }[] = [
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
    sql: `select product, sum(revenue) from f."rows" where ${within} and region = 'region 3' and units >= 500 group by product order by product`,
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
    sql: `select segment, sum(revenue) from f."rows" left join s."rows" on customer = code where ${within} group by segment order by segment`,
  },
];

const ask = async (find: JsonObject): Promise<Json> => call('data', { action: 'get', find }, token);
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

say(`${threads} threads, ${memoryMb} MB, ${rounds} alternating rounds`);
for (const { name, find, sql } of cases) {
  const answer = await ask(find);
  const answered = isObject(answer) && isList(answer['data'] ?? null) ? answer['data'] : [];
  const counted = await straight(sql);
  if (!isList(answered) || answered.length !== counted) throw new Error(`${name}: ${String(counted)} rows expected`);
  await compare(
    name,
    () => ask(find),
    () => straight(sql),
    'at most 1.15x + 3 ms',
  );
}
const atOnce = 32;
const pick = (index: number): (typeof cases)[number] => cases[index % cases.length] ?? { name: '', find: {}, sql: '' };
const connections = await Promise.all(Array.from({ length: atOnce }, connect));
await compare(
  `the five, ${atOnce} at once`,
  () => Promise.all(connections.map((_, index) => ask(pick(index).find))),
  () => Promise.all(connections.map((one, index) => straight(pick(index).sql, one))),
  'at most 1.11x: 90 % of the throughput',
);
await call('securable', { action: 'update', id: facts, properties: { cache: 600 } });
const [cached] = cases;
if (cached !== undefined) {
  await ask(cached.find);
  const times: number[] = [];
  for (let index = 0; index < 50; index += 1) times.push(await timed(() => ask(cached.find)));
  say(`  kept answer            over HTTP ${median(times).toFixed(2)} ms  (at most 3 ms)`);
}
const spillRead = await timed(async () => {
  await direct.run(`create or replace temp table plain as from read_csv('${csv}')`);
  await direct.run('drop table plain');
});
const csvMs = await timed(() => upload(csv, 'text/csv', 'csv'));
say(
  `  CSV of ${(statSync(csv).size / 1e6).toFixed(0)} MB         uploaded in ${(csvMs / 1000).toFixed(1)} s  read_csv alone ${(spillRead / 1000).toFixed(1)} s  ${((spillRead / csvMs) * 100).toFixed(0)} % of its speed  (at least 60 %)`,
);
await service.stop();
rmSync(folder, { recursive: true, force: true });

// npm run bench:ingest: a CSV over HTTP from its first byte until the first query is answered, beside read_csv of the same file into
// a table in memory, in alternating rounds of one run. BENCH_ROWS=15000000 makes a file of 1 GB.
import { closeSync, mkdirSync, mkdtempSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { isList, type Json } from '@inlay/contract';
import { startService } from '../../test/support/process.ts';
import { datasetIn, part, text } from '../../test/support/world.ts';
import { median, say } from '../measure.ts';
import { childrenOf } from './children.ts';
import { rowsOf } from './data.ts';

const rows = Number(process.env['BENCH_ROWS'] ?? 15_000_000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
const threads = 2;
const memoryMb = 400;
const owner = { key: '01890a5d-ac96-774b-bcce-b302099a8057', token: 'q7ZrW2nP9sXvB4mKd8TfGhJyLcE5uA3w' };
const authorization = `Bearer ${owner.key}:${owner.token}`;

const folder = mkdtempSync(join(tmpdir(), 'inlay-bench-ingest-'));
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
const call = async (resource: string, body: object): Promise<Json> => {
  const answer = await fetch(`${service.url}/0.1.0/${resource}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization },
    body: JSON.stringify(body),
  });
  const read: Json = JSON.parse(await answer.text());
  if (!answer.ok) throw new Error(JSON.stringify(read));
  return read;
};

const spill = join(folder, 'spill');
mkdirSync(spill);
const limits = { threads: String(threads), memory_limit: `${memoryMb - 150}MB`, temp_directory: spill };

async function withDuckDb(work: (run: (sql: string) => Promise<unknown>) => Promise<void>): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:', limits);
  const connection = await instance.connect();
  await work((sql) => connection.run(sql));
  connection.closeSync();
  instance.closeSync();
}

const csv = process.env['BENCH_CSV'] ?? join(folder, 'rows.csv');
if (process.env['BENCH_CSV'] === undefined)
  await withDuckDb((run) => run(`copy (${rowsOf(rows)}) to '${csv}' (format csv, header)`).then(() => undefined));

/** Sends the file the way a client does; returns the dataset and when the last byte had been taken. */
const upload = (): Promise<{ readonly dataset: string; readonly sentMs: number }> =>
  new Promise((resolve, reject) => {
    const startedMs = performance.now();
    let sentMs = 0;
    const sent = request(
      `${service.url}/0.1.0/data/file?name=csv`,
      { method: 'POST', headers: { 'content-type': 'text/csv', authorization } },
      (answer) => {
        let body = '';
        answer.on('data', (chunk: Buffer) => (body += chunk.toString()));
        answer.on('end', () => {
          if (answer.statusCode === 200) resolve({ dataset: datasetIn(JSON.parse(body)).id, sentMs });
          else reject(new Error(body));
        });
      },
    );
    sent.on('error', reject);
    sent.on('finish', () => (sentMs = performance.now() - startedMs));
    // One buffer for all of the file: a client that leaves much to its collector would be measured with the service.
    const buffer = Buffer.alloc(1024 * 1024);
    const file = openSync(csv, 'r');
    const next = (): void => {
      const bytes = readSync(file, buffer);
      if (bytes > 0) return void sent.write(buffer.subarray(0, bytes), next);
      closeSync(file);
      sent.end();
    };
    next();
  });

async function count(dataset: string): Promise<void> {
  const found = part(await call('column', { find: { where: { securable_id: dataset } } }), 'rows');
  const column = (isList(found) ? found : []).find((one) => text(one, 'source_name') === 'region');
  const dimension = { dataset_id: dataset, column_id: text(column ?? null, 'id') };
  await call('data', { action: 'get', find: { dimensions: [dimension] } });
}

let maxMb = 0;
const watch = setInterval(() => {
  maxMb = Math.max(maxMb, ...childrenOf(service.pid).map((child) => child.maxMb));
}, 250);
const times: { readonly upload: number[]; readonly alone: number[] } = { upload: [], alone: [] };
for (let round = 0; round < rounds; round += 1) {
  const aloneMs = performance.now();
  await withDuckDb((run) => run(`create temp table plain as from read_csv('${csv}')`).then(() => undefined));
  times.alone.push(performance.now() - aloneMs);
  const startedMs = performance.now();
  const { dataset, sentMs } = await upload();
  const storedMs = performance.now() - startedMs;
  await count(dataset);
  times.upload.push(performance.now() - startedMs);
  say(
    `  sent after ${(sentMs / 1000).toFixed(2)} s  stored ${(storedMs / 1000).toFixed(2)} s  answered ${((times.upload.at(-1) ?? 0) / 1000).toFixed(2)} s  read_csv alone ${((times.alone.at(-1) ?? 0) / 1000).toFixed(2)} s`,
  );
  await call('securable', { action: 'delete', id: dataset });
}
const [mine, other] = [median(times.upload), median(times.alone)];
say(
  `CSV of ${(statSync(csv).size / 1e6).toFixed(0)} MB  first byte to answer ${(mine / 1000).toFixed(1)} s  read_csv alone ${(other / 1000).toFixed(1)} s  ${((other / mine) * 100).toFixed(0)} % of its speed  (at least 60 %)`,
);
say(`its children held ${maxMb} MB at most  (at most ${memoryMb} MB)`);
clearInterval(watch);
await service.stop();
rmSync(folder, { recursive: true, force: true });

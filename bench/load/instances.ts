// npm run bench:instances: throughput of one, two and four instances that share a PostgreSQL store and a data directory. Four
// clients request a dashboard of 12 items in a loop; the rounds alternate. BENCH_ROWS, BENCH_ROUNDS, BENCH_ROUND_S.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childrenOf } from '../../test/support/process-memory.ts';
import { startPostgres } from '../../test/support/postgres.ts';
import { startService, type ServiceProcess } from '../../test/support/process.ts';
import { median, say } from '../measure.ts';
import { createBoard, datasetOf } from './board.ts';
import { visitsTable, writeRows } from './rows.ts';
import { ask, isWhole, queriesOf } from './visits.ts';
import { owner, ownerCall, upload } from './world.ts';

const rows = Number(process.env['BENCH_ROWS'] ?? 2_000_000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const roundMs = Number(process.env['BENCH_ROUND_S'] ?? 10) * 1000;
const clients = 4;
const groups = [1, 2, 4] as const;

const folder = mkdtempSync(join(tmpdir(), 'inlay-bench-instances-'));
const server = await startPostgres();
const database = await server.createDatabase();
const start = (): Promise<ServiceProcess> =>
  startService({
    env: {
      INLAY_DATABASE_URL: database,
      INLAY_DATA_DIR: join(folder, 'data'),
      INLAY_RATE_LIMIT: '0',
      INLAY_LOG_REQUESTS: 'false',
      INLAY_BOOTSTRAP_KEY: owner.key,
      INLAY_BOOTSTRAP_TOKEN: owner.token,
    },
  });
const first = await start();
const call = ownerCall(first);
const file = join(folder, 'visits.parquet');
await writeRows(file, visitsTable(rows), 'parquet');
const fact = await datasetOf(call, await upload(first, file, 'visits'));
const board = await createBoard(call, fact, fact, 60);
await board.cache(0);
const services = [first, await start(), await start(), await start()];

/** Processor time of all instances and their children, in seconds. */
const cpuS = (): number =>
  services.reduce((sum, { pid }) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    const own = fields.slice(11, 15).reduce((ticks, field) => ticks + Number(field), 0);
    return sum + [...childrenOf(pid).values()].reduce((ticks, of) => ticks + of, own) / 100;
  }, 0);

/** Sums of doubles have other last digits if the engine adds the rows up in another order. */
const rounded = (_name: string, value: unknown): unknown =>
  typeof value === 'number' ? Number(value.toPrecision(9)) : value;

/** Returns the rows of all items as an instance answers them. Their order is only certain where an item sorts them. */
async function answersOf({ url }: ServiceProcess, viewer: number): Promise<string> {
  const { key, token } = board.viewers[viewer] ?? owner;
  const answer = await fetch(`${url}/0.1.0/data`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}:${token}` },
    body: JSON.stringify({ action: 'get', find: { queries: queriesOf(board) } }),
  });
  const all: readonly { readonly data?: readonly unknown[] }[] = JSON.parse(await answer.text(), rounded);
  return JSON.stringify(all.map(({ data = [] }) => data.map((row) => JSON.stringify(row)).toSorted()));
}

let different = 0;
for (const viewer of [0, 7, 23]) {
  const [wanted, ...others] = await Promise.all(services.map((service) => answersOf(service, viewer)));
  different += others.filter((answers) => answers !== wanted).length;
}
say(`${rows} rows, ${services.length} instances: ${different} of 9 answers differ from those of the first instance`);

interface RoundResult {
  readonly perSecond: number;
  readonly cpuMs: number;
  /** Dashboards that each instance has answered. */
  readonly shares: readonly number[];
}

let asked = 0;
async function round(count: number): Promise<RoundResult> {
  const shares = Array.from({ length: count }, () => 0);
  const [startedMs, startedCpu] = [performance.now(), cpuS()];
  const client = async (): Promise<void> => {
    while (performance.now() - startedMs < roundMs) {
      const at = asked;
      asked += 1;
      const answer = await ask(services[at % count]?.url ?? '', board, at, queriesOf(board));
      if (!isWhole(answer)) throw new Error('a dashboard was not answered whole');
      shares[at % count] = (shares[at % count] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const total = shares.reduce((sum, share) => sum + share, 0);
  const seconds = (performance.now() - startedMs) / 1000;
  return { perSecond: total / seconds, cpuMs: ((cpuS() - startedCpu) * 1000) / total, shares };
}

const results = new Map<number, RoundResult[]>(groups.map((count) => [count, []]));
for (let index = 0; index <= rounds; index += 1)
  for (const count of groups) {
    const result = await round(count);
    // The first round warms all instances up.
    if (index > 0) results.get(count)?.push(result);
  }
const middle = (count: number, of: (result: RoundResult) => number): number =>
  median((results.get(count) ?? []).map(of));
const alone = middle(1, ({ perSecond }) => perSecond);
for (const count of groups) {
  const perSecond = middle(count, (result) => result.perSecond);
  const spread = middle(count, ({ shares }) => Math.max(...shares) / Math.max(1, Math.min(...shares)));
  const ratio = perSecond / alone;
  say(
    `  ${ratio >= 0.9 ? 'ok  ' : 'OVER'} ${count} instances: ${perSecond.toFixed(1)} dashboards a second, ${ratio.toFixed(2)}x of one (at least 0.9x); ${middle(count, ({ cpuMs }) => cpuMs).toFixed(0)} ms of processor time each; the busiest instance answered ${spread.toFixed(2)}x of the idlest`,
  );
}
await Promise.all(services.map((service) => service.stop()));
await server.stop();
rmSync(folder, { recursive: true, force: true });

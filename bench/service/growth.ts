// npm run bench:growth: what grows with the number of records and tenants, and what does not.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../test/support/free-port.ts';
import { load, post } from './load.ts';
import { npmStart, run, type Running } from './processes.ts';
import { seed, settings, type Seeded } from './seed.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const roundMs = Number(process.env['BENCH_ROUND_MS'] ?? 1500);
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const median = (numbers: readonly number[]): number =>
  [...numbers].sort((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? 0;

interface Size {
  readonly name: string;
  readonly securables: number;
  readonly organizations: number;
}

const sizes: readonly Size[] = [
  { name: '1,000 securables', securables: 1000, organizations: 1 },
  { name: '10,000 securables', securables: 10_000, organizations: 1 },
  { name: '100,000 securables', securables: 100_000, organizations: 1 },
  { name: '10,000 organizations', securables: 1000, organizations: 10_000 },
];

interface Grown {
  readonly size: Size;
  readonly seeded: Seeded;
  readonly running: Running;
  readonly get: number[];
  readonly search: number[];
}

const folder = mkdtempSync(join(tmpdir(), 'inlay-growth-'));
const grown: Grown[] = [];
for (const [index, size] of sizes.entries()) {
  const dataDir = join(folder, String(index));
  const seeded = await seed(dataDir, undefined, size.securables, size.organizations);
  const port = await freePort();
  const set = { ...settings(dataDir, undefined), INLAY_PORT: String(port) };
  const { args, env: memory } = npmStart(set);
  const env = { ...set, ...memory };
  const running = await run(args, port, env, /listens on/u);
  grown.push({ size, seeded, running, get: [], search: [] });
}

for (let round = -1; round < rounds; round += 1) {
  for (const { seeded, running, get, search } of grown) {
    const authorization = `Bearer ${seeded.key}:${seeded.token}`;
    const api = (body: object): Buffer => post('/0.1.0/securable', JSON.stringify(body), authorization);
    let at = 0;
    const gets = seeded.ids.slice(0, 500).map((id) => api({ action: 'get', id }));
    const one = await load(running.port, 1, roundMs, () => gets[(at += 1) % gets.length] ?? Buffer.alloc(0));
    const found = api({ find: { search: { keyphrase: 'needle' }, limit: 50 } });
    const many = await load(running.port, 1, roundMs, () => found);
    if (one.failed + many.failed > 0) throw new Error('an answer was not 200');
    if (round < 0) continue;
    get.push(one.p50Ms);
    search.push(many.p50Ms);
  }
}

const [first] = grown;
for (const { size, running, get, search } of grown) {
  const of = (mine: readonly number[], base: readonly number[]): string =>
    median(mine.map((ms, index) => ms / (base[index] ?? ms))).toFixed(2);
  say(
    `${size.name.padEnd(22)} get p50 ${median(get).toFixed(3)} ms (${of(get, first?.get ?? get)}×)  search of the same 100 matches, 50 rows, p50 ${median(search).toFixed(2)} ms (${of(search, first?.search ?? search)}×)  RSS ${running.rssMb().toFixed(0)} MB  start ${running.startMs.toFixed(0)} ms`,
  );
}
await Promise.all(grown.map(({ running }) => running.stop()));
rmSync(folder, { recursive: true, force: true });
process.exit(0);

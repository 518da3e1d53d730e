// npm run bench:growth: an empty store beside one with very many records, in alternating rounds of one run, on both stores.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '../../test/support/free-port.ts';
import { havePostgres, startPostgres, type Postgres } from '../../test/support/postgres.ts';
import { median, say, timed } from '../measure.ts';
import { fill } from './fill.ts';
import { copiesOf, growthWorld, type GrowthWorld } from './growth-world.ts';
import { load } from './load.ts';
import { npmStart, run, type Running } from './processes.ts';
import { seed, settings } from './seed.ts';

const { values: flags } = parseArgs({
  options: {
    store: { type: 'string', default: 'both' },
    securables: { type: 'string', default: '100000' },
    groups: { type: 'string', default: '100000' },
    users: { type: 'string', default: '100000' },
    suborganizations: { type: 'string', default: '100000' },
    tokens: { type: 'string', default: '1000000' },
    organizations: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '5' },
    'round-ms': { type: 'string', default: '1500' },
  },
});
const counts = {
  securable: Number(flags.securables),
  group: Number(flags.groups),
  user: Number(flags.users),
  authorization: Number(flags.tokens),
};
const rounds = Number(flags.rounds);
const roundMs = Number(flags['round-ms']);

interface Grown {
  readonly running: Running;
  readonly world: GrowthWorld;
}

/** Starts a service on a store of its own with the records to ask for; filled, where it is to be. */
async function grow(dataDir: string, databaseUrl: string | undefined, isFilled: boolean): Promise<Grown> {
  const organizations = isFilled ? Number(flags.organizations) : 1;
  const seeded = await seed(dataDir, databaseUrl, 1000, organizations);
  const port = await freePort();
  const set = { ...settings(dataDir, databaseUrl), INLAY_DEMO: 'false', INLAY_PORT: String(port) };
  const { args, env: memory } = npmStart(set);
  const start = (): Promise<Running> => run(args, port, { ...set, ...memory }, /listens on/u);
  const first = await start();
  const world = await growthWorld(port, seeded);
  if (!isFilled) return { running: first, world };
  await first.stop();
  const place = { dataDir, databaseUrl };
  const tookMs = await timed(() => fill(place, copiesOf(world, counts), Number(flags.suborganizations)));
  say(`  filled in ${(tookMs / 1000).toFixed(0)} s`);
  return { running: await start(), world };
}

const names = ['empty', 'filled'] as const;

async function measure(kind: string, databaseUrl: () => Promise<string | undefined>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'inlay-growth-'));
  say(`\n${kind}`);
  const sides = {
    empty: await grow(join(folder, 'empty'), await databaseUrl(), false),
    filled: await grow(join(folder, 'filled'), await databaseUrl(), true),
  };
  for (const operation of Object.keys(sides.empty.world.requests)) {
    const found = { empty: { p50: [0], p95: [0] }, filled: { p50: [0], p95: [0] } };
    for (const name of names) found[name] = { p50: [], p95: [] };
    for (let round = -1; round < rounds; round += 1) {
      for (const name of names) {
        const { running, world } = sides[name];
        const requests = world.requests[operation] ?? [];
        let at = 0;
        const next = (): Buffer => requests[(at += 1) % requests.length] ?? Buffer.alloc(0);
        const one = await load(running.port, 1, roundMs, next);
        // The first round warms up: the engine may be starting, and refuses meanwhile.
        if (round < 0) continue;
        if (one.failed > 0) throw new Error(`${operation}, ${name}: ${one.failed} answers were not 200`);
        found[name].p50.push(one.p50Ms);
        found[name].p95.push(one.p95Ms);
      }
    }
    const { empty, filled } = found;
    const ratio = (of: 'p50' | 'p95'): string =>
      `${median(filled[of].map((ms, index) => ms / (empty[of][index] ?? ms))).toFixed(2)}×`;
    const shown = ({ p50, p95 }: typeof empty): string => `${median(p50).toFixed(2)} / ${median(p95).toFixed(2)} ms`;
    say(
      `  ${operation.padEnd(28)} p50 / p95: empty ${shown(empty).padEnd(16)} filled ${shown(filled).padEnd(16)} ratio ${ratio('p50')} / ${ratio('p95')}`,
    );
  }
  for (const name of names) {
    const { running } = sides[name];
    say(
      `  RSS ${name}: ${running.rssMb().toFixed(0)} MB, at most ${running.peakMb().toFixed(0)} MB; start ${running.startMs.toFixed(0)} ms`,
    );
    await running.stop();
  }
  rmSync(folder, { recursive: true, force: true });
}

say(
  `filled: ${JSON.stringify({ ...counts, suborganizations: flags.suborganizations, organizations: flags.organizations })}`,
);
if (flags.store !== 'postgres') await measure('sqlite', async () => undefined);
const missing = havePostgres();
if (missing !== undefined) say(`skipped on PostgreSQL: ${missing}`);
else if (flags.store !== 'sqlite') {
  const cluster: Postgres = await startPostgres({ fsync: true });
  await measure('postgres', () => cluster.createDatabase());
  await cluster.stop();
}
process.exit(0);

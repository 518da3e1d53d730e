// npm run bench:loop: every endpoint with its largest allowed input, and for how long each stops the event loop of the service.
// LOOP_ONLY (a pattern of names) sends some, LOOP_REPEATS (2) how often each, LOOP_STORE is sqlite (at first) or postgres.
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { childrenOf as childrenNow, peakSince } from '../../test/support/process-memory.ts';
import { startPostgres } from '../../test/support/postgres.ts';
import { say } from '../measure.ts';
import { childrenOf } from '../query/children.ts';
import { send } from './client.ts';
import { pausesSince, watchedBy } from './read-pauses.ts';
import { largestRequests } from './requests.ts';
import { furnish } from './stage.ts';
import { startWith } from './start.ts';
import { tagDashboards } from './tagged.ts';

const only = new RegExp(process.env['LOOP_ONLY'] ?? '', 'u');
const repeats = Number(process.env['LOOP_REPEATS'] ?? 2);
const share = Number(process.env['LOOP_SHARE'] ?? 1);
/** Longest synchronous step that the rule allows. */
const maxMs = 50;

const cluster = process.env['LOOP_STORE'] === 'postgres' ? await startPostgres() : null;
const databaseUrl = await cluster?.createDatabase();
const folder = mkdtempSync(join(tmpdir(), 'inlay-loop-'));
const dataDir = join(folder, 'data');
const pauses = join(folder, 'pauses');
const watched = watchedBy(pauses);
const settings = {
  ...watched.env,
  INLAY_LOG_REQUESTS: 'false',
  INLAY_LOG_LEVEL: 'error',
  INLAY_RATE_LIMIT: '0',
  INLAY_LOGIN_RATE_LIMIT: '0',
  ...(databaseUrl === undefined ? {} : { INLAY_DATABASE_URL: databaseUrl }),
};
const { service, owners } = await startWith(['loop-'.padEnd(43, 'x')], dataDir, settings, watched.args);
const rows: { readonly cells: readonly string[]; readonly stepMs: number }[] = [];
try {
  const [owner] = owners;
  if (owner === undefined) throw new Error('no organization');
  const stage = await furnish(service.port, owner, share);
  await tagDashboards(service.port, owner, { dataDir, databaseUrl }, [Math.ceil(300 * share), 330]);
  say(
    `${cpus().length} × ${cpus()[0]?.model ?? ''}, ${Math.round(totalmem() / 1024 ** 3)} GB, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}, store ${databaseUrl === undefined ? 'SQLite' : 'PostgreSQL'}`,
  );
  for (const { name, sent, statuses } of largestRequests(stage, share).filter((one) => only.test(one.name))) {
    const peak = peakSince(service.pid);
    for (const child of childrenNow(service.pid).keys()) peakSince(child);
    const said = new Set<number>();
    const sinceMs = Date.now();
    let ms = 0;
    for (let turn = 0; turn < repeats; turn += 1) {
      const reply = await send(service.port, sent);
      ms = Math.max(ms, reply.ms);
      said.add(reply.status);
      if (!statuses.includes(reply.status)) say(`UNEXPECTED ${name}: ${reply.status} ${reply.body.slice(0, 300)}`);
      if (process.env['LOOP_SAY'] !== undefined)
        say(`  ${name}: ${reply.status} ${reply.bytes} ${reply.body.slice(0, 200)}`);
    }
    const found = await pausesSince(pauses, sinceMs);
    const most = (of: (one: (typeof found)[number]) => number): number => Math.round(Math.max(0, ...found.map(of)));
    const stepMs = most(({ wallMs, processorMs }) => Math.min(wallMs, processorMs));
    const children = Math.max(0, ...childrenOf(service.pid).map(({ maxMb }) => maxMb));
    const cells = [
      name,
      [...said].join(', '),
      Math.round(ms),
      stepMs,
      most(({ wallMs }) => wallMs),
      most(({ gcMs }) => gcMs),
    ];
    rows.push({ stepMs, cells: [...cells, Math.round(peak()), children].map(String) });
    say(`${stepMs > maxMs ? '✗' : ' '} ${rows.at(-1)?.cells.join(' | ') ?? ''}`);
  }
} finally {
  await service.stop();
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
}
const heads = ['request', 'status', 'ms', 'step ms', 'pause ms', 'collections ms', 'main MB', 'largest child MB'];
say(`\n| ${heads.join(' | ')} |\n| ${heads.map((_, index) => (index < 2 ? '---' : '--:')).join(' | ')} |`);
for (const { cells } of rows) say(`| ${cells.join(' | ')} |`);
const over = rows.filter(({ stepMs }) => stepMs > maxMs);
say(
  `\n${rows.length} requests, ${over.length} with a step over ${maxMs} ms; the longest ${Math.max(...rows.map(({ stepMs }) => stepMs))} ms`,
);

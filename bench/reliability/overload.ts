// npm run bench:overload: three times as many requests for metadata (half of them gets, four in ten searches of 50 dashboards,
// one in ten an update) as the service answers, sent at fixed times from many addresses, whoever waits; what is answered meanwhile, what is refused, and how soon the service is as fast as before.
import { setTimeout as sleep } from 'node:timers/promises';
import { done, firstOwner, openClient, textIn } from '../../test/support/load.ts';
import { residentMb } from '../../test/support/process-memory.ts';
import { startPostgres } from '../../test/support/postgres.ts';
import { startService } from '../../test/support/process.ts';
import { say } from '../measure.ts';
import { Link, load, post } from '../service/load.ts';
import { contents } from '../service/seed.ts';

const times = Number(process.env['BENCH_TIMES'] ?? 3);
const forMs = Number(process.env['BENCH_MS'] ?? 60_000);
/** How long the rate is measured that saturates the service. */
const peakMs = 5000;
const warmMs = 10_000;
const recoveredMs = 5000;
const dashboards = 200;
/** Connections, opened before the load as those of viewers who are there, in turns from this many addresses. */
const connections = 2000;
const addresses = 200;

/** What became of requests that were sent at fixed times. Latencies in milliseconds from the time that each was due. */
interface OpenLoop {
  readonly seconds: number;
  readonly accepted: readonly number[];
  /** Those answered 503 with `Retry-After`. */
  readonly refused: readonly number[];
  /** Other answers, by status; 0 for a connection that ended. */
  readonly others: ReadonlyMap<number, number>;
  /** Not sent, since each connection waited for its answer. */
  readonly unsent: number;
}

/** Sends `perSecond` requests a second for so long, each when it is due, over whichever connection waits for nothing. */
async function openLoop(port: number, perSecond: number, lengthMs: number, next: () => Buffer): Promise<OpenLoop> {
  const idle = Array.from({ length: connections }, (_, index) => new Link(port, `127.0.1.${1 + (index % addresses)}`));
  // All are accepted while nothing else happens.
  await sleep(2000);
  const accepted: number[] = [];
  const refused: number[] = [];
  const others = new Map<number, number>();
  let [underWay, sent, unsent] = [0, 0, 0];
  const give = async (link: Link, dueMs: number): Promise<void> => {
    underWay += 1;
    const status = await link.send(next());
    underWay -= 1;
    const ms = performance.now() - dueMs;
    if (status === 200) accepted.push(ms);
    else if (status === 503 && /\r\nretry-after: \d/iu.test(link.head)) refused.push(ms);
    else others.set(status, (others.get(status) ?? 0) + 1);
    if (link.isOpen) idle.push(link);
  };
  const startedMs = performance.now();
  for (let nowMs = startedMs; nowMs < startedMs + lengthMs; nowMs = performance.now()) {
    const due = Math.floor(((nowMs - startedMs) / 1000) * perSecond);
    for (; sent < due; sent += 1) {
      const link = idle.shift();
      if (link === undefined) unsent += 1;
      else void give(link, startedMs + (sent / perSecond) * 1000);
    }
    await sleep(1);
  }
  const seconds = (performance.now() - startedMs) / 1000;
  for (const until = performance.now() + 20_000; underWay > 0 && performance.now() < until;) await sleep(10);
  for (const link of idle) link.close();
  return { seconds, accepted, refused, others, unsent };
}

function at(latencies: readonly number[], share: number): string {
  const sorted = latencies.toSorted((left, right) => left - right);
  return `${(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1)} ms`;
}

const cluster = process.env['BENCH_STORE'] === 'postgres' ? await startPostgres({ fsync: true }) : null;
const onPostgres = cluster === null ? {} : { INLAY_DATABASE_URL: await cluster.createDatabase() };
const { credential, settings } = firstOwner();
const { INLAY_MAX_EVENT_LOOP_DELAY_MS: _, INLAY_STORE_TIMEOUT_MS: __, ...asShipped } = settings;
const service = await startService({ env: { ...asShipped, ...onPostgres } });
const client = openClient(service.url, credential);
const authorization = `Bearer ${credential.key}:${credential.token}`;
const ids: string[] = [];
for (let index = 0; index < dashboards; index += 1) {
  const properties = { name: { en: `Dashboard ${index}` }, contents: contents() };
  ids.push(textIn(done(await client.call('dashboard', { action: 'create', properties })), 'id'));
}
const request = (body: object): Buffer => post('/0.1.0/dashboard', JSON.stringify(body), authorization);
const requests = Array.from({ length: 10 * dashboards }, (_, index) => {
  // One further in each round, so that updates reach every dashboard.
  const id = ids[(index + Math.floor(index / dashboards)) % dashboards] ?? '';
  if (index % 10 === 0)
    return request({ action: 'update', id, properties: { name: { en: `Dashboard ${index} again` } } });
  if (index % 2 === 0) return request({ find: { where: { 'name.en': { like: `%${index % 9}%` } }, limit: 50 } });
  return request({ action: 'get', id });
});
let turn = 0;
const next = (): Buffer => requests[(turn += 1) % requests.length] ?? Buffer.alloc(0);

await load(service.port, 32, warmMs, next);
const { perSecond: peak } = await load(service.port, 32, peakMs, next);
const calm = await openLoop(service.port, peak / 2, peakMs, next);
say(
  `saturated by ${peak.toFixed(0)} requests a second; at half of that p50 ${at(calm.accepted, 0.5)}, p99 ${at(calm.accepted, 0.99)}`,
);

let peakMb = 0;
const watch = setInterval(() => (peakMb = Math.max(peakMb, residentMb(service.pid))), 250);
const over = await openLoop(service.port, peak * times, forMs, next);
clearInterval(watch);
const goodput = over.accepted.length / over.seconds;
say(`${times} times as many for ${over.seconds.toFixed(0)} s:`);
say(
  `  answered ${goodput.toFixed(0)} a second, ${(goodput / peak).toFixed(2)} of the peak; p50 ${at(over.accepted, 0.5)}, p99 ${at(over.accepted, 0.99)}`,
);
say(
  `  refused with 503 and Retry-After ${(over.refused.length / over.seconds).toFixed(0)} a second; p50 ${at(over.refused, 0.5)}, p99 ${at(over.refused, 0.99)}`,
);
say(
  `  otherwise: ${[...over.others].map(([status, count]) => `${status}: ${count}`).join(', ') || 'nothing'}; not sent, with ${connections} connections waiting: ${over.unsent}`,
);
say(`  at most ${peakMb.toFixed(0)} MB resident`);
await sleep(recoveredMs);
const after = await openLoop(service.port, peak / 2, peakMs, next);
say(
  `${recoveredMs / 1000} s later at half the rate: p50 ${at(after.accepted, 0.5)}, p99 ${at(after.accepted, 0.99)}, refused ${after.refused.length}`,
);
client.close();
await service.stop();
await cluster?.stop();

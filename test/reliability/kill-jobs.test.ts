import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readConfig } from '../../packages/service/src/config/config.ts';
import { openStore } from '../../packages/service/src/app/store/open-store.ts';
import { counted } from '../support/counts.ts';
import { describeStores } from '../support/load-pair.ts';
import type { LoadStore } from '../support/load-store.ts';
import { endWithUs } from '../support/outlive.ts';
import { runSeed } from '../support/seed.ts';
import { randomOf } from '../support/tenant-queries.ts';

const kills = counted(4, 500);
const jobsPerKill = 12;

/** Counts what arrives by kind and key. */
class Receiver {
  readonly #server: Server;
  readonly #counts = new Map<string, number>();

  constructor() {
    this.#server = createServer((request, response) => {
      void text(request).then((key) => {
        const name = `${request.url?.slice(1)} ${key}`;
        this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
        response.end();
      });
    });
  }

  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`;
  }

  keys(kind: string): readonly string[] {
    return [...this.#counts.keys()]
      .filter((name) => name.startsWith(`${kind} `))
      .map((name) => name.slice(kind.length + 1));
  }

  /** Arrivals beyond the first of a key. */
  get repetitions(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count - 1, 0);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

const program = join(import.meta.dirname, '../support/job-worker.ts');

async function startWorker(store: LoadStore, receiver: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program, receiver], {
    env: { ...process.env, ...store.settings },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const stopWatch = endWithUs(child.pid ?? 0, 'KILL');
  child.once('exit', stopWatch);
  const ended = once(child, 'exit').then(() => {
    throw new Error('an instance ended before it was ready');
  });
  await Promise.race([once(child.stdout, 'data'), ended]);
  // It is killed later on.
  ended.catch(() => undefined);
  return child;
}

/** Kills one of two instances again and again while they work, and waits until the queue is empty; gives what was wrong. */
async function faultsOfKills(store: LoadStore): Promise<readonly string[]> {
  const random = randomOf(runSeed);
  const receiver = new Receiver();
  const url = await receiver.open();
  const opened = await openStore(readConfig(store.settings, () => '').config);
  const workers = [await startWorker(store, url), await startWorker(store, url)];
  const added: string[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const jobs = Array.from({ length: jobsPerKill }, (_, index) => ({
      id: randomUUID(),
      type: 'deliver',
      organizationId: `organization ${index % 3}`,
      subject: null,
      payload: {},
      priority: 0,
      dueAt: new Date(Date.now() + random.below(300)).toISOString(),
    }));
    added.push(...jobs.map(({ id, dueAt }) => `${id} ${dueAt}`));
    await opened.write({ kind: 'job', step: 'add', jobs });
    await sleep(random.below(250));
    const victim = random.below(2);
    const exited = once(workers[victim] ?? process, 'exit');
    workers[victim]?.kill('SIGKILL');
    await exited;
    workers[victim] = await startWorker(store, url);
    if ((kill + 1) % 50 === 0)
      process.stdout.write(
        `${store.name}: ${kill + 1} kills, ${receiver.keys('deliver').length} of ${added.length} jobs so far\n`,
      );
  }
  const left = async (): Promise<number> =>
    Number((await store.rows("select count(*) as n from job where type = 'deliver'"))[0]?.['n']);
  for (let times = 0; times < 4000 && (await left()) > 0; times += 1) await sleep(50);
  for (const worker of workers) {
    const exited = once(worker, 'exit');
    worker.kill('SIGKILL');
    await exited;
  }
  const [delivered, ticks] = [receiver.keys('deliver'), receiver.keys('tick')];
  const lost = added.filter((key) => !delivered.includes(key));
  const foreign = delivered.filter((key) => !added.includes(key));
  process.stdout.write(
    `${store.name}: ${kills} kills of two instances, ${added.length} jobs and ${ticks.length} scheduled runs, ${lost.length} lost, ${foreign.length} under another key, ${receiver.repetitions} repeated with their key\n`,
  );
  const scheduled = await store.rows("select id from job where type = 'tick'");
  const leftJobs = await left();
  receiver.close();
  await opened.close();
  await store.remove();
  return [
    ...lost.map((key) => `lost: ${key}`),
    ...foreign.map((key) => `under another key: ${key}`),
    ...(leftJobs === 0 ? [] : [`${leftJobs} jobs are left`]),
    ...(ticks.length > 0 && scheduled.length === 1 ? [] : ['the schedule has stopped']),
  ];
}

describeStores((newStore) => {
  test('jobs of killed instances each run for their due time, and what repeats has its key', async () => {
    expect(await faultsOfKills(await newStore())).toEqual([]);
  }, 3_600_000);
});

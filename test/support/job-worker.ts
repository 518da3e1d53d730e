import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../../packages/service/src/config/config.ts';
import type { JobType } from '../../packages/service/src/jobs/job.ts';
import { JobRunner } from '../../packages/service/src/jobs/runner.ts';
import { createMetrics } from '../../packages/service/src/metrics/metrics.ts';
import { openStore } from '../../packages/service/src/app/store/open-store.ts';

/** An instance that runs jobs which call a receiver, until it is killed. */
const [, , receiver = ''] = process.argv;

const call = async (kind: string, key: string, signal: AbortSignal): Promise<void> => {
  const answer = await fetch(`${receiver}/${kind}`, { method: 'POST', body: key, signal });
  await answer.arrayBuffer();
};

const deliver: JobType = {
  name: 'deliver',
  slots: 4,
  timeoutMs: 10_000,
  maxAttempts: 10_000,
  run: async ({ effectKey, signal, progress }) => {
    await call('deliver', effectKey, signal);
    progress(50);
    await sleep(Math.random() * 20);
    return null;
  },
};

const tick: JobType = {
  name: 'tick',
  slots: 1,
  timeoutMs: 10_000,
  maxAttempts: 10_000,
  everyMs: 100,
  run: async ({ effectKey, signal }) => {
    await call('tick', effectKey, signal);
    return null;
  },
};

const store = await openStore(readConfig(process.env, () => '').config);
const runner = new JobRunner({
  store,
  types: [deliver, tick],
  now: Date.now,
  random: () => Math.random(),
  id: () => randomUUID(),
  recorder: createMetrics(),
  failed: (what, error) => process.stderr.write(`${what}: ${String(error)}\n`),
  leaseMs: 900,
  pollMs: 100,
});
runner.start();
runner.wake();
process.stdout.write('ready\n');
// The timers of a runner keep no process alive.
setInterval(() => undefined, 60_000);

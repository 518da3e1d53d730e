import { timestamp } from '@inlay/contract';
import type { Command, WriteResult } from '../commands/command.ts';
import { sweepBatch, type SweepCommand } from '../commands/upkeep.ts';
import type { Config } from '../config/config.ts';
import type { Store } from '../store/store.ts';
import type { JobType } from './job.ts';

const dayMs = 24 * 3_600_000;
const loginDays = 7;
/** Days that a task and its file are kept after the task has ended. */
export const taskDays = 7;

/** Sweeps in batches, so that other writes come in between, until a batch is not full. Raises what the store raises. */
export async function sweepStore(store: Store<Command, WriteResult>, command: SweepCommand): Promise<void> {
  for (;;) {
    const result = await store.write(command);
    if (result.kind !== 'done' || result.count < sweepBatch) return;
  }
}

/** Creates the job that deletes expired records. */
export const createSweepJob = (
  store: Store<Command, WriteResult>,
  config: Pick<Config, 'idempotencyHours' | 'aiRequestDays'>,
  now: () => number,
): JobType => ({
  name: 'sweep records',
  slots: 1,
  timeoutMs: 600_000,
  maxAttempts: 3,
  everyMs: 600_000,
  run: async () => {
    const nowMs = now();
    await sweepStore(store, {
      kind: 'sweep',
      answersBefore: timestamp(nowMs - config.idempotencyHours * 3_600_000),
      loginsBefore: timestamp(nowMs - loginDays * dayMs),
      requestsBeforeMs: nowMs - config.aiRequestDays * dayMs,
      tasksBefore: timestamp(nowMs - taskDays * dayMs),
    });
    return null;
  },
});

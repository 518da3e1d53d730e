import { setTimeout as later } from 'node:timers/promises';
import type { Command, WriteResult } from '../commands/command.ts';
import { Problem } from '../problems/problem.ts';
import type { ServedRequest } from '../resource/served.ts';
import type { Store } from '../store/store.ts';

/** Answers a request once for its Idempotency-Key: a repetition gets the answer that was kept, letter by letter. */
export type RunOnce = (request: ServedRequest, work: () => Promise<string>) => Promise<string>;

/** A key that was taken so long ago, and never answered, is free again: whoever took it is gone. */
const lostAfterMs = 120_000;
const askAgainMs = 100;

/**
 * Keeps answers that make no record. Of two requests with a key at the same moment the second waits for the
 * first, so that an outside model is asked once. Keys are apart from those of writes: who lost the right to a dataset is
 * refused, and not answered from what was kept. Raises Problem `idempotency_conflict`, `deadline_passed`.
 */
export function createRunOnce(store: Pick<Store<Command, WriteResult>, 'write'>): RunOnce {
  const write = async (command: Command & { kind: 'answer' }): Promise<WriteResult> => {
    const result = await store.write(command);
    if (result.kind === 'problem') throw new Problem(result.problem.code, result.problem);
    return result;
  };
  return async ({ idempotency, signal, replays }, work) => {
    if (idempotency === null) return work();
    const kept = { ...idempotency, scope: `answer ${idempotency.scope}` };
    const command = { kind: 'answer', kept, lostAfterMs, text: '' } as const;
    for (;;) {
      const result = await write({ ...command, step: 'claim' });
      if (result.kind === 'answer' && result.state === 'kept') {
        replays?.();
        return result.text;
      }
      if (result.kind === 'answer' && result.state === 'mine') break;
      await later(askAgainMs, undefined, { signal });
    }
    try {
      const text = await work();
      await write({ ...command, step: 'keep', text });
      return text;
    } catch (error) {
      // A key that is not given back is free again in time; what went wrong is told in any case.
      await write({ ...command, step: 'release' }).catch(() => undefined);
      throw error;
    }
  };
}

import { setTimeout as later } from 'node:timers/promises';
import type { AnswerCommand } from '../commands/answer.ts';
import type { Command, WriteResult } from '../commands/command.ts';
import { Problem } from '../problems/problem.ts';
import type { ServedRequest } from '../resource/served.ts';
import type { Store } from '../store/store.ts';

/** Answers a request once for its Idempotency-Key: a repetition gets the same text. */
export type AnswerOnce = (request: ServedRequest, work: () => Promise<string>) => Promise<string>;

/** A key claimed longer ago and never answered is free again. */
const lostAfterMs = 120_000;
const pollMs = 100;

/**
 * Stores answers that create no record. A second request with the same key waits for the first, so that a model is called once. The keys
 * are apart from those of writes: a caller who has lost the right to a dataset is refused, not answered from the store. Raises Problem
 * `idempotency_conflict`, `deadline_passed`.
 */
export function createAnswerOnce(store: Pick<Store<Command, WriteResult>, 'write'>): AnswerOnce {
  const write = async (command: AnswerCommand): Promise<WriteResult> => {
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
      await later(pollMs, undefined, { signal });
    }
    try {
      const text = await work();
      await write({ ...command, step: 'keep', text });
      return text;
    } catch (error) {
      // A key that cannot be released is free again in time.
      await write({ ...command, step: 'release' }).catch(() => undefined);
      throw error;
    }
  };
}

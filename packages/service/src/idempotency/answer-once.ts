import { setTimeout as later } from 'node:timers/promises';
import type { AnswerCommand } from '../commands/answer.ts';
import type { Command, WriteResult } from '../commands/command.ts';
import { Problem } from '../problems/problem.ts';
import type { ServedRequest } from '../resource/served.ts';
import type { Store } from '../store/store.ts';

/** Runs a request once per Idempotency-Key. A repeated request gets the same text. */
export type AnswerOnce = (request: ServedRequest, work: () => Promise<string>) => Promise<string>;

/** A claim that has no answer after this time, in ms, has expired. */
const lostAfterMs = 120_000;
const pollMs = 100;

/**
 * Stores answers of requests that create no record. A repeated request waits for the first, so that a model is called
 * only once. The keys are separate from the keys of writes. A caller who has lost access to the dataset is refused,
 * even if an answer is stored. Raises Problem `idempotency_conflict`, `deadline_passed`.
 */
export function createAnswerOnce(store: Pick<Store<Command, WriteResult>, 'write'>): AnswerOnce {
  const write = async (command: AnswerCommand): Promise<WriteResult> => {
    const result = await store.write(command);
    if (result.kind === 'problem') throw new Problem(result.problem.code, result.problem);
    return result;
  };
  return async ({ idempotency, signal, replays }, work) => {
    if (idempotency === null) return work();
    const key = { ...idempotency, scope: `answer ${idempotency.scope}` };
    const command = { kind: 'answer', kept: key, lostAfterMs, text: '' } as const;
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
      // If the release fails, the claim expires later.
      await write({ ...command, step: 'release' }).catch(() => undefined);
      throw error;
    }
  };
}

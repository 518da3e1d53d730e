import { setTimeout as later } from 'node:timers/promises';
import type { Command, Written } from '../commands/command.ts';
import { Problem } from '../problems/problem.ts';
import type { ServedRequest } from '../resource/served.ts';
import type { Store } from '../store/store.ts';

/** Answers a request once for its Idempotency-Key: a repetition gets the answer that was kept, letter by letter. */
export type Once = (request: ServedRequest, work: () => Promise<string>) => Promise<string>;

/** A key that was taken so long ago, and never answered, is free again: whoever took it is gone. */
const lostAfterMs = 120_000;
const askAgainMs = 100;

/**
 * Keeps answers that make no record. Of two requests with a key at the same moment the second waits for the
 * first, so that an outside model is asked once. Keys are apart from those of writes: who lost the right to a dataset is
 * refused, and not answered from what was kept. Raises Problem `idempotency_conflict`, `deadline_passed`.
 */
export function createOnce(store: Pick<Store<Command, Written>, 'write'>): Once {
  const write = async (command: Command & { kind: 'answer' }): Promise<Written> => {
    const written = await store.write(command);
    if (written.kind === 'problem') throw new Problem(written.problem.code, written.problem);
    return written;
  };
  return async ({ idempotency, signal }, work) => {
    if (idempotency === null) return work();
    const kept = { ...idempotency, scope: `answer ${idempotency.scope}` };
    const command = { kind: 'answer', kept, lostAfterMs, text: '' } as const;
    for (;;) {
      const found = await write({ ...command, step: 'claim' });
      if (found.kind === 'answer' && found.state === 'kept') return found.text;
      if (found.kind === 'answer' && found.state === 'mine') break;
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

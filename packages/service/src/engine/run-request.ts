import { Attempt, ChildDied, deathTold, type AttemptSpec } from './attempt.ts';
import { EngineProblem } from './engine.ts';
import type { Need, Pool } from './pool/pool.ts';

/** A running request, and the time it waited for a child. */
export interface StartedAttempt {
  readonly attempt: Attempt;
  readonly queuedMs: number;
}

/** Whether the child or DuckDB ran out of memory. */
const isShortOfMemory = (error: unknown): boolean =>
  error instanceof ChildDied ? error.death !== 'unknown' : error instanceof EngineProblem && error.cause === 'memory';

/** A statement that ran out of memory in a child of its own would do so again. */
const mayRunAgain = (error: unknown, { duty }: Need): boolean =>
  error instanceof ChildDied || (isShortOfMemory(error) && duty.kind === 'compiled');

/**
 * Runs a request in a place of the pool, and once more when the child dies or accepts no more requests before its first bytes. After
 * a lack of memory, which other statements may have caused, it runs again in a child of its own.
 */
export async function runWithRetry(
  pool: Pool,
  need: Need,
  spec: AttemptSpec,
  signal: AbortSignal,
): Promise<StartedAttempt> {
  let wanted = need;
  for (let retries = spec.batches.size === 0 ? 1 : 0; ; retries -= 1) {
    const { child, queuedMs, release } = await pool.place(wanted, signal);
    const attempt = new Attempt(child, spec, signal);
    void attempt.left.then(release);
    try {
      await attempt.begun;
      return { attempt, queuedMs };
    } catch (error) {
      if (retries === 0 || !mayRunAgain(error, wanted)) throw deathTold(error);
      if (isShortOfMemory(error)) wanted = { ...need, duty: { kind: 'alone' } };
    }
  }
}

/** The bytes of an answer, with the errors that callers know. */
export async function* readable(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    throw deathTold(error);
  }
}

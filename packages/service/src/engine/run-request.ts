import { Attempt, ChildDied, deathTold, type AttemptSpec } from './attempt.ts';
import { EngineProblem } from './engine.ts';
import type { Need, Pool } from './pool/pool.ts';

/** A running request, and how long it waited for a child. */
export interface StartedAttempt {
  readonly attempt: Attempt;
  readonly queuedMs: number;
}

/** True if the child or DuckDB ran out of memory. */
const isShortOfMemory = (error: unknown): boolean =>
  error instanceof ChildDied ? error.death !== 'unknown' : error instanceof EngineProblem && error.cause === 'memory';

/** False if a statement ran out of memory although it was alone in its child: it would do so again. */
const mayRunAgain = (error: unknown, { duty }: Need): boolean =>
  error instanceof ChildDied || (isShortOfMemory(error) && duty.kind === 'compiled');

/**
 * Runs a request in a slot of the pool. Retries once if the child dies or accepts no more requests before the first
 * bytes. If the memory ran out, other statements may be the cause, so the retry gets a child of its own. A request that
 * sends rows is never retried.
 */
export async function runWithRetry(
  pool: Pool,
  need: Need,
  spec: AttemptSpec,
  signal: AbortSignal,
): Promise<StartedAttempt> {
  let currentNeed = need;
  for (let retries = spec.batches.size === 0 ? 1 : 0; ; retries -= 1) {
    const { child, queuedMs, release } = await pool.place(currentNeed, signal);
    const attempt = new Attempt(child, spec, signal);
    void attempt.left.then(release);
    try {
      await attempt.begun;
      return { attempt, queuedMs };
    } catch (error) {
      if (retries === 0 || !mayRunAgain(error, currentNeed)) throw deathTold(error);
      if (isShortOfMemory(error)) currentNeed = { ...need, duty: { kind: 'alone' } };
    }
  }
}

/** Yields the bytes of an answer. Converts ChildDied to EngineProblem. */
export async function* readable(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    throw deathTold(error);
  }
}

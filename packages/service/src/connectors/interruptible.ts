import { SourceProblem } from './problem.ts';

export interface Interruption {
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  /** Ends what is under way at the source; called once at most. */
  readonly interrupt: () => void;
}

/**
 * Waits for work at a source, no longer than its deadline and until it is given up. Raises SourceProblem `timeout` or
 * `aborted` at once then, and what the work raises.
 */
export function interruptible<Result>(work: Promise<Result>, options: Interruption): Promise<Result> {
  const { deadline, signal, interrupt } = options;
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      act();
    };
    const stop = (problem: SourceProblem): void =>
      settle(() => {
        interrupt();
        reject(problem);
      });
    const abort = (): void => stop(new SourceProblem('aborted'));
    const timer = setTimeout(() => stop(new SourceProblem('timeout')), Math.max(0, deadline - Date.now()));
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    work.then(
      (result) => settle(() => resolve(result)),
      (error: unknown) => settle(() => reject(error)),
    );
  });
}

import { onEnd } from '../../concurrency/release.ts';
import { SourceProblem } from '../problem.ts';

export interface Interruption {
  /** Deadline in milliseconds since the epoch. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  /** Cancels the operation at the source; called at most once. */
  readonly interrupt: () => void;
}

/**
 * Waits for work at a source. At the deadline or when the signal aborts, calls `interrupt`, and immediately raises
 * SourceProblem `timeout` or `aborted`. Otherwise raises what the work raises.
 */
export function interruptible<Result>(work: Promise<Result>, options: Interruption): Promise<Result> {
  const { deadline, signal, interrupt } = options;
  return new Promise((resolve, reject) => {
    let unsubscribe = (): void => undefined;
    const settle = (action: () => void): void => {
      clearTimeout(timer);
      unsubscribe();
      action();
    };
    const stop = (problem: SourceProblem): void =>
      settle(() => {
        interrupt();
        reject(problem);
      });
    const timer = setTimeout(() => stop(new SourceProblem('timeout')), Math.max(0, deadline - Date.now()));
    unsubscribe = onEnd(signal, () => stop(new SourceProblem('aborted')));
    work.then(
      (result) => settle(() => resolve(result)),
      (error: unknown) => settle(() => reject(error)),
    );
  });
}

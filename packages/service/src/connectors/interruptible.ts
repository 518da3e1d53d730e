import { onEnd } from '../concurrency/release.ts';
import { SourceProblem } from './problem.ts';

export interface Interruption {
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  /** Cancels the operation at the source; called at most once. */
  readonly interrupt: () => void;
}

/**
 * Awaits work at a source until its deadline or abort. Raises SourceProblem `timeout` or `aborted` immediately in these
 * cases, and what the work raises.
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

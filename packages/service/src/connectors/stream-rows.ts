import type { RunLimits, SourceAnswer, SourceRows } from './connector.ts';
import { onEnd } from '../concurrency/release.ts';
import { interruptible } from './interruptible.ts';
import { SourceProblem } from './problem.ts';
import { batchBytes, rowBytes } from './row-intake.ts';

/** A statement under way at a source. */
export interface RunningStatement {
  /** The next rows, as many as asked for or fewer; none at the end. */
  read(count: number): Promise<SourceRows>;
  /** Called when the last row was read. */
  finish(): Promise<void>;
  /** Called instead of `finish` after an error of `read`; raises nothing. */
  fail(error: unknown): void;
  /** Ends the statement at the source and the connection with it; called instead of `finish`, and raises nothing. */
  cancel(): void;
  /** Puts an error of `read` or `finish` into words. */
  explain(error: unknown): SourceProblem;
}

const bytesOf = (rows: SourceRows): number => rows.reduce((sum, row) => sum + rowBytes(row), 0);

/**
 * Reads a running statement in batches of about 256 KiB, as fast as they are taken. Resolves when the first rows are
 * there. At the deadline, when the signal aborts, and when the reader leaves, the statement is cancelled.
 */
export async function streamRows(
  statement: RunningStatement,
  limits: RunLimits,
  deadline: number,
  signal: AbortSignal,
): Promise<SourceAnswer> {
  let ended = false;
  let stopped: SourceProblem | undefined;
  let truncated = false;
  let rowsLeft = limits.rowLimit;
  let bytesLeft = limits.byteLimit;
  let count = 100;
  let deaf = (): void => undefined;

  const end = (): boolean => {
    if (ended) return false;
    ended = true;
    clearTimeout(timer);
    deaf();
    return true;
  };
  const cancel = (): void => {
    if (end()) statement.cancel();
  };
  const stop = (problem: SourceProblem): void => {
    stopped ??= problem;
    cancel();
  };
  const failIfStopped = (): void => {
    if (stopped !== undefined) throw stopped;
  };
  const abort = (): void => stop(new SourceProblem('aborted'));
  // A reader that does not read is cut off as well.
  const timer = setTimeout(() => stop(new SourceProblem('timeout')), Math.max(0, deadline - Date.now()));
  deaf = onEnd(signal, abort);

  const guarded = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await interruptible(work, { deadline, signal, interrupt: () => undefined });
    } catch (error) {
      if (error instanceof SourceProblem) cancel();
      else if (end()) statement.fail(error);
      throw stopped ?? (error instanceof SourceProblem ? error : statement.explain(error));
    }
  };

  /** The next rows within the limits; none when there is nothing more to give. */
  const next = async (): Promise<SourceRows> => {
    failIfStopped();
    if (ended) return [];
    const rows = await guarded(statement.read(Math.min(count, rowsLeft + 1)));
    // A statement that is cancelled may end as if it had no more rows.
    failIfStopped();
    const bytes = bytesOf(rows);
    truncated = rows.length > rowsLeft || bytes > bytesLeft;
    if (truncated) {
      cancel();
      return bytes > bytesLeft ? [] : rows.slice(0, rowsLeft);
    }
    rowsLeft -= rows.length;
    bytesLeft -= bytes;
    if (rows.length > 0) count = Math.max(1, Math.min(1000, Math.floor((batchBytes * rows.length) / (bytes + 1))));
    else if (end()) await guarded(statement.finish());
    return rows;
  };

  async function* batches(first: SourceRows): AsyncGenerator<SourceRows, void, undefined> {
    try {
      for (let rows = first; rows.length > 0; rows = await next()) yield rows;
      failIfStopped();
    } finally {
      cancel();
    }
  }

  const rows = batches(await next());
  return { rows, truncated: () => truncated };
}

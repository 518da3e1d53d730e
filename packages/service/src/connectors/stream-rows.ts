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

/** The rows of a running statement within the limits. It ends the statement once, in one of three ways: finish, fail, cancel. */
class RowStream {
  readonly #statement: RunningStatement;
  readonly #deadline: number;
  readonly #signal: AbortSignal;
  readonly #timer: NodeJS.Timeout;
  #unsubscribe: () => void = () => undefined;
  #isEnded = false;
  /** Why it was ended before its last row. */
  #stopped: SourceProblem | undefined;
  #isTruncated = false;
  #rowsLeft: number;
  #bytesLeft: number;
  /** Rows of the next batch. */
  #count = 100;

  constructor(statement: RunningStatement, limits: RunLimits, deadline: number, signal: AbortSignal) {
    this.#statement = statement;
    this.#deadline = deadline;
    this.#signal = signal;
    this.#rowsLeft = limits.rowLimit;
    this.#bytesLeft = limits.byteLimit;
    // A reader that does not read is cut off as well.
    this.#timer = setTimeout(() => this.#stop(new SourceProblem('timeout')), Math.max(0, deadline - Date.now()));
    this.#unsubscribe = onEnd(signal, () => this.#stop(new SourceProblem('aborted')));
  }

  get isTruncated(): boolean {
    return this.#isTruncated;
  }

  /** The next rows within the limits; none at the end. Raises SourceProblem. */
  async next(): Promise<SourceRows> {
    this.#failIfStopped();
    if (this.#isEnded) return [];
    const rows = await this.#guarded(this.#statement.read(Math.min(this.#count, this.#rowsLeft + 1)));
    // A statement that is cancelled may end as if it had no more rows.
    this.#failIfStopped();
    const bytes = bytesOf(rows);
    this.#isTruncated = rows.length > this.#rowsLeft || bytes > this.#bytesLeft;
    if (this.#isTruncated) {
      this.#cancel();
      return bytes > this.#bytesLeft ? [] : rows.slice(0, this.#rowsLeft);
    }
    this.#rowsLeft -= rows.length;
    this.#bytesLeft -= bytes;
    if (rows.length > 0)
      this.#count = Math.max(1, Math.min(1000, Math.floor((batchBytes * rows.length) / (bytes + 1))));
    else if (this.#end()) await this.#guarded(this.#statement.finish());
    return rows;
  }

  /** All rows; `first` was read before. */
  async *batches(first: SourceRows): AsyncGenerator<SourceRows, void, undefined> {
    try {
      for (let rows = first; rows.length > 0; rows = await this.next()) yield rows;
      this.#failIfStopped();
    } finally {
      this.#cancel();
    }
  }

  /** True for the first call. */
  #end(): boolean {
    if (this.#isEnded) return false;
    this.#isEnded = true;
    clearTimeout(this.#timer);
    this.#unsubscribe();
    return true;
  }

  #cancel(): void {
    if (this.#end()) this.#statement.cancel();
  }

  #stop(problem: SourceProblem): void {
    this.#stopped ??= problem;
    this.#cancel();
  }

  #failIfStopped(): void {
    if (this.#stopped !== undefined) throw this.#stopped;
  }

  async #guarded<Result>(work: Promise<Result>): Promise<Result> {
    try {
      return await interruptible(work, {
        deadline: this.#deadline,
        signal: this.#signal,
        interrupt: () => undefined,
      });
    } catch (error) {
      if (error instanceof SourceProblem) this.#cancel();
      else if (this.#end()) this.#statement.fail(error);
      throw this.#stopped ?? (error instanceof SourceProblem ? error : this.#statement.explain(error));
    }
  }
}

/**
 * Reads a running statement in batches of about 256 KiB, as fast as they are consumed. Resolves when the first rows have come. At the
 * deadline, when the signal aborts, and when the reader stops, the statement is cancelled.
 */
export async function streamRows(
  statement: RunningStatement,
  limits: RunLimits,
  deadline: number,
  signal: AbortSignal,
): Promise<SourceAnswer> {
  const stream = new RowStream(statement, limits, deadline, signal);
  return { rows: stream.batches(await stream.next()), truncated: () => stream.isTruncated };
}

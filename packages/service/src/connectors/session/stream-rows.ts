import type { RunLimits, SourceAnswer, SourceRows } from '../connector.ts';
import { onEnd } from '../../concurrency/release.ts';
import { interruptible } from './interruptible.ts';
import { SourceProblem } from '../problem.ts';
import { batchBytes, rowBytes } from './row-intake.ts';

/** A statement that runs at a source. */
export interface RunningStatement {
  /** Reads up to `count` further rows. Returns an empty list at the end. */
  read(count: number): Promise<SourceRows>;
  /** Called after the last row. */
  finish(): Promise<void>;
  /** Called instead of `finish` if `read` has failed. Never throws. */
  fail(error: unknown): void;
  /** Called instead of `finish` to cancel the statement at the source and close the connection. Never throws. */
  cancel(): void;
  /** Converts an error of `read` or `finish` to a SourceProblem. */
  explain(error: unknown): SourceProblem;
}

const bytesOf = (rows: SourceRows): number => rows.reduce((sum, row) => sum + rowBytes(row), 0);

/**
 * Streams the rows of a running statement, until a limit is reached. Ends the statement by calling one of `finish`,
 * `fail` and `cancel` once.
 */
class RowStream {
  readonly #statement: RunningStatement;
  readonly #deadline: number;
  readonly #signal: AbortSignal;
  readonly #timer: NodeJS.Timeout;
  #unsubscribe: () => void = () => undefined;
  #isEnded = false;
  /** Why the statement was cancelled before its last row; undefined if it was not. */
  #stopped: SourceProblem | undefined;
  #isTruncated = false;
  #rowsLeft: number;
  #bytesLeft: number;
  /** Number of rows to read in the next batch. */
  #count = 100;

  constructor(statement: RunningStatement, limits: RunLimits, deadline: number, signal: AbortSignal) {
    this.#statement = statement;
    this.#deadline = deadline;
    this.#signal = signal;
    this.#rowsLeft = limits.rowLimit;
    this.#bytesLeft = limits.byteLimit;
    // The deadline also applies while the consumer reads no rows.
    this.#timer = setTimeout(() => this.#stop(new SourceProblem('timeout')), Math.max(0, deadline - Date.now()));
    this.#unsubscribe = onEnd(signal, () => this.#stop(new SourceProblem('aborted')));
  }

  get isTruncated(): boolean {
    return this.#isTruncated;
  }

  /** Reads further rows within the limits. Returns an empty list at the end. Raises SourceProblem. */
  async next(): Promise<SourceRows> {
    this.#failIfStopped();
    if (this.#isEnded) return [];
    const rows = await this.#guarded(this.#statement.read(Math.min(this.#count, this.#rowsLeft + 1)));
    // After a statement was cancelled, it may seem to have no more rows.
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

  /** Yields all rows, beginning with `firstRows`, which have already been read. */
  async *batches(firstRows: SourceRows): AsyncGenerator<SourceRows, void, undefined> {
    try {
      for (let rows = firstRows; rows.length > 0; rows = await this.next()) yield rows;
      this.#failIfStopped();
    } finally {
      this.#cancel();
    }
  }

  /** Marks the stream as ended. Returns false if it had already ended. */
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
 * Reads the rows of a running statement in batches of about 256 KiB, as fast as the consumer takes them. Resolves when
 * the first rows have arrived. Cancels the statement at the deadline, when the signal aborts, or when the consumer
 * stops.
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

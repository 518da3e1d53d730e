import type { Duplex } from 'node:stream';
import type { SourceRows } from './connector.ts';
import { SourceProblem } from './problem.ts';

type SourceRow = SourceRows[number];

/** Bytes of rows that are read ahead of the consumer. */
export const batchBytes = 256 * 1024;
const mostRowMb = 64;

export const rowBytes = (row: SourceRow): number =>
  row.reduce<number>((bytes, cell) => bytes + (typeof cell === 'string' ? cell.length : 8), 0);

/** What lets a source send on, or wait. */
export interface Flow {
  /** The connection as its driver reads it, decrypted. */
  readonly stream: Duplex;
  readonly pause: () => void;
  readonly resume: () => void;
}

/**
 * Rows between a driver, which gives them one by one, and their reader: however wide they are, the source waits where a
 * batch of them has not been taken, and a row that never ends is given up.
 */
export class RowIntake {
  readonly #flow: Flow;
  readonly #arrived: (piece: Buffer) => void;
  #rows: SourceRow[] = [];
  #bytes = 0;
  #partBytes = 0;
  #wanted = 1;
  #isPaused = false;
  #isOver = true;
  #fault: { readonly error: unknown } | null = null;
  #wake: () => void = () => undefined;

  constructor(flow: Flow) {
    this.#flow = flow;
    this.#arrived = ({ length }) => {
      this.#partBytes += length;
      if (this.#partBytes <= mostRowMb * 1024 ** 2) return;
      flow.pause();
      this.fail(new SourceProblem('query', `The query gives a row of more than ${mostRowMb} MB.`));
    };
    flow.stream.on('data', this.#arrived);
  }

  /** A row that has come whole. Gives whether those that wait are a batch. */
  add(row: SourceRow): boolean {
    this.#rows.push(row);
    this.#bytes += rowBytes(row);
    this.#partBytes = 0;
    const isFull = this.#bytes >= batchBytes;
    if (isFull && !this.#isPaused) {
      this.#isPaused = true;
      this.#flow.pause();
    }
    if (isFull || this.#rows.length >= this.#wanted) this.#wake();
    return isFull;
  }

  /** Rows are on their way. */
  open(): void {
    this.#isOver = false;
  }

  /** No further row comes before `open`. */
  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  fail(error: unknown): void {
    this.#fault ??= { error };
    this.#wake();
  }

  /** The next rows: so many, a batch of bytes, or fewer at the end. Raises what was given to `fail`. */
  async take(count: number): Promise<SourceRows> {
    this.#wanted = count;
    while (this.#rows.length < count && this.#bytes < batchBytes && !this.#isOver && this.#fault === null)
      await new Promise<void>((resolve) => (this.#wake = resolve));
    if (this.#fault !== null) throw this.#fault.error;
    const taken = this.#rows.splice(0, count);
    this.#bytes = this.#rows.length === 0 ? 0 : this.#bytes - taken.reduce((bytes, row) => bytes + rowBytes(row), 0);
    if (this.#isPaused && this.#bytes < batchBytes) {
      this.#isPaused = false;
      this.#flow.resume();
    }
    return taken;
  }

  /** Leaves the connection to what comes next on it. */
  close(): void {
    this.#flow.stream.off('data', this.#arrived);
  }
}

import type { Duplex } from 'node:stream';
import type { SourceRows } from './connector.ts';
import { SourceProblem } from './problem.ts';

type SourceRow = SourceRows[number];

/** Bytes of rows to buffer ahead of the consumer. */
export const batchBytes = 256 * 1024;
const maxRowMb = 64;

export const rowBytes = (row: SourceRow): number =>
  row.reduce<number>((bytes, cell) => bytes + (typeof cell === 'string' ? cell.length : 8), 0);

/** Lets the source continue or pause. */
export interface Flow {
  /** The decrypted stream from which the driver reads. */
  readonly stream: Duplex;
  readonly pause: () => void;
  readonly resume: () => void;
}

/**
 * A bounded buffer between a driver, which emits row by row, and its consumer. Pauses the source while a full batch
 * waits, and gives up on a row that exceeds the size limit.
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
      if (this.#partBytes <= maxRowMb * 1024 ** 2) return;
      flow.pause();
      this.fail(new SourceProblem('query', `The query gives a row of more than ${maxRowMb} MB.`));
    };
    flow.stream.on('data', this.#arrived);
  }

  /** Buffers a complete row. Returns true if the buffer is a full batch. */
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

  /** Marks the start of a result. */
  open(): void {
    this.#isOver = false;
  }

  /** Marks the end of a result; no row follows until the next `open`. */
  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  fail(error: unknown): void {
    this.#fault ??= { error };
    this.#wake();
  }

  /**
   * Waits for `count` rows, a full batch of bytes, or the end, and returns the rows. Raises what was passed to `fail`.
   */
  async take(count: number): Promise<SourceRows> {
    this.#wanted = count;
    while (this.#rows.length < count && this.#bytes < batchBytes && !this.#isOver && this.#fault === null)
      await new Promise<void>((resolve) => (this.#wake = resolve));
    if (this.#fault !== null) throw this.#fault.error;
    const rows = this.#rows.splice(0, count);
    this.#bytes = this.#rows.length === 0 ? 0 : this.#bytes - rows.reduce((bytes, row) => bytes + rowBytes(row), 0);
    if (this.#isPaused && this.#bytes < batchBytes) {
      this.#isPaused = false;
      this.#flow.resume();
    }
    return rows;
  }

  /** Detaches from the connection, which is then free for other use. */
  close(): void {
    this.#flow.stream.off('data', this.#arrived);
  }
}

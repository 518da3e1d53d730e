import type { Duplex } from 'node:stream';
import type { SourceRows } from '../connector.ts';
import { SourceProblem } from '../problem.ts';

type SourceRow = SourceRows[number];

/** Number of bytes of rows that are buffered ahead of the consumer. */
export const batchBytes = 256 * 1024;
const maxRowMb = 64;

export const rowBytes = (row: SourceRow): number =>
  row.reduce<number>((bytes, cell) => bytes + (typeof cell === 'string' ? cell.length : 8), 0);

/** Pauses and resumes the source. */
export interface Flow {
  /** The stream from which the driver reads, after decryption. */
  readonly stream: Duplex;
  readonly pause: () => void;
  readonly resume: () => void;
}

/**
 * A bounded buffer between a driver, which emits row by row, and the consumer of the rows. Pauses the source while a
 * full batch is buffered. Fails if a row exceeds the size limit.
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

  /** Buffers a row. Returns true if the buffer contains a full batch. */
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

  /** Marks the start of a request for rows. */
  open(): void {
    this.#isOver = false;
  }

  /** Marks the end of a request for rows. No row follows until `open` is called again. */
  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  fail(error: unknown): void {
    this.#fault ??= { error };
    this.#wake();
  }

  /**
   * Waits until `count` rows, a full batch of bytes or the end has arrived, then returns the rows. Raises the error
   * that was passed to `fail`.
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

  /** Stops listening to the connection, so that it can be used for something else. */
  close(): void {
    this.#flow.stream.off('data', this.#arrived);
  }
}

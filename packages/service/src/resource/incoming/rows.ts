import type { Json } from '@inlay/contract';
import type { Batch } from '../../engine/engine.ts';

/** Limit of rows listed in a refusal. */
export const faultsMost = 100;

/** Rows of a push: facts known before they are stored, and the rows in batches. */
export interface PushedRows {
  /** Column names in the first row, if any. */
  readonly header: readonly Json[] | null;
  /** Indexes of rows that are not lists. */
  readonly strangers: readonly number[];
  /** Number of cells in each row, without the header. */
  readonly widths: ArrayLike<number>;
  /** Returns the types of cells of a column, as bits of `cellKinds`. */
  readonly kinds: (place: number) => number;
  /** Yields batches for the engine; `places` are the indexes of columns within a row. A text is the JSON of a batch. */
  readonly batches: (places: readonly number[]) => AsyncIterable<Batch>;
}

/** Rows in a file, because they are too many for memory. */
export interface RowsOnDisk {
  /** Number of rows, including the header. */
  readonly count: number;
  /** Hash of the rows as sent. */
  readonly digest: string;
  /** Reads the rows. Raises Problem `json_invalid`. */
  readonly read: (header: boolean) => Promise<PushedRows>;
}

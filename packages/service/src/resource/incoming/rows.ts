import type { Json } from '@inlay/contract';
import type { Batch } from '../../engine/engine.ts';

/** Maximum number of rows listed in a refusal. */
export const faultsMost = 100;

/** Rows of a push: facts that are known before the rows are stored, and the rows in batches. */
export interface PushedRows {
  /** Column names from the first row; null if the rows have no header. */
  readonly header: readonly Json[] | null;
  /** Indexes of entries that are not lists and therefore no rows. */
  readonly strangers: readonly number[];
  /** Number of cells in each row, without the header. */
  readonly widths: ArrayLike<number>;
  /** Returns the types of cells of a column, as bits of `cellKinds`. */
  readonly kinds: (place: number) => number;
  /** Yields batches for the engine. `places` are the indexes of the columns within a row. A batch may be JSON text. */
  readonly batches: (places: readonly number[]) => AsyncIterable<Batch>;
}

/** Rows in a file, because there are too many for memory. */
export interface RowsOnDisk {
  /** Number of rows, including the header. */
  readonly count: number;
  /** Hash of the rows as sent. */
  readonly digest: string;
  /** Reads the rows. `header`: true if the first row has column names. Raises Problem `json_invalid`. */
  readonly read: (header: boolean) => Promise<PushedRows>;
}

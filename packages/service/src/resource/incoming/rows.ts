import type { Json } from '@inlay/contract';
import type { Batch } from '../../engine/engine.ts';

/** Rows that a refusal names. */
export const faultsMost = 100;

/** Rows of a push: what must be known of them before they are stored, and they themselves, batch by batch. */
export interface PushedRows {
  /** Names of columns, where the first row has them. */
  readonly header: readonly Json[] | null;
  /** Places of rows that are no lists. */
  readonly strangers: readonly number[];
  /** How many cells each row has, without the header. */
  readonly widths: ArrayLike<number>;
  /** What the cells of a column are, as bits of `cellKinds`. */
  readonly kinds: (place: number) => number;
  /** As the engine takes them; `places` says where each column stands in a row. A text is the JSON of a batch. */
  readonly batches: (places: readonly number[]) => AsyncIterable<Batch>;
}

/** Rows that lie in a file, since they are too many to be values here. */
export interface RowsOnDisk {
  /** However many there are, the header among them. */
  readonly count: number;
  /** A hash of them as they were sent. */
  readonly digest: string;
  /** Reads them. Raises Problem `json_invalid`. */
  readonly read: (header: boolean) => Promise<PushedRows>;
}

import type { JsonObject } from '@inlay/contract';
import type { CallerReference } from '../callers/caller-of.ts';
import type { WriteCommand } from './record.ts';
import type { FoundColumn } from './sources.ts';

/** A caller that stores rows, and the Idempotency-Key of the request. */
export interface RowsStorer extends Pick<WriteCommand, 'idempotency'> {
  readonly caller: CallerReference;
}

/** Makes a version the current one of its dataset. Creates the dataset if it is new. */
export interface RowsCommand extends RowsStorer {
  readonly kind: 'rows';
  /**
   * Callers of other requests whose rows are in the same version. Nothing is stored unless all these callers are
   * authorized.
   */
  readonly others: readonly RowsStorer[];
  readonly securableId: string;
  readonly isNew: boolean;
  /** Fields of the dataset, if it is to be created. */
  readonly set: JsonObject;
  /** Columns of the stored rows. */
  readonly columns: readonly FoundColumn[];
  /** `all` adds and retires columns to match the rows; `types` only updates the types of existing columns. */
  readonly follow: 'all' | 'types';
  readonly rows: number;
  readonly version: string;
  /** The version to replace; null for the first. Refused with `rows_changed` if it is no longer the current version. */
  readonly before: string | null;
}

export interface RowsCommands {
  readonly rows: RowsCommand;
}

import type { JsonObject } from '@inlay/contract';
import type { CallerReference } from '../callers/caller-of.ts';
import type { WriteCommand } from './record.ts';
import type { FoundColumn } from './sources.ts';

/** The caller that stores rows, and its Idempotency-Key. */
export interface RowsStorer extends Pick<WriteCommand, 'idempotency'> {
  readonly caller: CallerReference;
}

/** Makes a version the current one of its dataset, which is created if new. */
export interface RowsCommand extends RowsStorer {
  readonly kind: 'rows';
  /** Callers of other requests whose rows are in the same version. Nothing is stored unless all are authorized. */
  readonly others: readonly RowsStorer[];
  readonly securableId: string;
  readonly isNew: boolean;
  /** Fields of the dataset to create. */
  readonly set: JsonObject;
  /** Columns of the stored rows. */
  readonly columns: readonly FoundColumn[];
  /** `all` adds and retires columns to match the rows; `types` only updates the types of existing columns. */
  readonly follow: 'all' | 'types';
  readonly rows: number;
  readonly version: string;
  /** The version to replace. Refused with `rows_changed` if it is no longer the current one. */
  readonly before: string | null;
}

export interface RowsCommands {
  readonly rows: RowsCommand;
}

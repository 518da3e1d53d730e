import type { JsonObject } from '@inlay/contract';
import type { CallerReference } from '../callers/caller-of.ts';
import type { WriteCommand } from './record.ts';
import type { FoundColumn } from './sources.ts';

/** Who stores rows, and with which Idempotency-Key. */
export interface RowsStorer extends Pick<WriteCommand, 'idempotency'> {
  readonly caller: CallerReference;
}

/** Makes a version of rows the current one, and creates the dataset if it is new. */
export interface RowsCommand extends RowsStorer {
  readonly kind: 'rows';
  /** Others with rows in the same version of an existing dataset: nothing is stored unless all of them may. */
  readonly others: readonly RowsStorer[];
  readonly securableId: string;
  readonly isNew: boolean;
  /** Fields of a new dataset. */
  readonly set: JsonObject;
  /** The columns of the rows. */
  readonly columns: readonly FoundColumn[];
  /** Whether columns are added and retired to match the rows, or only the types of existing ones change. */
  readonly follow: 'all' | 'types';
  readonly rows: number;
  readonly version: string;
  /** The version that it follows; refused with `rows_changed` if that is not the current one any more. */
  readonly before: string | null;
}

export interface RowsCommands {
  readonly rows: RowsCommand;
}

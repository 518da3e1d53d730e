import type { JsonObject } from '@inlay/contract';
import type { CallerReference } from '../callers/caller-of.ts';
import type { WriteCommand } from './record.ts';

/** A column as its source describes it: fields of the column record, and the storage type. */
export interface FoundColumn {
  readonly fields: JsonObject;
  readonly storageType: string;
  /** Number of rows without a value; null if unknown. */
  readonly empty: number | null;
}

/** A dataset to create, with its columns. */
export interface NewDataset {
  readonly set: JsonObject;
  readonly columns: readonly FoundColumn[];
  /** Estimated number of rows; null if the source has no estimate. */
  readonly rows: number | null;
  /** When to read the metadata of the dataset again; null for never. */
  readonly dueAt: string | null;
}

/** Creates datasets for tables of a source in one transaction. */
export interface DatasetsCommand extends Pick<WriteCommand, 'idempotency'> {
  readonly kind: 'datasets';
  readonly caller: CallerReference;
  readonly datasets: readonly NewDataset[];
  /**
   * Lookups between the new datasets. A lookup names datasets by their index in the list, and columns by their name at
   * the source.
   */
  readonly lookups: readonly NewLookup[];
}

export interface NewLookup {
  readonly from: number;
  readonly column: string;
  readonly to: number;
  readonly toColumn: string;
}

/** Updates fields whose values the service itself has determined. */
export interface NoteCommand {
  readonly kind: 'note';
  readonly resource: string;
  readonly id: string;
  readonly fields: JsonObject;
}

/**
 * Replaces a dataset version by another with the same rows. Returns a count of 0 if the version is no longer the
 * current one.
 */
export interface VersionCommand {
  readonly kind: 'version';
  readonly securableId: string;
  readonly before: string;
  readonly version: string;
}

/** Adds, updates and retires columns of a dataset to match its source. */
export interface ColumnsCommand {
  readonly kind: 'columns';
  readonly securableId: string;
  /** Columns at the source; null if the source was not read. */
  readonly columns: readonly FoundColumn[] | null;
  /** True if the service tried to read the source. */
  readonly attempted: boolean;
  readonly dueAt: string | null;
}

export interface SourceCommands {
  readonly datasets: DatasetsCommand;
  readonly note: NoteCommand;
  readonly version: VersionCommand;
  readonly columns: ColumnsCommand;
}

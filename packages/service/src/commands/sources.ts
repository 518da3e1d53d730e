import type { JsonObject } from '@inlay/contract';
import type { CallerReference } from '../callers/caller-of.ts';
import type { WriteCommand } from './record.ts';

/** A column as its source describes it: fields of the record, and the type of its values. */
export interface FoundColumn {
  readonly fields: JsonObject;
  readonly kept: string;
  /** Rows without a value; null if they were not counted. */
  readonly empty: number | null;
}

/** A dataset to create, with its columns. */
export interface NewDataset {
  readonly set: JsonObject;
  readonly columns: readonly FoundColumn[];
  /** Estimated rows; null if the source has no estimate. */
  readonly rows: number | null;
  /** When its metadata is read again; null for never. */
  readonly dueAt: string | null;
}

/** Creates datasets from tables of a source, all or none. */
export interface DatasetsCommand extends Pick<WriteCommand, 'idempotency'> {
  readonly kind: 'datasets';
  readonly caller: CallerReference;
  readonly datasets: readonly NewDataset[];
  /** Lookups between them: their indexes in the list, and the names of the columns at the source. */
  readonly lookups: readonly NewLookup[];
}

export interface NewLookup {
  readonly from: number;
  readonly column: string;
  readonly to: number;
  readonly toColumn: string;
}

/** Sets fields of a record that the service has found out itself. */
export interface NoteCommand {
  readonly kind: 'note';
  readonly resource: string;
  readonly id: string;
  readonly fields: JsonObject;
}

/** Replaces the version of a dataset by one with the same rows, if it is still the current one; answers 1 if it was. */
export interface VersionCommand {
  readonly kind: 'version';
  readonly securableId: string;
  readonly before: string;
  readonly version: string;
}

/** Adds, changes and retires the columns of a dataset as its source has them now. */
export interface ColumnsCommand {
  readonly kind: 'columns';
  readonly securableId: string;
  /** Null where the source was not read. */
  readonly columns: readonly FoundColumn[] | null;
  /** Whether reading was attempted. */
  readonly attempted: boolean;
  readonly dueAt: string | null;
}

export interface SourceCommands {
  readonly datasets: DatasetsCommand;
  readonly note: NoteCommand;
  readonly version: VersionCommand;
  readonly columns: ColumnsCommand;
}

import type { Model } from '../model.ts';

/** The datasets that contents name, as far as their writer may see them. */
export interface KnownRecords {
  readonly model: Model;
  /** The dataset of each column that the contents name, by its id. */
  readonly datasetOfColumn: ReadonlyMap<string, string>;
  /** Whether a dataset was not read, since contents name too many. */
  readonly isUnread: (datasetId: string) => boolean;
}

/** A probable mistake in contents, with its place. */
export interface ReferenceWarning {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

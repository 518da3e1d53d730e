import type { Model } from '../model.ts';

/** The referenced datasets that the writer of contents may see. */
export interface KnownRecords {
  readonly model: Model;
  /** Dataset ids of the referenced columns, by column id. */
  readonly datasetOfColumn: ReadonlyMap<string, string>;
  /** True for datasets that were not loaded, because contents reference too many. */
  readonly isUnread: (datasetId: string) => boolean;
}

/** A probable mistake in contents and its path. */
export interface ReferenceWarning {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

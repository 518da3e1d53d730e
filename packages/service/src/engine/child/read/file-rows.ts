import type { IngestNotice } from '../../engine.ts';
import type { IngestRequest } from '../../messages.ts';
import type { FreshColumn } from '../write/column-types/column-target.ts';

/** A file to be read. */
export type SourceFile = Extract<IngestRequest['source'], { readonly kind: 'file' }>;

/** The rows of a file where they lie. */
export interface FileRows {
  readonly relation: string;
  readonly columns: readonly FreshColumn[];
  /** How many rows the file has, by another count than that of the reader. */
  readonly count: number;
  readonly notices: readonly IngestNotice[];
  /** Rows that are made at once of those of `raw`, where a vector of them takes more memory than there is; `cells` are as in `relation`. */
  readonly parts?: { readonly raw: string; readonly cells: string; readonly rows: number };
}

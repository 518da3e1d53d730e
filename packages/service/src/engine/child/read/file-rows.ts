import type { IngestNotice } from '../../engine.ts';
import type { IngestRequest } from '../../messages.ts';
import type { FreshColumn } from '../write/column-types/column-target.ts';

/** A file to read. */
export type SourceFile = Extract<IngestRequest['source'], { readonly kind: 'file' }>;

/** Rows that can be read directly from a file. */
export interface FileRows {
  readonly relation: string;
  readonly columns: readonly FreshColumn[];
  /** Number of rows counted independently of the reader. */
  readonly count: number;
  readonly notices: readonly IngestNotice[];
  /**
   * Set if a vector of rows in `relation` would exceed the memory: create at most `rows` rows at once from `raw`;
   * `cells` selects the columns of `relation`.
   */
  readonly parts?: { readonly raw: string; readonly cells: string; readonly rows: number };
}

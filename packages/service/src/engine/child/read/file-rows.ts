import type { IngestNotice } from '../../engine.ts';
import type { IngestRequest } from '../../messages.ts';
import type { FreshColumn } from '../write/column-types/column-target.ts';

/** A file to read. */
export type SourceFile = Extract<IngestRequest['source'], { readonly kind: 'file' }>;

/** Rows that can be read directly from a file. */
export interface FileRows {
  readonly relation: string;
  readonly columns: readonly FreshColumn[];
  /** Number of rows according to a separate count that does not use the reader. */
  readonly count: number;
  readonly notices: readonly IngestNotice[];
  /**
   * Set if the rows must be converted in parts, since one DuckDB vector of converted rows would exceed the memory.
   * Select at most `rows` rows at once from `raw`; `cells` is the select list for the columns of `relation`.
   */
  readonly parts?: { readonly raw: string; readonly cells: string; readonly rows: number };
}

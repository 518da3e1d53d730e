import type { StorageType } from './model.ts';

/** How a value is written in an answer. */
export type Cell =
  /** `{id, name: {<locale>: text}}`; the name is the last part of a path. */
  | { readonly kind: 'member'; readonly separator: string | null; readonly type: StorageType }
  /** `[from, to]`, made of three columns: number of the bin from 0, lowest and highest value of all. */
  | { readonly kind: 'bin'; readonly bins: number }
  /** ISO 8601 text in UTC with milliseconds. */
  | { readonly kind: 'datetime' }
  /** A number; one that a double cannot hold is a text with all its digits; NaN and infinity are null. */
  | { readonly kind: 'number'; readonly type: StorageType }
  | { readonly kind: 'text' }
  | { readonly kind: 'boolean' };

/** One cell of each answered row and how it is written; a bin takes three columns of the statement, others one. */
export interface OutColumn {
  readonly name: string;
  readonly cell: Cell;
}

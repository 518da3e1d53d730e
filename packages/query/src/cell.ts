import type { StorageType } from './model.ts';

/** The wire format of a value. */
export type Cell =
  /** `{id, name: {<locale>: text}}`; the name is the last part of a path. */
  | { readonly kind: 'member'; readonly separator: string | null; readonly type: StorageType }
  /** `[from, to]`, computed from three columns: bin index, lowest and highest value of all. */
  | { readonly kind: 'bin'; readonly bins: number }
  /** ISO 8601 text in UTC with milliseconds. */
  | { readonly kind: 'datetime' }
  /** A number; as text with all digits if a double cannot represent it; NaN and infinity become null. */
  | { readonly kind: 'number'; readonly type: StorageType }
  | { readonly kind: 'text' }
  | { readonly kind: 'boolean' };

/** A cell of each row and its wire format. A bin takes three columns of the statement, others one. */
export interface OutColumn {
  readonly name: string;
  readonly cell: Cell;
}

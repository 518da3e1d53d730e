import type { StorageType } from './model.ts';

/** The wire format of a value. */
export type Cell =
  /** `{id, name: {<locale>: text}}`. If `separator` is set, the name is the last part of the path. */
  | { readonly kind: 'member'; readonly separator: string | null; readonly type: StorageType }
  /**
   * The edges `[from, to]` of a bin, computed from three columns: index of the bin, lowest and highest of all values.
   */
  | { readonly kind: 'bin'; readonly bins: number }
  /** ISO 8601 text in UTC with milliseconds. */
  | { readonly kind: 'datetime' }
  /** A number, or a text with all digits if a double cannot represent the number. NaN and infinity become null. */
  | { readonly kind: 'number'; readonly type: StorageType }
  | { readonly kind: 'text' }
  | { readonly kind: 'boolean' };

/**
 * A column of the answer and the wire format of its cells. A bin is read from three columns of the statement, any other
 * cell from one.
 */
export interface OutColumn {
  readonly name: string;
  readonly cell: Cell;
}

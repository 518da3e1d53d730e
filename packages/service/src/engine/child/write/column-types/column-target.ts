/** A column of new rows. */
export interface FreshColumn {
  readonly name: string;
  /** SQL for a cell of the column as text. */
  readonly text: string;
  /** Types of the cells, as bits of `cellKinds`. */
  readonly kinds: number;
  /** SQL for a cell in the type that the file declares; missing if the file has only texts. */
  readonly native?: { readonly sql: string; readonly type: string };
}

/** The storage type chosen for a column, and which cells fit it. */
export interface ColumnTarget {
  readonly type: string;
  /** Returns SQL that tests if a text is a value of the type. */
  readonly fits: (text: string) => string;
  readonly cast: (text: string) => string;
  /** Returns SQL that converts a cell of the previous version to this type; if missing, a plain cast. */
  readonly widen?: (column: string) => string;
  /** True if some numbers or times may not fit, such as numbers with too many digits. */
  readonly isPart?: boolean;
}

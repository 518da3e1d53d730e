/** A column of new rows. */
export interface FreshColumn {
  readonly name: string;
  /** SQL for the cells of the column as text. */
  readonly text: string;
  /** Types of the cells, as bits of `cellKinds`. */
  readonly kinds: number;
  /** SQL for the cells in the type of the file. */
  readonly native?: { readonly sql: string; readonly type: string };
}

/** The storage type chosen for a column, and which cells fit it. */
export interface ColumnTarget {
  readonly type: string;
  /** SQL that tests if a text is a value of the type. */
  readonly fits: (text: string) => string;
  readonly cast: (text: string) => string;
  /** SQL that converts cells of the previous version to a wider type. */
  readonly widen?: (column: string) => string;
  /** True if some numbers or times do not fit. */
  readonly isPart?: boolean;
}

/** A column of new rows. */
export interface FreshColumn {
  readonly name: string;
  /** SQL of its cells as text. */
  readonly text: string;
  /** The kinds of its cells, as bits of `cellKinds`. */
  readonly kinds: number;
  /** SQL of its cells in the type of its file. */
  readonly native?: { readonly sql: string; readonly type: string };
}

/** The storage type of a column, and the cells that fit it. */
export interface ColumnTarget {
  readonly type: string;
  /** SQL that tests whether a text is a value of the type. */
  readonly fits: (text: string) => string;
  readonly cast: (text: string) => string;
  /** SQL that widens the cells of the rows before. */
  readonly widen?: (column: string) => string;
  /** Whether some numbers or times do not fit. */
  readonly isPart?: boolean;
}

import type { Mark } from './mark.ts';
import type { Link } from './link.ts';

/** A table cell. It spans `columns` columns; by default it spans one. */
export interface TableCell {
  readonly text: string;
  /** Mark that is selected when a viewer clicks the cell. */
  readonly mark?: Mark;
  /** Link that a click follows, instead of selecting the mark. */
  readonly link?: Link;
  readonly columns?: number;
  /** First row and number of rows of a header cell that spans several rows. */
  readonly span?: { readonly first: number; readonly rows: number };
  readonly colors?: CellColors;
  /** Sparkline values, oldest first. */
  readonly line?: readonly (number | null)[];
  /** Length of the data bar of the cell, from -1 to 1. */
  readonly bar?: number;
}

export interface CellColors {
  readonly fill: string;
  readonly ink: string;
}

export interface TableRow {
  readonly kind: 'row' | 'subtotal' | 'total';
  readonly cells: readonly TableCell[];
}

export interface TableColumn {
  readonly label: string;
  readonly numeric: boolean;
  /** True if cells have text of any length, which may be truncated. */
  readonly isText: boolean;
  readonly hasLines?: boolean;
  /** True if the cells of the column are row headers. */
  readonly isHead: boolean;
}

export interface TableHead {
  readonly text: string;
  readonly columns: number;
  readonly numeric: boolean;
  /** Index of the column that this heading labels; null if it spans several columns or none. */
  readonly column: number | null;
}

export interface TableSort {
  readonly column: number;
  readonly isDescending: boolean;
}

/** A regular or pivot table, or a table of the data of a chart. Rows are built on demand. */
export interface Table {
  readonly columns: readonly TableColumn[];
  readonly head: readonly (readonly TableHead[])[];
  /** Number of rows without the row of totals. */
  readonly size: number;
  row(index: number): TableRow;
  /** The row of totals; null if there is none. */
  readonly foot: TableRow | null;
  /** Returns the table with its rows sorted; null restores the order of the answer. */
  sorted(by: TableSort | null): Table;
}

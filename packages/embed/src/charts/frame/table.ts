import type { Mark } from './mark.ts';
import type { Link } from './link.ts';

/** A table cell; it spans `columns` columns, by default 1. */
export interface TableCell {
  readonly text: string;
  /** Selected when a viewer clicks the cell. */
  readonly mark?: Mark;
  /** Link to follow instead of selecting. */
  readonly link?: Link;
  readonly columns?: number;
  /** First row and number of rows of a header cell that spans several. */
  readonly span?: { readonly first: number; readonly rows: number };
  readonly colors?: CellColors;
  /** Sparkline values, oldest first. */
  readonly line?: readonly (number | null)[];
  /** Length of its data bar, from -1 to 1. */
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
  /** Whether it has text of arbitrary length, which may be truncated. */
  readonly isText: boolean;
  readonly hasLines?: boolean;
  /** Whether its cells are row headers. */
  readonly isHead: boolean;
}

export interface TableHead {
  readonly text: string;
  readonly columns: number;
  readonly numeric: boolean;
  /** The column that it labels; null if it spans several or none. */
  readonly column: number | null;
}

export interface TableSort {
  readonly column: number;
  readonly isDescending: boolean;
}

/** A table: a regular or pivot table, or the data of a chart. Builds rows on demand. */
export interface Table {
  readonly columns: readonly TableColumn[];
  readonly head: readonly (readonly TableHead[])[];
  /** Excludes totals. */
  readonly size: number;
  row(index: number): TableRow;
  /** Totals. */
  readonly foot: TableRow | null;
  /** Returns the table with sorted rows; null restores the order of the answer. */
  sorted(by: TableSort | null): Table;
}

import type { Mark } from './mark.ts';
import type { Link } from './link.ts';

/** A cell of a table; it takes as many columns as it says, else one. */
export interface TableCell {
  readonly text: string;
  /** What a viewer filters by with it. */
  readonly mark?: Mark;
  /** Where it leads, in place of filtering. */
  readonly link?: Link;
  readonly columns?: number;
  /** Of a head that stands beside several rows: the first of them, and how many. */
  readonly span?: { readonly first: number; readonly rows: number };
  readonly colors?: CellColors;
  /** Its values over time, oldest first. */
  readonly line?: readonly (number | null)[];
  /** How long its bar is, from -1 to 1. */
  readonly bar?: number;
}

/** Colours of a cell: what is behind its text, and the text. */
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
  /** Whether it holds texts of any length, which may be cut. */
  readonly isText: boolean;
  /** Whether its cells have lines beside their texts. */
  readonly hasLines?: boolean;
  /** Whether its cells are heads of their rows. */
  readonly isHead: boolean;
}

/** A cell of the head. */
export interface TableHead {
  readonly text: string;
  readonly columns: number;
  readonly numeric: boolean;
  /** The column that it is the name of; null where it stands above several or none. */
  readonly column: number | null;
}

/** The column by whose cells rows are sorted. */
export interface TableSort {
  readonly column: number;
  readonly isDescending: boolean;
}

/** A table: what pivot and regular tables are, and what stands behind every drawn chart. Rows are made when they are asked for. */
export interface Table {
  readonly columns: readonly TableColumn[];
  readonly head: readonly (readonly TableHead[])[];
  /** How many rows there are without that of totals. */
  readonly size: number;
  row(index: number): TableRow;
  /** The totals; null where there are none. */
  readonly foot: TableRow | null;
  /** The same with its rows in another order; null gives that of the answer. */
  sorted(by: TableSort | null): Table;
}

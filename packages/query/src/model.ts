/** What values of a column are. */
export type ColumnType = 'numeric' | 'datetime' | 'hierarchy' | 'spatial';

/** How a value is kept where it comes from: decides casts and how a cell is written. */
export type StorageType =
  'text' | 'integer' | 'decimal' | 'double' | 'boolean' | 'date' | 'timestamp' | 'timestamptz' | 'json';

/** One column of a dataset as the compiler knows it. */
export interface ModelColumn {
  readonly id: string;
  readonly datasetId: string;
  /** Name in the relation it comes from; always quoted, never text of a request. */
  readonly source: string;
  readonly type: ColumnType;
  readonly subtype: string | null;
  readonly kept: StorageType;
  /** A text whose type at its source compares with a text as it is, so that an index of the source can serve the comparison. */
  readonly nativeText?: boolean;
  /** Formula of a derived column; it has no `source` of its own then. */
  readonly expression: string | null;
  /** Separator of the parts of a hierarchy path such as `Europe/Belgium/Ghent`; null: one level. */
  readonly separator: string | null;
  /** Columns of other datasets it is linked to, and how. */
  readonly joins: readonly {
    readonly datasetId: string;
    readonly columnId: string;
    readonly type: 'lookup' | 'exact';
    /** Of a lookup: an empty key does not hide the row where another path shows it. */
    readonly isOptional?: true;
  }[];
}

/** A formula kept with a dataset. */
export interface ModelFormula {
  readonly id: string;
  readonly datasetId: string;
  readonly expression: string;
}

/** One dataset: only what this caller may see; a hidden column is not in it. */
export interface ModelDataset {
  readonly id: string;
  readonly columns: ReadonlyMap<string, ModelColumn>;
  readonly formulas: ReadonlyMap<string, ModelFormula>;
  /** Columns that the source of the dataset was not asked about, or does not have; nothing may speak of them. */
  readonly unproven?: ReadonlyMap<string, ModelColumn>;
}

/** Everything a query may speak of, by id. */
export interface Model {
  readonly datasets: ReadonlyMap<string, ModelDataset>;
}

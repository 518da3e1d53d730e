/** The type of a column. */
export type ColumnType = 'numeric' | 'datetime' | 'hierarchy' | 'spatial';

/** The type in which a source stores values; decides casts and the format of cells. */
export type StorageType =
  | 'text'
  | 'integer'
  | 'decimal'
  | 'double'
  | 'boolean'
  | 'date'
  | 'timestamp'
  | 'timestamptz'
  | 'json';

/** A column of a dataset. */
export interface ModelColumn {
  readonly id: string;
  readonly datasetId: string;
  /** Name in its relation; always quoted, never text of a request. */
  readonly source: string;
  readonly type: ColumnType;
  readonly subtype: string | null;
  readonly storageType: StorageType;
  /** True if the source compares the column with text parameters without a cast, so that an index applies. */
  readonly nativeText?: boolean;
  /** Formula of a derived column, which has no `source`. */
  readonly expression: string | null;
  /** Separator of a hierarchy path such as `Europe/Belgium/Ghent`; null for one level. */
  readonly separator: string | null;
  /** Linked columns of other datasets. */
  readonly joins: readonly {
    readonly datasetId: string;
    readonly columnId: string;
    readonly type: 'lookup' | 'exact';
    /** For a lookup: an empty key does not hide a row that another path makes visible. */
    readonly isOptional?: true;
  }[];
}

/** A stored formula of a dataset. */
export interface ModelFormula {
  readonly id: string;
  readonly datasetId: string;
  readonly expression: string;
}

/** A dataset as its caller sees it, without hidden columns. */
export interface ModelDataset {
  readonly id: string;
  readonly columns: ReadonlyMap<string, ModelColumn>;
  readonly formulas: ReadonlyMap<string, ModelFormula>;
  /** Columns that are not verified at the source, or missing there. Queries cannot use them. */
  readonly unproven?: ReadonlyMap<string, ModelColumn>;
}

/** The datasets that a query may use, by id. */
export interface Model {
  readonly datasets: ReadonlyMap<string, ModelDataset>;
}

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
  /** Name of the column in its relation. It is always quoted, and it is never text of a request. */
  readonly source: string;
  readonly type: ColumnType;
  readonly subtype: string | null;
  readonly storageType: StorageType;
  /** True if the source compares the column with bound texts without a cast, so that an index applies. */
  readonly nativeText?: boolean;
  /** Formula of a derived column, whose `source` is not used; null for other columns. */
  readonly expression: string | null;
  /** Separator of the parts of a hierarchy path such as `Europe/Belgium/Ghent`; null if the hierarchy has one level. */
  readonly separator: string | null;
  /** Linked columns of other datasets. */
  readonly joins: readonly {
    readonly datasetId: string;
    readonly columnId: string;
    readonly type: 'lookup' | 'exact';
    /** True if an empty key does not hide the row. Another lookup must then make the row visible. */
    readonly isOptional?: true;
  }[];
}

/** A stored formula of a dataset. */
export interface ModelFormula {
  readonly id: string;
  readonly datasetId: string;
  readonly expression: string;
}

/** A dataset without the columns that are hidden from its caller. */
export interface ModelDataset {
  readonly id: string;
  readonly columns: ReadonlyMap<string, ModelColumn>;
  readonly formulas: ReadonlyMap<string, ModelFormula>;
  /** Columns that are missing at the source or not yet verified there. Queries cannot use them. */
  readonly unproven?: ReadonlyMap<string, ModelColumn>;
}

/** The datasets that a query may use, by id. */
export interface Model {
  readonly datasets: ReadonlyMap<string, ModelDataset>;
}

/** Text in several languages: language code to text. */
export type Words = Readonly<Record<string, string>>;

/** What the engine knows of a column: its metadata. There is no room for a value of a row here. */
export interface ChartColumn {
  readonly id: string;
  /** Position in the dataset, from 0. */
  readonly position: number;
  readonly name: Words;
  readonly sourceName: string | null;
  readonly description: Words;
  readonly type: 'numeric' | 'datetime' | 'hierarchy' | 'spatial';
  readonly subtype: string | null;
  readonly format: string | null;
  /** How it is summed up unless the question says otherwise. */
  readonly aggregation: string;
  /** Number of distinct values, where known. */
  readonly cardinality: number | null;
  /** How many steps a whole number takes from its smallest to its largest, where known. */
  readonly span: number | null;
}

/** What the engine knows of a dataset. */
export interface ChartDataset {
  readonly id: string;
  readonly name: Words;
  readonly description: Words;
  readonly columns: readonly ChartColumn[];
}

/** Text in several languages: language code to text. */
export type Words = Readonly<Record<string, string>>;

/** Metadata of a column as the engine sees it. Values of rows have no place here. */
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
  readonly aggregation: string;
  /** Number of distinct values; null if unknown. */
  readonly cardinality: number | null;
  /** Steps of a whole number from its smallest to its largest value; null if unknown. */
  readonly span: number | null;
}

/** Dataset metadata for the chart engine. */
export interface ChartDataset {
  readonly id: string;
  readonly name: Words;
  readonly description: Words;
  readonly columns: readonly ChartColumn[];
}

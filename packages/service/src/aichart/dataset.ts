/** A text in several languages, by language code. */
export type Words = Readonly<Record<string, string>>;

/** Metadata of a column for the chart engine. It must not contain values of rows. */
export interface ChartColumn {
  readonly id: string;
  /** Position in the dataset, from 0. */
  readonly position: number;
  readonly name: Words;
  readonly sourceName: string | null;
  readonly description: Words;
  /** Other names of the column, in all languages. */
  readonly synonyms: readonly string[];
  readonly type: 'numeric' | 'datetime' | 'hierarchy' | 'spatial';
  readonly subtype: string | null;
  readonly format: string | null;
  readonly aggregation: string;
  /** Number of distinct values; null if unknown. */
  readonly cardinality: number | null;
  /** Largest value minus smallest value, if the values are whole numbers; null if unknown. */
  readonly span: number | null;
  /** Present if the values are true and false. */
  readonly isBoolean?: true;
  /** True for a formula of the dataset. It is always a measure and has its own aggregation. */
  readonly isFormula?: true;
}

/** Dataset metadata for the chart engine. */
export interface ChartDataset {
  readonly id: string;
  readonly name: Words;
  readonly description: Words;
  readonly columns: readonly ChartColumn[];
}

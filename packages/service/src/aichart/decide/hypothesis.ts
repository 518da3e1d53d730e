import type { DataItemType } from '@inlay/contract';
import type { Grain } from '../read/clause-grain.ts';
import type { Aggregation } from '../read/cues.ts';

/** A group of a chart: the index of its column, and for a time, the grain. */
export interface Group {
  readonly column: number;
  readonly grain: Grain | null;
}

/** A quantity of a chart: a column by index, or the row count if `column` is null. */
export interface Quantity {
  readonly column: number | null;
  readonly aggregation: Aggregation | null;
}

/** The content of a chart before its type is chosen. */
export interface Hypothesis {
  readonly x: Group | null;
  readonly y: Quantity;
  readonly legend: Group | null;
  /** The quantity on the horizontal axis of a scatter plot; null in other charts. */
  readonly across: Quantity | null;
}

/** A hypothesis with its score, which is the sum of the weights of its reasons. */
export interface ScoredHypothesis extends Hypothesis {
  readonly score: number;
  readonly reasons: readonly Reason[];
}

export interface Reason {
  readonly rule: string;
  readonly weight: number;
}

/** The requested order, expressed in terms of the chart. */
export interface Order {
  readonly by: 'group' | 'quantity';
  readonly order: 'asc' | 'desc';
}

/** A chosen chart, expressed in columns of the dataset. The type determines to which slots the columns belong. */
export interface Plan {
  readonly type: DataItemType;
  readonly groups: readonly Group[];
  readonly legend: Group | null;
  readonly quantities: readonly Quantity[];
  readonly across: Quantity | null;
  readonly sort: Order | null;
  readonly limit: number | null;
  /** Assumptions about the question, as sentences for the user. */
  readonly assumed: readonly string[];
  readonly reasons: readonly Reason[];
}

import type { DataItemType } from '@inlay/contract';
import type { Grain } from '../read/clause-grain.ts';
import type { Aggregation } from '../read/cues.ts';

/** A group: a column by index, and the grain of a time. */
export interface Group {
  readonly column: number;
  readonly grain: Grain | null;
}

/** A quantity: a column, or the row count (`column` null). */
export interface Quantity {
  readonly column: number | null;
  readonly aggregation: Aggregation | null;
}

/** The content of a chart before its type is chosen. */
export interface Hypothesis {
  readonly x: Group | null;
  readonly y: Quantity;
  readonly legend: Group | null;
  /** Scatter plots only: the quantity on the horizontal axis. */
  readonly across: Quantity | null;
}

/** A scored hypothesis: its reasons add up to the score. */
export interface ScoredHypothesis extends Hypothesis {
  readonly score: number;
  readonly reasons: readonly Reason[];
}

export interface Reason {
  readonly rule: string;
  readonly weight: number;
}

/** Sort and limit in terms of the chart. */
export interface Order {
  readonly by: 'group' | 'quantity';
  readonly order: 'asc' | 'desc';
}

/** A chosen chart in terms of the dataset's columns; its type determines the slots. */
export interface Plan {
  readonly type: DataItemType;
  readonly groups: readonly Group[];
  readonly legend: Group | null;
  readonly quantities: readonly Quantity[];
  readonly across: Quantity | null;
  readonly sort: Order | null;
  readonly limit: number | null;
  /** Assumptions, as sentences for the reader. */
  readonly assumed: readonly string[];
  readonly reasons: readonly Reason[];
}

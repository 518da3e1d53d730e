import type { DataItemType } from '@inlay/contract';
import type { Grain } from '../read/clause-grain.ts';
import type { Aggregation } from '../read/cues.ts';

/** Something to group by: a column by its index, and the grain of a moment. */
export interface Group {
  readonly column: number;
  readonly grain: Grain | null;
}

/** Something to draw: a column, or the rows themselves (`column` null, counted). */
export interface Quantity {
  readonly column: number | null;
  readonly aggregation: Aggregation | null;
}

/** What a chart draws, before its type is chosen. */
export interface Hypothesis {
  readonly x: Group | null;
  readonly y: Quantity;
  readonly legend: Group | null;
  /** Of a scatter plot: the quantity along the horizontal axis where it is one. */
  readonly across: Quantity | null;
}

/** A hypothesis weighed: the reasons add up to the score. */
export interface ScoredHypothesis extends Hypothesis {
  readonly score: number;
  readonly reasons: readonly Reason[];
}

export interface Reason {
  readonly rule: string;
  readonly weight: number;
}

/** An order and a limit, in terms of the chart. */
export interface Order {
  readonly by: 'group' | 'quantity';
  readonly order: 'asc' | 'desc';
}

/** A chart decided upon, in terms of the dataset's columns; the slots follow from its type. */
export interface Plan {
  readonly type: DataItemType;
  readonly groups: readonly Group[];
  readonly legend: Group | null;
  readonly quantities: readonly Quantity[];
  readonly across: Quantity | null;
  readonly sort: Order | null;
  readonly limit: number | null;
  /** What was assumed, in words for people. */
  readonly assumed: readonly string[];
  readonly reasons: readonly Reason[];
}

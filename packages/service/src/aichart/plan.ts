import type { DataItemType } from '@inlay/contract';
import type { Grain } from './grain.ts';
import type { BoundOperator, TimeSpan, TimeUnit } from './read/conditions/clauses.ts';
import type { Aggregation } from './read/cues.ts';

/** A group of a chart: the index of its column, and for a time, the grain. */
export interface Group {
  readonly column: number;
  readonly grain: Grain | null;
}

/** A quantity of a chart: a column or formula of the dataset by index, or the row count if `column` is null. */
export interface Quantity {
  readonly column: number | null;
  readonly aggregation: Aggregation | null;
  /** How a formula computes the quantity; missing if it is the aggregated column. */
  readonly computed?: ComputedValue;
}

/** How a span is moved back before it is compared. */
export interface SpanShift {
  readonly unit: TimeUnit;
  readonly by: number;
}

/**
 * A value that a formula computes. `ratio` and `difference` combine two quantities; `isShare` is true if the ratio is
 * shown in percent. `rate` is the share of rows in which the column of the quantity has one of `values`, or none with `isExcluded`, or of
 * the sum of the column `of` over all rows. `percentile` is the value below which `percent` of
 * the values of the column lie. `during` is a quantity of the rows whose time lies in a span that the chart compares.
 */
export type ComputedValue =
  | { readonly kind: 'ratio'; readonly of: Quantity; readonly to: Quantity; readonly isShare: boolean }
  | { readonly kind: 'difference'; readonly of: Quantity; readonly to: Quantity }
  | { readonly kind: 'rate'; readonly values: readonly string[]; readonly of?: number; readonly isExcluded?: true }
  | { readonly kind: 'percentile'; readonly percent: number }
  | {
      readonly kind: 'during';
      readonly of: Quantity;
      readonly time: number;
      readonly span: TimeSpan;
      readonly shift: SpanShift | null;
    };

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

/**
 * What was chosen because the question does not say it. `groupOfDataset` and `numberOfDataset`: the question asks for a
 * group or number that the dataset does not have. `boundOfGroup`: a bound on groups that the chart does not have was left
 * out. `wholeFormula`: the measure is a formula of the dataset, which neither a comparison nor a condition of the measure
 * can change. `unapplied`: words of conditions that the item cannot have, as of a time in a dataset without times.
 */
export type Assumption =
  | { readonly kind: 'secondNumber' }
  | { readonly kind: 'unapplied'; readonly quotes: readonly string[] }
  | {
      readonly kind: 'group' | 'groupOfDataset' | 'numberOfDataset' | 'column' | 'boundOfGroup' | 'wholeFormula';
      readonly column: number;
    };

/** Rows in which a column has one of some values, or none of them. */
export interface ValueCondition {
  readonly kind: 'values';
  readonly column: number;
  readonly values: readonly string[];
  readonly isExcluded: boolean;
}

/** Rows in which a column is empty, or is not with `isExcluded`. */
export interface EmptyCondition {
  readonly kind: 'empty';
  readonly column: number;
  readonly isExcluded: boolean;
}

/** Returns the values that a condition names; none if it is about empty cells. */
export const valuesOf = (condition: ValueCondition | EmptyCondition): readonly string[] =>
  condition.kind === 'values' ? condition.values : [];

/** Rows whose time lies in one of several spans, or in none of them. */
export interface SpanCondition {
  readonly kind: 'span';
  readonly column: number;
  readonly spans: readonly TimeSpan[];
  readonly isExcluded: boolean;
}

interface NumberBound {
  readonly operator: BoundOperator;
  readonly values: readonly [number] | readonly [number, number];
}

/** Rows in which a number is within bounds. */
export interface RowBound extends NumberBound {
  readonly kind: 'bound';
  readonly column: number;
}

/**
 * Groups whose quantity is within bounds. A null column means the rows. `group` is the column of the groups; null if the
 * question does not name it.
 */
export interface GroupBound extends NumberBound {
  readonly kind: 'groupBound';
  readonly column: number | null;
  readonly quantity: Quantity;
  readonly group: number | null;
}

export type BoundCondition = RowBound | GroupBound;

/** A condition on the rows that a chart is about. */
export type RowCondition = ValueCondition | EmptyCondition | SpanCondition | RowBound;

/** Rows of which one of several conditions holds, as in "in 2023 or in Norway". */
export interface EitherCondition {
  readonly kind: 'either';
  readonly of: readonly RowCondition[];
}

/** A condition of a question on the rows or groups of its chart. */
export type Condition = RowCondition | GroupBound | EitherCondition;

/** Returns the columns that a condition is about; null among them means the number of rows. */
export const columnsOfCondition = (condition: Condition): readonly (number | null)[] =>
  condition.kind === 'either' ? condition.of.map(({ column }) => column) : [condition.column];

/** A chosen chart, expressed in columns of the dataset. The type determines to which slots the columns belong. */
export interface Plan {
  readonly type: DataItemType;
  readonly groups: readonly Group[];
  readonly legend: Group | null;
  readonly quantities: readonly Quantity[];
  readonly across: Quantity | null;
  readonly sort: Order | null;
  readonly limit: number | null;
  readonly conditions: readonly Condition[];
  readonly assumed: readonly Assumption[];
  readonly reasons: readonly Reason[];
}

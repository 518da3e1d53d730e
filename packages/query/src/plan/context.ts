import type { Expression } from '../expression.ts';
import type { Model } from '../model.ts';
import type { RowFilter } from '../query.ts';
import type { Clock } from './time/time.ts';

/** What every part of a plan stands on: the datasets, the clock, and the row filters that always apply. */
export interface PlanContext {
  readonly model: Model;
  readonly clock: Clock;
  /** By dataset id. */
  readonly rowFilters: ReadonlyMap<string, readonly RowFilter[]>;
  readonly formulas: Formulas;
  /** What row filters speak of: all columns, hidden ones too, of all datasets that they reach; and what they read times by. */
  readonly ofRowFilters: { readonly model: Model; readonly clock: Clock; readonly formulas: Formulas };
}

/** Formulas that were compiled for a plan, and how many parts those of it may still have. */
export interface Formulas {
  readonly compiled: Map<string, Formula>;
  parts: number;
}

/** A formula as compiled, and of how many parts it is. */
export interface Formula {
  readonly expression: Expression;
  readonly parts: number;
}

/** Parts of all formulas of a query together, each as often as it is used. */
const partsMost = 8000;

export const noFormulas = (): Formulas => ({ compiled: new Map(), parts: partsMost });

import type { Expression } from '../expression.ts';
import type { Model } from '../model.ts';
import type { RowFilter } from '../query.ts';
import type { Clock } from '@inlay/contract';

/** The datasets, clock and row filters of a plan. */
export interface PlanContext {
  readonly model: Model;
  readonly clock: Clock;
  /** Row filters of the caller by dataset id. */
  readonly rowFilters: ReadonlyMap<string, readonly RowFilter[]>;
  readonly formulas: Formulas;
  /**
   * What row filters are compiled with. The model has all columns, including hidden ones, of all datasets that row
   * filters use.
   */
  readonly ofRowFilters: { readonly model: Model; readonly clock: Clock; readonly formulas: Formulas };
}

/** Compiled formulas of a plan, and the number of parts that further formulas may have. */
export interface Formulas {
  readonly compiled: Map<string, Formula>;
  parts: number;
}

/** A compiled formula and its number of parts. */
export interface Formula {
  readonly expression: Expression;
  readonly parts: number;
}

/** Maximum number of parts of all formulas in a query. Each use of a formula counts. */
const maxParts = 8000;

export const noFormulas = (): Formulas => ({ compiled: new Map(), parts: maxParts });

import type { Expression } from '../expression.ts';
import type { Model } from '../model.ts';
import type { RowFilter } from '../query.ts';
import type { Clock } from './time/time.ts';

/** The datasets, clock and row filters of a plan. */
export interface PlanContext {
  readonly model: Model;
  readonly clock: Clock;
  /** By dataset id. */
  readonly rowFilters: ReadonlyMap<string, readonly RowFilter[]>;
  readonly formulas: Formulas;
  /** The model and clock of row filters: all columns, hidden ones included, of all datasets that they reach. */
  readonly ofRowFilters: { readonly model: Model; readonly clock: Clock; readonly formulas: Formulas };
}

/** Compiled formulas of a plan, and their remaining budget of parts. */
export interface Formulas {
  readonly compiled: Map<string, Formula>;
  parts: number;
}

/** A compiled formula and its number of parts. */
export interface Formula {
  readonly expression: Expression;
  readonly parts: number;
}

/** Maximum parts of all formulas of a query, counted per use. */
const maxParts = 8000;

export const noFormulas = (): Formulas => ({ compiled: new Map(), parts: maxParts });

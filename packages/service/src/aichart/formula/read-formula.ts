import type { ChartColumn, ChartDataset } from '../dataset.ts';
import { readMeasure, type Ask } from '../engine.ts';
import type { FoundValues } from '../values/found-values.ts';
import { formulaOf } from '../write/formulas.ts';
import { rowCondition } from '../write/row-condition.ts';

/**
 * Returns the fault of a formula as a sentence; null if it is valid. `typeOf` returns the type of a column by its id;
 * undefined if there is no such column.
 */
export type FormulaCheck = (
  formula: string,
  typeOf: (id: string) => ChartColumn['type'] | 'boolean' | undefined,
) => string | null;

/** What a text was read as: a valid formula, or what was not understood. */
export type ReadFormula = { readonly formula: string } | { readonly faults: readonly string[] };

/** Returns the fault of a formula over the columns of a dataset; null if it is valid. */
export function faultIn(check: FormulaCheck, { columns }: ChartDataset, formula: string): string | null {
  const types = new Map(columns.map(({ id, type, isBoolean }) => [id, isBoolean === true ? 'boolean' : type] as const));
  return check(formula, (id) => types.get(id.toLowerCase()));
}

/** Maximum number of words that a fault quotes. */
const maxQuotes = 6;

/** Reads a text as the measure of a question, and writes its formula. The formula is valid for the dataset. */
export function readFormula(
  check: FormulaCheck,
  dataset: ChartDataset,
  query: Pick<Ask, 'question' | 'today'>,
  found: FoundValues,
): ReadFormula {
  const { profile, quantity, conditions, leftOut } = readMeasure(dataset, query, found);
  if (leftOut.length > 0) {
    const quotes = leftOut.slice(0, maxQuotes).map((text) => `"${text}"`);
    return { faults: [`${quotes.join(', ')} could not be made part of a formula`] };
  }
  if (quantity === null) return { faults: ['the text names nothing that can be computed from the columns'] };
  const where = rowCondition(profile, conditions);
  const formula = where === undefined ? null : (formulaOf(profile, quantity, where)?.formula ?? null);
  if (formula === null) return { faults: ['formulas cannot compute this'] };
  const fault = faultIn(check, dataset, formula);
  return fault === null ? { formula } : { faults: [`formulas cannot compute this: ${fault}`] };
}

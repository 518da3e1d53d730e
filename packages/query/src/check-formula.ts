import type { Expression } from './expression.ts';
import { compileFormula } from './formula/compile.ts';
import { faultInWords } from './formula/fault.ts';
import { parseFormula, type Formula } from './formula/parse.ts';
import type { ColumnType, StorageType } from './model.ts';

/** The type of a column as formulas tell them apart. Columns of true and false are of the type `hierarchy` elsewhere. */
export type FormulaColumnType = ColumnType | 'boolean';

/** Default storage type of each column type. */
const storedAs: Readonly<Record<FormulaColumnType, StorageType>> = {
  numeric: 'double',
  datetime: 'timestamp',
  hierarchy: 'text',
  spatial: 'text',
  boolean: 'boolean',
};

/** Returns the ids of the columns in a formula; an empty list if the formula has a syntax error. */
export function columnsOfFormula(text: string): readonly string[] {
  const parseResult = parseFormula(text);
  const ids = new Set<string>();
  const visit = (node: Formula): void => {
    if (node.kind === 'column') ids.add(node.id);
    if (node.kind !== 'call') return;
    node.args.forEach(visit);
    if (node.where !== null) visit(node.where);
  };
  if ('formula' in parseResult) visit(parseResult.formula);
  return [...ids];
}

/**
 * Returns the fault of a formula over columns of known types, as a sentence; null if the formula is valid.
 * @param typeOf returns the type of the column with an id; undefined if the column is unknown
 */
export function formulaFault(text: string, typeOf: (id: string) => FormulaColumnType | undefined): string | null {
  const scope = (id: string): Expression | null => {
    const type = typeOf(id);
    return type === undefined ? null : { kind: 'column', relation: 'rows', name: id, type: storedAs[type] };
  };
  const compileResult = compileFormula(text, scope, { nowMs: 0, timeZone: 'UTC', weekstart: 1 });
  return 'fault' in compileResult ? faultInWords(compileResult.fault) : null;
}

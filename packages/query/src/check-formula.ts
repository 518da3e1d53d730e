import { literal, type Expression } from './expression.ts';
import { compileFormula, functionNamed } from './formula/compile.ts';
import { faultInWords, type FormulaFault } from './formula/fault.ts';
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

/** A text in a formula that is no unit and no date of a function of times. */
export interface FormulaText {
  readonly text: string;
  /** Where it stands in the formula, with its quotes. */
  readonly start: number;
  readonly end: number;
  /** Name of the operator or function that takes it; an empty string if it is a formula of its own. */
  readonly of: string;
  /** Id of a column that the operator or function takes as well; null if there is none. */
  readonly column: string | null;
}

/** True for units, as in `datetrunc('month', …)`, and for the texts of dates, as in `date('2024-03-01')`. */
const isOfTimes = (name: string, index: number): boolean =>
  name === 'date' || name === 'datetime' || functionNamed(name)?.takes[index] === 'unit';

/** Returns the texts in a formula as they stand in it; an empty list if the formula has a syntax error. */
export function textsOfFormula(formula: string): readonly FormulaText[] {
  const texts: FormulaText[] = [];
  const visit = (node: Formula, of: string, column: string | null): void => {
    if (node.kind === 'text') {
      const quote = formula.charAt(node.at);
      const written = node.value.replaceAll(quote, quote + quote);
      texts.push({ text: node.value, start: node.at, end: node.at + written.length + 2, of, column });
    }
    if (node.kind !== 'call') return;
    const { name, args, where } = node;
    const beside = args.find((arg) => arg.kind === 'column')?.id ?? null;
    args.forEach((arg, index) => {
      if (!isOfTimes(name, index)) visit(arg, name, beside);
    });
    if (where !== null) visit(where, '', null);
  };
  const parseResult = parseFormula(formula);
  if ('formula' in parseResult) visit(parseResult.formula, '', null);
  return texts.toSorted((left, right) => left.start - right.start);
}

function faultWith(
  text: string,
  typeOf: (id: string) => FormulaColumnType | 'unknown' | undefined,
): FormulaFault | null {
  const scope = (id: string): Expression | null => {
    const type = typeOf(id);
    // Null stands anywhere.
    if (type === 'unknown') return literal(null, 'boolean');
    return type === undefined ? null : { kind: 'column', relation: 'rows', name: id, type: storedAs[type] };
  };
  const compileResult = compileFormula(text, scope, { nowMs: 0, timeZone: 'UTC', weekstart: 1 });
  return 'fault' in compileResult ? compileResult.fault : null;
}

/**
 * Returns the first fault of a formula with its position; null if there is none. A column of the type `unknown` holds
 * texts, or true and false; what may be right for either is no fault.
 * @param typeOf returns the type of the column with an id; undefined if there is no such column
 */
export function checkFormula(
  text: string,
  typeOf: (id: string) => FormulaColumnType | 'unknown' | undefined,
): FormulaFault | null {
  const fault = faultWith(text, typeOf);
  const isRight = (supposed: FormulaColumnType): boolean =>
    faultWith(text, (id) => {
      const type = typeOf(id);
      return type === 'unknown' ? supposed : type;
    }) === null;
  return fault === null || isRight('hierarchy') || isRight('boolean') ? null : fault;
}

/**
 * Returns the fault of a formula over columns of known types, as a sentence; null if the formula is valid.
 * @param typeOf returns the type of the column with an id; undefined if the column is unknown
 */
export function formulaFault(text: string, typeOf: (id: string) => FormulaColumnType | undefined): string | null {
  const fault = faultWith(text, typeOf);
  return fault === null ? null : faultInWords(fault);
}

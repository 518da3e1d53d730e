import {
  expressionFault,
  filterTerms,
  flatFilterMembers,
  isList,
  isObject,
  member,
  oneOf,
  operatorOf,
  operatorRule,
  parameterName,
  type FilterOperator,
  type FilterTerms,
  type Json,
  type JsonObject,
  type OperandKind,
} from '@inlay/contract';
import type { ColumnRef, Condition, Operand, Scalar, TestCondition } from '../query.ts';
import { levelWords, readColumn, readMeasure } from './reference.ts';
import { objectWith, spend, type ParseContext } from './context.ts';

const maxDepth = 16;
/** Maximum number of values in one list, and in all filters of a query together. */
export const maxValues = 10_000;
const maxQuantity = 100_000;

/** Returns what an operator takes. */
const operandOf = (operator: FilterOperator): OperandKind => operatorRule(operator).takes;
const isListOf = (operator: FilterOperator): boolean => ['list', 'range'].includes(operandOf(operator));

/** Returns the operator of an expression: `not in` for `? not in ?`. Returns null for unknown expressions. */
const operatorIn = (expression: Json | undefined): FilterOperator | null =>
  typeof expression === 'string' ? operatorOf(expression) : null;

/** Returns the value of a parameter, or its default; any other value is returned unchanged. */
function resolvedValue(json: Json, at: string, { fault, parameters }: ParseContext): Json | undefined {
  if (!isObject(json)) return json;
  const parameter = member(json, 'parameter');
  if (typeof parameter === 'string') {
    const value = parameters.get(parameterName(parameter)) ?? member(json, 'value');
    if (value === undefined) fault(at, `parameter "${parameter}" has no value and no default`);
    return value;
  }
  return json;
}

/** Returns the cost of a value. A time costs ten times as much as another value, because it becomes a calendar span. */
const costOf = (value: Json): number => (typeof value === 'string' && /^\d{4}-\d\d/u.test(value) ? 10 : 1);
/** Returns the total cost of the values in a list. */
export const costOfValues = (values: readonly Json[]): number =>
  values.reduce<number>((sum, value) => sum + costOf(value), 0);

function scalarOf(json: Json | undefined, at: string, { fault }: ParseContext, index?: number): Scalar | undefined {
  const value = isObject(json) ? member(json, 'id') : json;
  const scalar = value === null || ['string', 'boolean', 'number'].includes(typeof value);
  if (scalar && !isObject(value) && !isList(value) && value !== undefined) {
    if (typeof value !== 'string' || !value.includes('\0')) return value;
  }
  const listNote = index === undefined && isList(value) ? '; several values take "? in ?"' : '';
  fault(index === undefined ? at : `${at}[${index}]`, `must be a text, a number, true, false or null${listNote}`);
  return undefined;
}

function periodOf(
  json: Json | undefined,
  expression: FilterOperator,
  at: string,
  context: ParseContext,
): Operand | null {
  const operand = json === undefined && expression === 'to_date' ? {} : json;
  const object = objectWith(operand, at, ['unit', 'quantity'], context);
  if (object === null) return null;
  const unit = member(object, 'unit') ?? (expression === 'to_date' ? 'year' : undefined);
  const level = levelWords.find((levelWord, index) => levelWord === unit || index + 1 === unit);
  if (level === undefined) context.fault(`${at}.unit`, oneOf([...levelWords, '1 to 9'], unit));
  const quantity = member(object, 'quantity') ?? 1;
  const isValid =
    typeof quantity === 'number' && Number.isInteger(quantity) && quantity >= 0 && quantity <= maxQuantity;
  if (!isValid) context.fault(`${at}.quantity`, `must be a whole number from 0 to ${maxQuantity}`);
  return isValid && level !== undefined ? { kind: 'period', unit: level, quantity } : null;
}

/** Reads the operand of a test: a value, a list, a period or nothing. */
function readOperand(
  expression: FilterOperator,
  json: Json | undefined,
  at: string,
  context: ParseContext,
): Operand | null {
  if (operandOf(expression) === 'nothing') return { kind: 'none' };
  if (json === undefined && expression !== 'to_date') {
    context.fault(at, 'is required: the value');
    return null;
  }
  const value = json === undefined ? undefined : resolvedValue(json, at, context);
  if (operandOf(expression) === 'period') return periodOf(value, expression, at, context);
  if (value === undefined) return null;
  if (!isListOf(expression)) {
    const scalar = scalarOf(value, at, context);
    return scalar === undefined ? null : { kind: 'value', value: scalar };
  }
  const list = isList(value) ? value : [value];
  if (list.length > maxValues) {
    context.fault(at, `must have at most ${maxValues} values`);
    return null;
  }
  if (expression === 'between' && list.length !== 2) context.fault(at, 'must be a list of two values');
  if (!spend(context, 'values', costOfValues(list))) return null;
  const values: Scalar[] = [];
  for (const [index, entry] of list.entries()) {
    const scalar = scalarOf(entry, at, context, index);
    if (scalar !== undefined) values.push(scalar);
  }
  return values.length === list.length ? { kind: 'list', values } : null;
}

const testMembers = ['properties', 'id', 'origin', 'type', 'and', 'or'];

/** Returns the column of a flat filter, in the form of `parameters[0]`. */
const flatColumn = ({ datasetId = null, columnId = null, level = null }: FilterTerms): JsonObject => ({
  dataset_id: datasetId,
  column_id: columnId,
  level,
});

function readTest(json: Json, at: string, clause: 'where' | 'having', context: ParseContext): Condition | null {
  const parameters = isObject(json) ? member(json, 'parameters') : undefined;
  const isFlat =
    isObject(json) && parameters === undefined && flatFilterMembers.some((name) => Object.hasOwn(json, name));
  const object = objectWith(
    json,
    at,
    ['expression', ...(isFlat ? flatFilterMembers : ['parameters']), ...testMembers],
    context,
  );
  if (object === null) return null;
  const expression = operatorIn(member(object, 'expression'));
  if (expression === null) context.fault(`${at}.expression`, expressionFault(member(object, 'expression')));
  if ((member(object, 'clause') ?? clause) !== clause) context.fault(`${at}.clause`, `must be "${clause}" here`);
  if (!isFlat && (!isList(parameters) || parameters.length < 1 || parameters.length > 2)) {
    const listNote = expression !== null && isListOf(expression) ? ', which is a list of values' : '';
    context.fault(`${at}.parameters`, `must be a list: the column, then the value${listNote}`);
    return null;
  }
  const terms = filterTerms(object);
  const column = isFlat ? flatColumn(terms) : isList(parameters) ? parameters[0] : undefined;
  const place = isFlat ? at : `${at}.parameters[0]`;
  const measure = clause === 'having' ? readMeasure(column, place, context) : null;
  const testedColumn = clause === 'having' ? columnOfMeasure(measure) : readColumn(column, place, context);
  if (expression === null) return null;
  const operand = readOperand(expression, terms.value, `${at}${terms.at.value}`, context);
  return testedColumn === null || operand === null
    ? null
    : { kind: 'test', expression, on: testedColumn, measure, operand };
}

const columnOfMeasure = (measure: ReturnType<typeof readMeasure>): ColumnRef | null => {
  if (measure === null) return null;
  return measure.kind === 'column' ? measure.on : { datasetId: measure.datasetId ?? '', columnId: '*', level: null };
};

/** Reads a filter or a group of filters. A group counts as a filter too, which limits the number of groups. */
export function readCondition(
  json: Json,
  at: string,
  clause: 'where' | 'having',
  context: ParseContext,
  depth = 0,
): Condition | null {
  const group = isObject(json) ? (['and', 'or'] as const).find((name) => member(json, name) !== undefined) : undefined;
  if (group === undefined || !isObject(json)) {
    return spend(context, 'filters', 1) ? readTest(json, at, clause, context) : null;
  }
  if (!spend(context, 'filters', 1)) return null;
  objectWith(json, at, ['and', 'or'], context);
  if (group === 'and' && member(json, 'or') !== undefined)
    context.fault(`${at}.or`, 'cannot stand beside "and"; put one of them into the other');
  const members = member(json, group);
  if (!isList(members) || depth >= maxDepth) {
    context.fault(`${at}.${group}`, isList(members) ? `is nested deeper than ${maxDepth}` : 'must be a list');
    return null;
  }
  const of = members.flatMap((member, index) => {
    const condition = readCondition(member, `${at}.${group}[${index}]`, clause, context, depth + 1);
    return condition === null ? [] : [condition];
  });
  return { kind: group === 'and' ? 'all' : 'any', of };
}

/**
 * Reads a row filter of a token, user, group or share from its stored expression and value. If the row filter is
 * unreadable, reports faults and returns null; the caller must then refuse the query.
 */
export function readRowFilter(
  filter: { readonly on: ColumnRef; readonly expression: Json | undefined; readonly value: Json | undefined },
  at: string,
  context: ParseContext,
  valueAt = `${at}.value`,
): TestCondition | null {
  const expression = operatorIn(filter.expression);
  if (expression === null) {
    context.fault(`${at}.expression`, expressionFault(filter.expression));
    return null;
  }
  const operand = readOperand(expression, filter.value, valueAt, context);
  return operand === null ? null : { kind: 'test', expression, on: filter.on, measure: null, operand };
}

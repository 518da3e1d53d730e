import { cast, type Expression, type Level, type Scope } from '../../expression.ts';
import { compileFormula } from '../../formula/compile.ts';
import { faultInWords } from '../../formula/fault.ts';
import type { StorageType, Model, ModelColumn, ModelDataset } from '../../model.ts';
import { QueryProblem } from '../../problem.ts';
import type { ColumnRef } from '../../query.ts';
import type { PlanContext } from '../context.ts';
import { aggregatesOf, allParts } from './walk.ts';

/** The kind of an expression's values. It decides how values are compared and formatted. */
export type Sort = 'number' | 'time' | 'date' | 'text' | 'boolean';

/**
 * The values of a column. Until they are placed in a join tree, the dataset id is the relation of the columns in
 * `value`.
 */
export interface ColumnValue {
  readonly column: ModelColumn;
  readonly value: Expression;
  readonly sort: Sort;
}

/** Returns the type of a decoded column. Decoded times are in UTC and have no zone. */
export const valueType = (storageType: StorageType): StorageType =>
  storageType === 'timestamptz' ? 'timestamp' : storageType === 'json' ? 'text' : storageType;

/** Returns the stored values of a column, with the dataset id as relation. */
export const storedValue = ({ datasetId, source, storageType }: ModelColumn): Expression => ({
  kind: 'column',
  relation: datasetId,
  name: source,
  type: valueType(storageType),
});

/** Returns the sort of a type. */
export const sortOf = (type: StorageType): Sort =>
  type === 'integer' || type === 'decimal' || type === 'double'
    ? 'number'
    : type === 'timestamp' || type === 'timestamptz'
      ? 'time'
      : type === 'date' || type === 'boolean'
        ? type
        : 'text';

/** Returns a dataset by id. Raises QueryProblem `dataset_unknown`. */
export function datasetIn(model: Model, id: string, at: string): ModelDataset {
  const dataset = model.datasets.get(id);
  if (dataset === undefined) throw new QueryProblem('dataset_unknown', `${at}.dataset_id`, `no dataset "${id}"`);
  return dataset;
}

/**
 * Returns the error for a column that is unknown, hidden or missing. All three have the same message, so that callers
 * cannot detect hidden columns.
 */
const unknownColumn = (id: string, at: string): QueryProblem =>
  new QueryProblem(
    'column_unknown',
    `${at}.column_id`,
    `no column "${id}" in this dataset, or its source has no column of that name`,
  );

/** Returns a column by id, if its caller may see it. Raises QueryProblem `dataset_unknown`, `column_unknown`. */
export function columnIn(model: Model, ref: Pick<ColumnRef, 'datasetId' | 'columnId'>, at: string): ModelColumn {
  const column = datasetIn(model, ref.datasetId, at).columns.get(ref.columnId);
  if (column === undefined) throw unknownColumn(ref.columnId, at);
  return column;
}

/** Returns the values of a column, cast to the type of the column: to numbers or times. */
export function valueOf(
  context: PlanContext,
  column: ModelColumn,
  at: string,
  within: readonly string[] = [],
): ColumnValue {
  const columnExpression = ownValue(context, column, at, within);
  const value = typed(columnExpression, column);
  return { column, value, sort: sortOf(value.type) };
}

function ownValue(context: PlanContext, column: ModelColumn, at: string, within: readonly string[]): Expression {
  if (column.expression === null) return storedValue(column);
  if (within.includes(column.id) || within.length > 16)
    throw new QueryProblem('formula_invalid', at, 'the formula of a derived column refers to itself');
  const value = compileIn(context, column.datasetId, column.expression, at, [...within, column.id]);
  if (aggregatesOf(value).length > 0)
    throw new QueryProblem('formula_invalid', at, 'the formula of a derived column speaks of one row, not of groups');
  return value;
}

function typed(value: Expression, column: ModelColumn): Expression {
  const sort = sortOf(value.type);
  if (column.type === 'numeric' && sort !== 'number') return cast(value, sort === 'boolean' ? 'integer' : 'double');
  if (column.type === 'datetime' && sort !== 'time' && sort !== 'date') return cast(value, 'timestamp');
  return value;
}

/** Returns a datetime level. Raises QueryProblem `level_invalid`. */
export function datetimeLevel(level: number | null, at: string): Level | null {
  switch (level) {
    case null:
    case 1:
    case 2:
    case 3:
    case 4:
    case 5:
    case 6:
    case 7:
    case 8:
    case 9:
      return level;
    default:
      throw new QueryProblem('level_invalid', `${at}.level`, 'levels of times are 1 (year) to 9 (millisecond)');
  }
}

/** Shortens the path of a hierarchy to its first `level` parts. Returns other values unchanged. */
export function atLevel({ column, value }: ColumnValue, level: number | null): Expression {
  if (column.type !== 'hierarchy' || column.separator === null || level === null) return value;
  return { kind: 'path', of: cast(value, 'text'), separator: column.separator, level, type: 'text' };
}

/**
 * Compiles a formula over the columns of a dataset (null for any). `isLinked` also allows the other datasets of the
 * query. Raises QueryProblem `formula_invalid`.
 */
export function compileIn(
  context: PlanContext,
  datasetId: string | null,
  text: string,
  at: string,
  within: readonly string[] = [],
  isLinked = false,
): Expression {
  const { formulas } = context;
  const key = JSON.stringify([datasetId, text, isLinked]);
  const compiledFormula = formulas.compiled.get(key);
  const expression = compiledFormula?.expression ?? compiledIn(context, datasetId, text, at, within, isLinked);
  const parts = compiledFormula?.parts ?? [...allParts(expression)].length;
  formulas.compiled.set(key, { expression, parts });
  formulas.parts -= parts;
  if (formulas.parts < 0)
    throw new QueryProblem('formula_invalid', at, 'the formulas of one query are too large together');
  return expression;
}

function compiledIn(
  context: PlanContext,
  datasetId: string | null,
  text: string,
  at: string,
  within: readonly string[],
  isLinked: boolean,
): Expression {
  const { model, clock } = context;
  const ownDataset = datasetId === null ? [] : [datasetIn(model, datasetId, at)];
  const datasets = datasetId === null || isLinked ? [...ownDataset, ...model.datasets.values()] : ownDataset;
  const scope: Scope = (reference) => {
    for (const dataset of datasets) {
      const column = dataset.columns.get(reference);
      if (column !== undefined) return valueOf(context, column, at, within).value;
    }
    return null;
  };
  const { nowMs, zone, weekstart } = clock;
  const compileResult = compileFormula(text, scope, { nowMs, timeZone: zone.name, weekstart });
  if ('fault' in compileResult) throw new QueryProblem('formula_invalid', at, faultInWords(compileResult.fault));
  return compileResult.expression;
}

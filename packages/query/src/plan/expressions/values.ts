import { cast, type Expression, type Level, type Scope } from '../../expression.ts';
import { compileFormula } from '../../formula/compile.ts';
import { faultInWords } from '../../formula/fault.ts';
import type { StorageType, Model, ModelColumn, ModelDataset } from '../../model.ts';
import { QueryProblem } from '../../problem.ts';
import type { ColumnRef } from '../../query.ts';
import type { PlanContext } from '../context.ts';
import { aggregatesOf, allParts } from './walk.ts';

/** What kind of values an expression has: decides what it may be compared with and how it is written. */
export type Sort = 'number' | 'time' | 'date' | 'text' | 'boolean';

/** A column's values; columns in it name their dataset as relation, until they are put in place. */
export interface ColumnValue {
  readonly column: ModelColumn;
  readonly value: Expression;
  readonly sort: Sort;
}

/** The type of a column's values once read: times are UTC without zone. */
export const valueType = (kept: StorageType): StorageType =>
  kept === 'timestamptz' ? 'timestamp' : kept === 'json' ? 'text' : kept;

/** The values of a column as they are kept, the column under the id of its dataset. */
export const keptValue = ({ datasetId, source, kept }: ModelColumn): Expression => ({
  kind: 'column',
  relation: datasetId,
  name: source,
  type: valueType(kept),
});

/** What kind of values a type has. */
export const sortOf = (type: StorageType): Sort =>
  type === 'integer' || type === 'decimal' || type === 'double'
    ? 'number'
    : type === 'timestamp' || type === 'timestamptz'
      ? 'time'
      : type === 'date' || type === 'boolean'
        ? type
        : 'text';

/** The dataset of an id; raises QueryProblem `dataset_unknown`. */
export function datasetIn(model: Model, id: string, at: string): ModelDataset {
  const dataset = model.datasets.get(id);
  if (dataset === undefined) throw new QueryProblem('dataset_unknown', `${at}.dataset_id`, `no dataset "${id}"`);
  return dataset;
}

/** One message for a column that is not there, is hidden from the caller or names nothing at its source: who may add columns could probe for hidden ones. */
const unknownColumn = (id: string, at: string): QueryProblem =>
  new QueryProblem(
    'column_unknown',
    `${at}.column_id`,
    `no column "${id}" in this dataset, or its source has no column of that name`,
  );

/** A column of a dataset as the caller sees it; raises QueryProblem `dataset_unknown`, `column_unknown`. */
export function columnIn(model: Model, ref: Pick<ColumnRef, 'datasetId' | 'columnId'>, at: string): ModelColumn {
  const column = datasetIn(model, ref.datasetId, at).columns.get(ref.columnId);
  if (column === undefined) throw unknownColumn(ref.columnId, at);
  return column;
}

/** The values of a column as its type wants them: numbers as numbers, times as times. */
export function valueOf(
  context: PlanContext,
  column: ModelColumn,
  at: string,
  within: readonly string[] = [],
): ColumnValue {
  const own = ownValue(context, column, at, within);
  const value = typed(own, column);
  return { column, value, sort: sortOf(value.type) };
}

function ownValue(context: PlanContext, column: ModelColumn, at: string, within: readonly string[]): Expression {
  if (column.expression === null) return keptValue(column);
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

/** A level of a datetime column; raises QueryProblem `level_invalid`. */
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

/** Values cut at the level that a reference names, for hierarchies with paths; others as they are. */
export function atLevel({ column, value }: ColumnValue, level: number | null): Expression {
  if (column.type !== 'hierarchy' || column.separator === null || level === null) return value;
  return { kind: 'path', of: cast(value, 'text'), separator: column.separator, level, type: 'text' };
}

/**
 * Compiles a formula over the columns of a dataset (null: of any). `linked`: it may speak of the other datasets of the query,
 * too. Raises QueryProblem `formula_invalid`.
 */
export function compileIn(
  context: PlanContext,
  datasetId: string | null,
  text: string,
  at: string,
  within: readonly string[] = [],
  linked = false,
): Expression {
  const { formulas } = context;
  const key = JSON.stringify([datasetId, text, linked]);
  const before = formulas.compiled.get(key);
  const expression = before?.expression ?? compiledIn(context, datasetId, text, at, within, linked);
  const parts = before?.parts ?? [...allParts(expression)].length;
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
  linked: boolean,
): Expression {
  const { model, clock } = context;
  const own = datasetId === null ? [] : [datasetIn(model, datasetId, at)];
  const datasets = datasetId === null || linked ? [...own, ...model.datasets.values()] : own;
  const scope: Scope = (reference) => {
    for (const dataset of datasets) {
      const column = dataset.columns.get(reference);
      if (column !== undefined) return valueOf(context, column, at, within).value;
    }
    return null;
  };
  const { nowMs, zone, weekstart } = clock;
  const compiled = compileFormula(text, scope, { nowMs, timeZone: zone.name, weekstart });
  if ('fault' in compiled) throw new QueryProblem('formula_invalid', at, faultInWords(compiled.fault));
  return compiled.expression;
}

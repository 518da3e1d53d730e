import type { Cell } from '../cell.ts';
import { aggregate, call, cast, test, type Expression } from '../expression.ts';
import type { ModelColumn } from '../model.ts';
import { assertNever, QueryProblem } from '../problem.ts';
import type { Aggregation, Measure } from '../query.ts';
import type { PlanContext } from './context.ts';
import { columnIn, compileIn, datasetIn, sortOf, valueOf, type ColumnValue } from './expressions/values.ts';
import { aggregatesOf } from './expressions/walk.ts';

/** A measure of groups: arithmetic over aggregates. If `running`, it is a running sum along the dimensions. */
export interface MeasureExpression {
  readonly value: Expression;
  readonly cell: Cell;
  readonly running: boolean;
  /** The dataset of a measure whose expression names no dataset, such as the number of rows; otherwise null. */
  readonly datasetId: string | null;
}

/** Returns the cell for values of a type. Hierarchies have cells of kind `member` instead. */
export function cellOf(type: Expression['type']): Cell {
  const sort = sortOf(type);
  if (sort === 'number') return { kind: 'number', type };
  return { kind: sort === 'time' || sort === 'date' ? 'datetime' : sort };
}

/** Returns the cell of a column. */
const cellOfColumn = (column: ModelColumn, type: Expression['type']): Cell =>
  column.type === 'hierarchy' ? { kind: 'member', separator: column.separator, type } : cellOf(type);

const double = (of: Expression): Expression => cast(of, 'double');
const sum = (of: Expression): Expression => aggregate('sum', [of], of.type);
const ratio = (numerator: Expression, denominator: Expression): Expression =>
  call(
    '/',
    [double(numerator), call('nullIf', [double(denominator), { kind: 'literal', value: 0, type: 'double' }], 'double')],
    'double',
  );

/** Aggregations of values that are neither numbers nor times. `ofTimes` has those of times. */
const ofOthers: readonly Aggregation[] = ['count', 'distinctcount'];
const ofTimes: readonly Aggregation[] = ['count', 'distinctcount', 'min', 'max'];

function aggregated(aggregation: Aggregation, value: Expression, secondValue: Expression | null): Expression {
  switch (aggregation) {
    case 'sum':
    case 'cumulativesum':
      return sum(value);
    case 'average':
      return aggregate('average', [value], 'double');
    case 'median':
      return aggregate('median', [value], 'double');
    case 'stddev':
      return aggregate('deviation', [value], 'double');
    case 'min':
    case 'max':
      return aggregate(aggregation, [value], value.type);
    case 'count':
      return aggregate('count', [value], 'integer');
    case 'distinctcount':
      return aggregate('distinct', [value], 'integer');
    case 'rate':
      return secondValue === null ? sum(value) : ratio(sum(value), sum(secondValue));
    case 'weightedaverage': {
      if (secondValue === null) return aggregate('average', [value], 'double');
      const weight: Expression = {
        kind: 'case',
        when: [{ test: test('isNotNull', value), result: double(secondValue) }],
        otherwise: null,
        type: 'double',
      };
      return ratio(sum(call('*', [double(value), double(secondValue)], 'double')), sum(weight));
    }
    default:
      return assertNever(aggregation);
  }
}

function numeric({ sort, value }: ColumnValue, at: string): Expression {
  if (sort !== 'number') throw new QueryProblem('aggregation_invalid', at, 'weights and divisors are numbers');
  return value;
}

function ofColumn(context: PlanContext, measure: Extract<Measure, { kind: 'column' }>, at: string): MeasureExpression {
  const columnValue = valueOf(context, columnIn(context.model, measure.on, at), at);
  const { sort, value } = columnValue;
  const aggregation = measure.aggregation ?? (sort === 'number' ? 'sum' : 'count');
  const allowedAggregations = sort === 'number' ? null : sort === 'time' || sort === 'date' ? ofTimes : ofOthers;
  const isNumber = columnValue.column.type === 'numeric' && sort === 'number';
  const legalAggregations = allowedAggregations === null ? (isNumber ? null : ofOthers) : allowedAggregations;
  if (legalAggregations !== null && !legalAggregations.includes(aggregation))
    throw new QueryProblem(
      'aggregation_invalid',
      `${at}.aggregation`,
      `must be ${legalAggregations.join(' or ')} for this column`,
    );
  const place = `${at}.aggregation`;
  const secondValue =
    measure.second === null
      ? null
      : numeric(valueOf(context, columnIn(context.model, measure.second, place), place), place);
  const result = aggregated(aggregation, value, secondValue);
  return { value: result, cell: cellOf(result.type), running: aggregation === 'cumulativesum', datasetId: null };
}

function formulaOf(
  context: PlanContext,
  measure: Exclude<Measure, { kind: 'column' | 'rows' }>,
  at: string,
): Expression {
  if (measure.kind === 'expression')
    return compileIn(context, measure.datasetId, measure.text, `${at}.formula`, [], true);
  const datasets =
    measure.datasetId === null
      ? [...context.model.datasets.values()]
      : [datasetIn(context.model, measure.datasetId, at)];
  const formula = datasets.flatMap((dataset) => dataset.formulas.get(measure.formulaId) ?? [])[0];
  if (formula === undefined)
    throw new QueryProblem('formula_unknown', `${at}.formula_id`, `no formula "${measure.formulaId}" in this dataset`);
  return compileIn(context, formula.datasetId, formula.expression, `${at}.formula_id`, [], true);
}

/**
 * Returns the expression of a measure over groups. Raises QueryProblem `column_unknown`, `aggregation_invalid`,
 * `formula_unknown`, `formula_invalid`.
 */
export function measureOf(context: PlanContext, measure: Measure, at: string): MeasureExpression {
  if (measure.kind === 'column') return ofColumn(context, measure, at);
  if (measure.kind === 'rows') {
    const { id } = datasetIn(context.model, measure.datasetId, at);
    return { value: aggregate('rows', [], 'integer'), cell: cellOf('integer'), running: false, datasetId: id };
  }
  const value = formulaOf(context, measure, at);
  if (aggregatesOf(value).length === 0)
    throw new QueryProblem('aggregation_invalid', at, 'a formula of groups aggregates: sum({id}) / count(*)');
  return { value, cell: cellOf(value.type), running: false, datasetId: measure.datasetId };
}

/** Returns the expression of a measure in a query without rollup: the plain value, without aggregation. */
export function rawMeasureOf(context: PlanContext, measure: Measure, at: string): MeasureExpression {
  if (measure.kind === 'rows')
    throw new QueryProblem('aggregation_invalid', at, 'rows are not counted where they are not rolled up');
  if (measure.kind === 'column') {
    const { column, value } = valueOf(context, columnIn(context.model, measure.on, at), at);
    return { value, cell: cellOfColumn(column, value.type), running: false, datasetId: null };
  }
  const value = formulaOf(context, measure, at);
  if (aggregatesOf(value).length > 0)
    throw new QueryProblem('aggregation_invalid', at, 'a formula that aggregates needs rows that are rolled up');
  return { value, cell: cellOf(value.type), running: false, datasetId: measure.datasetId };
}

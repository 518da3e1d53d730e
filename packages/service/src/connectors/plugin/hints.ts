import { parseTimestamp } from '@inlay/contract';
import type { Condition, ModelColumn, ModelDataset, Operand, Scalar } from '@inlay/query';
import type { PluginFilter, PushedExpression } from './protocol.ts';

type Test = Extract<Condition, { kind: 'test' }>;

/** True if the plugin itself has the column. False for formulas, hierarchies with levels, and spatial columns. */
export const isPlain = (column: ModelColumn | undefined): column is ModelColumn =>
  column !== undefined && column.expression === null && column.separator === null && column.type !== 'spatial';

const isExactTime = (value: Scalar): boolean =>
  typeof value === 'string' && value.endsWith('Z') && parseTimestamp(value) === value;

/** True if plugin and engine certainly interpret a value in the same way. */
function fits(column: ModelColumn, value: Scalar): boolean {
  if (column.type === 'numeric') return typeof value === 'number' && Number.isFinite(value);
  return column.type === 'datetime' ? isExactTime(value) : typeof value === 'string';
}

const valuesOf = (operand: Operand): readonly Scalar[] =>
  operand.kind === 'value' ? [operand.value] : operand.kind === 'list' ? operand.values : [];

/**
 * Expressions of the protocol for each expression of a query. `!=` is sent as `not in`, because the protocol defines
 * how `not in` treats nulls. Comparisons of texts are not sent, since plugin and engine may order texts differently.
 */
const pushedExpressions: Readonly<Record<string, readonly PushedExpression[]>> = {
  '=': ['='],
  '!=': ['not in'],
  in: ['in'],
  'not in': ['not in'],
  '<': ['<'],
  '<=': ['<='],
  '>': ['>'],
  '>=': ['>='],
  between: ['>=', '<='],
  'is null': ['is null'],
  'is not null': ['is not null'],
};
const isOrder = (expression: PushedExpression): boolean => /^[<>]/u.test(expression);
const isList = (expression: PushedExpression): boolean => expression === 'in' || expression === 'not in';

function filtersOf(test: Test, { columns }: ModelDataset): readonly PluginFilter[] {
  const column = columns.get(test.on.columnId);
  const expressions = Object.hasOwn(pushedExpressions, test.expression)
    ? (pushedExpressions[test.expression] ?? [])
    : [];
  if (!isPlain(column) || test.on.level !== null || test.measure !== null) return [];
  const values = valuesOf(test.operand);
  const isNullTest = expressions.some((expression) => expression.startsWith('is '));
  if (isNullTest) return expressions.map((expression) => ({ column_id: column.source, expression, value: [] }));
  const lists = expressions.every(isList);
  if (values.length === 0 || !values.every((value) => (lists && value === null) || fits(column, value))) return [];
  if (expressions.some(isOrder) && column.type === 'hierarchy') return [];
  if (lists) return expressions.map((expression) => ({ column_id: column.source, expression, value: values }));
  if (values.length !== expressions.length) return [];
  const [lowerBound, upperBound] = values;
  if (
    lowerBound !== undefined &&
    lowerBound !== null &&
    upperBound !== undefined &&
    upperBound !== null &&
    lowerBound > upperBound
  )
    return [];
  return expressions.map((expression, index) => ({
    column_id: column.source,
    expression,
    value: [values[index] ?? null],
  }));
}

/**
 * Translates conditions, all of which must hold, to filters that reduce the rows which a plugin sends. A filter never
 * excludes a row that the conditions would keep. The engine applies every condition again.
 */
export function hintsOf(conditions: readonly Condition[], dataset: ModelDataset): readonly PluginFilter[] {
  return conditions.flatMap((condition): readonly PluginFilter[] => {
    if (condition.kind === 'test') return condition.on.datasetId === dataset.id ? filtersOf(condition, dataset) : [];
    return condition.kind === 'all' || condition.of.length === 1 ? hintsOf(condition.of, dataset) : [];
  });
}

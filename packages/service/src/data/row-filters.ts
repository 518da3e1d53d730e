import { isObject, isUuid, type Json, type JsonObject } from '@inlay/contract';
import { readRowFilter, type Condition, type ModelColumn, type ModelDataset } from '@inlay/query';
import { Problem } from '../problems/problem.ts';
import type { FoundFilter } from './parts.ts';

/** The values a column has at its source, by a name that some databases read without case; null where it is derived. */
const valuesOf = ({ expression, source }: ModelColumn): string | null =>
  expression === null ? source.toLowerCase() : null;

/**
 * The model as this caller sees it: hidden columns do not exist, nor do others of the same values, which whoever may change
 * the dataset could make; but row filters still reach them (decision R6a).
 */
export function visibleModel(model: ModelDataset, hidden: ReadonlySet<string>): ModelDataset {
  const named = [...hidden].flatMap((id) => model.columns.get(id) ?? []);
  if (named.length === 0) return model;
  const values = new Set(named.flatMap((column) => valuesOf(column) ?? []));
  const isHidden = (column: ModelColumn): boolean => hidden.has(column.id) || values.has(valuesOf(column) ?? '');
  const columns = [...model.columns];
  return {
    ...model,
    columns: new Map(columns.filter(([, column]) => !isHidden(column))),
    guarded: new Map(columns.filter(([, column]) => isHidden(column))),
  };
}

const refuse = (says: string): never => {
  throw new Problem('row_filter_invalid', { message: `A row filter that holds for you cannot be applied: ${says}.` });
};

const missing = (says: string): Problem =>
  new Problem('parameter_missing', { message: `A row filter needs a value: ${says}.` });

const idIn = (filter: JsonObject, member: string): string => {
  const value = filter[member];
  return typeof value === 'string' && isUuid(value)
    ? value.toLowerCase()
    : refuse(`its ${member} is not the id of anything`);
};

/** Values of parameters by name; a name is known with and without `metadata.` before it. */
export function parameterValues(overrides: JsonObject): ReadonlyMap<string, Json> {
  const given = Object.entries(overrides);
  const long = given
    .filter(([name]) => !name.startsWith('metadata.'))
    .map(([name, value]) => [`metadata.${name}`, value] as const);
  return new Map([...long, ...given]);
}

function conditionOf(
  filter: JsonObject,
  datasetId: string,
  columnId: string,
  parameters: ReadonlyMap<string, Json>,
): Condition {
  const { level = null, expression, value } = filter;
  const parameter = value !== undefined && isObject(value) ? value['parameter'] : undefined;
  // A value that was to be given and is null is none; the default is for those who give nothing at all.
  if (typeof parameter === 'string' && parameters.get(parameter) === null)
    throw missing(`parameter "${parameter}" has no value`);
  const on = { datasetId, columnId, level: typeof level === 'number' ? level : null };
  const faults: string[] = [];
  const reading = { fault: (at: string, says: string) => faults.push(`${at} ${says}`), parameters };
  const condition = readRowFilter({ on, expression, value }, 'it', reading);
  if (condition !== null && faults.length === 0) return condition;
  const unset = faults.find((fault) => fault.includes('has no value and no default'));
  if (unset !== undefined) throw missing(unset);
  return refuse(faults.join('; '));
}

/**
 * The conditions that hold on the rows of each dataset, all AND-ed (decision R6a). Nothing is left out: a filter that
 * cannot be read, names another dataset than the link it stands on, or names a column that is not there, refuses the
 * query. Raises Problem `row_filter_invalid`, `parameter_missing`.
 */
export function rowFilters(
  found: readonly FoundFilter[],
  parameters: ReadonlyMap<string, Json>,
  datasets: ReadonlyMap<string, ModelDataset>,
): ReadonlyMap<string, readonly Condition[]> {
  const conditions = new Map<string, Condition[]>();
  for (const { on, filter } of found) {
    const datasetId = idIn(filter, 'securable_id');
    if (on !== null && on !== datasetId) refuse('it stands on the link of one dataset and names another');
    const dataset = datasets.get(datasetId);
    if (dataset === undefined) continue;
    const columnId = idIn(filter, 'column_id');
    const isThere = dataset.columns.has(columnId) || dataset.guarded?.has(columnId) === true;
    if (!isThere) refuse('its column is not there');
    const held = conditions.get(datasetId) ?? [];
    conditions.set(datasetId, [...held, conditionOf(filter, datasetId, columnId, parameters)]);
  }
  return conditions;
}

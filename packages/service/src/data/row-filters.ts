import { isObject, isUuid, type Json, type JsonObject } from '@inlay/contract';
import { readRowFilter, type Condition, type ModelColumn, type ModelDataset } from '@inlay/query';
import { Problem } from '../problems/problem.ts';
import type { FoundFilter, RowBounds } from './parts.ts';

/** The values a column has at its source, by a name that some databases read without case; null where it is derived. */
const valuesOf = ({ expression, source }: ModelColumn): string | null =>
  expression === null ? source.toLowerCase() : null;

/**
 * The model as this caller sees it: hidden columns do not exist, nor do others of the same values, which whoever may change
 * the dataset could make; but row filters still reach them (decision R6a).
 */
export function visibleModel(model: ModelDataset, hidden: ReadonlySet<string>): ModelDataset {
  const named = [...hidden].flatMap((id) => model.columns.get(id) ?? model.unproven?.get(id) ?? []);
  if (named.length === 0) return model;
  const values = new Set(named.flatMap((column) => valuesOf(column) ?? []));
  const isHidden = (column: ModelColumn): boolean => hidden.has(column.id) || values.has(valuesOf(column) ?? '');
  const columns = [...model.columns];
  return {
    ...model,
    columns: new Map(columns.filter(([, column]) => !isHidden(column))),
    guarded: new Map(columns.filter(([, column]) => isHidden(column))),
    unproven: new Map([...(model.unproven ?? [])].filter(([, column]) => !isHidden(column))),
  };
}

const nothingGiven = 'Whoever gave you this dataset may not use it any more; ask one of its owners for it.';

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

/** One filter as a condition on its dataset; undefined where it names a dataset that is not asked about. */
function conditionOn(
  { on, filter }: FoundFilter,
  parameters: ReadonlyMap<string, Json>,
  datasets: ReadonlyMap<string, ModelDataset>,
): { readonly datasetId: string; readonly condition: Condition } | undefined {
  const datasetId = idIn(filter, 'securable_id');
  if (on !== null && on !== datasetId) refuse('it stands on the link of one dataset and names another');
  const dataset = datasets.get(datasetId);
  if (dataset === undefined) return undefined;
  const columnId = idIn(filter, 'column_id');
  const isThere = dataset.columns.has(columnId) || dataset.guarded?.has(columnId) === true;
  if (!isThere) refuse('its column is not there');
  return { datasetId, condition: conditionOf(filter, datasetId, columnId, parameters) };
}

/**
 * The conditions that hold on the rows of each dataset, all AND-ed. Nothing is left out: a filter that cannot be read,
 * names another dataset than the link it stands on, or names a column that is not there, refuses the query; so does a
 * dataset that no way opens any more. Raises Problem `row_filter_invalid`, `parameter_missing`, `forbidden`.
 */
export function rowFilters(
  { filters, ways }: RowBounds,
  parameters: ReadonlyMap<string, Json>,
  datasets: ReadonlyMap<string, ModelDataset>,
): ReadonlyMap<string, readonly Condition[]> {
  const conditions = new Map<string, Condition[]>();
  const hold = (datasetId: string, condition: Condition): void => {
    conditions.set(datasetId, [...(conditions.get(datasetId) ?? []), condition]);
  };
  for (const found of filters) {
    const held = conditionOn(found, parameters, datasets);
    if (held !== undefined) hold(held.datasetId, held.condition);
  }
  for (const id of datasets.keys()) {
    for (const alternatives of ways.get(id) ?? []) {
      if (alternatives.length === 0) throw new Problem('forbidden', { message: nothingGiven });
      const any = alternatives.map((all): Condition => {
        const of = all.flatMap((found) => conditionOn(found, parameters, datasets)?.condition ?? []);
        return { kind: 'all', of };
      });
      hold(id, { kind: 'any', of: any });
    }
  }
  return conditions;
}

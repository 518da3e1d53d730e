import {
  filledText,
  filterExpressions,
  filterTerms,
  filtersWithin,
  isList,
  isObject,
  listOr,
  member,
  objectOr,
  type FilterTerms,
  type Json,
  type JsonObject,
  type PlacedGroup,
  readFilter,
  writeCondition,
} from '@inlay/contract';
import { faultOfQuery } from './query-fault.ts';
import type { KnownRecords, ReferenceWarning } from './known-records.ts';
import { unknownColumn, unknownDataset } from './unknown-reference.ts';

/** A filter of a view and its path. */
export interface PlacedFilter {
  readonly path: string;
  readonly filter: Json;
}

const maxDepth = 16;

/** Returns the filters of a group and of its subgroups. */
export function filtersIn({ path, group }: PlacedGroup, depth = 0): readonly PlacedFilter[] {
  if (depth > maxDepth) return [];
  const { filters, subGroups } = objectOr(group);
  const ofGroup = listOr(filters).flatMap((condition, index) => filtersWithin(condition, `${path}.filters[${index}]`));
  const ofSubGroups = listOr(subGroups).flatMap((subGroup, index) =>
    filtersIn({ path: `${path}.subGroups[${index}]`, group: subGroup }, depth + 1),
  );
  return [...ofGroup, ...ofSubGroups];
}

const consequence = 'a query with this filter is refused, so the items that it narrows show an error';

/** True if the filter's value is a parameter without a default. */
const isOpen = (value: Json | undefined): boolean =>
  isObject(value) && typeof member(value, 'parameter') === 'string' && member(value, 'value') === undefined;

const placeIn = (at: string, { at: places }: FilterTerms): string => {
  const innerPath = at.replace(/^(?:where|having)\[0\]/u, '');
  if (innerPath.startsWith('.parameters[0]')) return innerPath.endsWith('.level') ? places.level : places.columnId;
  return innerPath.replace('.parameters[1]', places.value);
};

/** Returns a query that is valid unless the filter has a fault. */
function queryWith(filter: JsonObject, datasetId: string, clause: 'where' | 'having'): JsonObject {
  const rows: JsonObject = { dataset_id: datasetId, column_id: '*', aggregation: { type: 'count' } };
  return { measures: [rows], [clause]: [filter] };
}

/** Warns if a query with the filter would be refused. The message is the one that the query would return. */
export function filterWarnings(
  { path, filter }: PlacedFilter,
  { model, datasetOfColumn, isUnread }: KnownRecords,
  nowMs: number,
): readonly ReferenceWarning[] {
  const filterObject = objectOr(filter);
  const terms = filterTerms(filterObject);
  const parsedFilter = readFilter(filter);
  const parameters = filterObject['parameters'];
  if (parsedFilter === null || !filterExpressions.includes(parsedFilter.expression)) {
    const isReported = filledText(filterObject['expression']) === null || parsedFilter !== null;
    const message =
      'names no column and dataset, so nobody knows what it leaves out, and readers get no rows of the items that it may narrow';
    return isReported ? [] : [{ path, code: 'filter_invalid', message }];
  }
  const { datasetId, columnId, clause, value } = parsedFilter;
  const at = (place: keyof FilterTerms['at']): string => `${path}${terms.at[place]}`;
  if (isUnread(datasetId)) return [];
  const dataset = model.datasets.get(datasetId);
  if (dataset === undefined)
    return [{ path: at('datasetId'), code: 'reference_unknown', message: unknownDataset(datasetId, consequence) }];
  if (!dataset.columns.has(columnId) && !(clause === 'having' && columnId === '*'))
    return [
      {
        path: at('columnId'),
        code: 'reference_unknown',
        message: unknownColumn(columnId, dataset, datasetOfColumn, consequence),
      },
    ];
  if (isList(parameters) && parameters.length > 2)
    return [
      {
        path: `${path}.parameters`,
        code: 'filter_invalid',
        message: `has ${parameters.length} parameters; a filter has the column, then one value: several values are a list`,
      },
    ];
  if (isOpen(value)) return [];
  const fault = faultOfQuery(queryWith(writeCondition(parsedFilter), datasetId, clause), model, nowMs);
  return fault === null
    ? []
    : [
        {
          path: `${path}${placeIn(fault.at, terms)}`,
          code: 'filter_invalid',
          message: `${fault.message}; ${consequence}`,
        },
      ];
}

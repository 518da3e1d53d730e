import { isObject, isUuid, parameterName, type Json, type JsonObject } from '@inlay/contract';
import {
  readRowFilter,
  type LookupFilter,
  type ModelColumn,
  type ModelDataset,
  type RowFilter,
  type TestCondition,
} from '@inlay/query';
import type { AnyFilter, FoundFilter } from '../../access/filter-kinds.ts';
import { reachedFrom, type Lookups } from '../../access/lookups.ts';
import { Problem } from '../../problems/problem.ts';
import type { RowFilterSet } from '../model/parts.ts';
import { byParameter } from './parameter-values.ts';

/**
 * Returns the lower-case name of the source column, since names are case-insensitive in some databases; null for a
 * formula.
 */
const valuesOf = ({ expression, source }: ModelColumn): string | null =>
  expression === null ? source.toLowerCase() : null;

/**
 * Returns the part of a model that the caller may see. Omits hidden columns. Also omits other columns that read the
 * same source column, since an editor of the dataset could add them. Row filters use the complete model, so they still
 * apply to hidden columns.
 */
export function visibleModel(model: ModelDataset, hiddenIds: ReadonlySet<string>): ModelDataset {
  const hiddenColumns = [...hiddenIds].flatMap((id) => model.columns.get(id) ?? model.unproven?.get(id) ?? []);
  if (hiddenColumns.length === 0) return model;
  const values = new Set(hiddenColumns.flatMap((column) => valuesOf(column) ?? []));
  const isHidden = (column: ModelColumn): boolean => hiddenIds.has(column.id) || values.has(valuesOf(column) ?? '');
  const columns = [...model.columns];
  return {
    ...model,
    columns: new Map(columns.filter(([, column]) => !isHidden(column))),
    unproven: new Map([...(model.unproven ?? [])].filter(([, column]) => !isHidden(column))),
  };
}

/**
 * Returns the lower-case id of the dataset that a filter names; null if it names none, or another dataset than the one
 * of its link.
 */
export function datasetOf({ on, filter }: AnyFilter): string | null {
  const datasetId = filter['securable_id'];
  const filterDataset = typeof datasetId === 'string' ? datasetId.toLowerCase() : null;
  return on === null || on === filterDataset ? filterDataset : null;
}

/**
 * True if a filter also applies to datasets that look up the filter's dataset. specification/data-queries#row-filters
 */
export const propagates = ({ filter }: FoundFilter): boolean => filter['propagate'] !== false;

/**
 * Returns the filters that apply to a dataset: filters on the dataset, and propagating filters on datasets that it
 * looks up. A filter that names no dataset applies to every dataset, so that queries are refused.
 */
export function aboutDataset(
  filters: readonly FoundFilter[],
  lookups: Lookups,
  datasetId: string,
): readonly FoundFilter[] {
  const reachedIds = reachedFrom(lookups, datasetId);
  return filters.filter((filter) => {
    const filterDataset = datasetOf(filter);
    return (
      filterDataset === null || filterDataset === datasetId || (reachedIds.has(filterDataset) && propagates(filter))
    );
  });
}

/** Returns the datasets, other than the named ones, that row filters look up through links. */
export function datasetsReached(
  { filters, grantPaths, lookups }: RowFilterSet,
  namedIds: readonly string[],
): readonly string[] {
  const allFilters = [...filters, ...[...grantPaths.values()].flat(3)];
  const filteredIds = new Set(allFilters.filter(propagates).map(datasetOf));
  if (filteredIds.size === 0 || lookups.size === 0) return [];
  const reachedIds = new Set(namedIds.flatMap((id) => [...reachedFrom(lookups, id)]));
  const leads = (id: string): boolean => [...reachedFrom(lookups, id)].some((other) => filteredIds.has(other));
  return [...reachedIds].filter((id) => !namedIds.includes(id) && leads(id));
}

const nothingGiven = 'Whoever gave you this dataset may not use it any more; ask one of its owners for it.';

const refuse = (message: string, what = 'row filter'): never => {
  throw new Problem('row_filter_invalid', { message: `A ${what} that holds for you cannot be applied: ${message}.` });
};

const missingParameter = (message: string, what: string): Problem =>
  new Problem('parameter_missing', { message: `A ${what} needs a value: ${message}.` });

const idIn = (filter: JsonObject, member: string, what: string): string => {
  const value = filter[member];
  return typeof value === 'string' && isUuid(value)
    ? value.toLowerCase()
    : refuse(`its ${member} is not the id of anything`, what);
};

/** Indexes the values of parameters by `parameterName`. */
export const parameterValues = (overrides: JsonObject): ReadonlyMap<string, Json> =>
  byParameter(Object.entries(overrides).map(([name, value]) => [name, value ?? null] as const));

function conditionOf(
  filter: JsonObject,
  datasetId: string,
  columnId: string,
  parameters: ReadonlyMap<string, Json>,
  what: string,
): TestCondition {
  const { level = null, expression, value } = filter;
  const parameter = value !== undefined && isObject(value) ? value['parameter'] : undefined;
  // A parameter that is explicitly set to null has no value. Its default value applies only if the parameter is
  // missing.
  if (typeof parameter === 'string' && parameters.get(parameterName(parameter)) === null)
    throw missingParameter(`parameter "${parameter}" has no value`, what);
  const columnRef = { datasetId, columnId, level: typeof level === 'number' ? level : null };
  const faults: string[] = [];
  const reading = { fault: (at: string, message: string) => faults.push(`${at} ${message}`), parameters };
  const condition = readRowFilter({ on: columnRef, expression, value }, 'it', reading);
  if (condition !== null && faults.length === 0) return condition;
  const unsetFault = faults.find((fault) => fault.includes('has no value and no default'));
  if (unsetFault !== undefined) throw missingParameter(unsetFault, what);
  return refuse(faults.join('; '), what);
}

const whatIs = {
  row: 'row filter',
  chart: 'filter of one item',
  group: 'filter of groups',
  initialization: 'starting value',
} as const satisfies Readonly<Record<AnyFilter['kind'], string>>;

/** Converts a filter to a condition on its dataset. Raises Problem `row_filter_invalid`, `parameter_missing`. */
export function conditionOn(
  { kind, on, filter }: AnyFilter,
  parameters: ReadonlyMap<string, Json>,
  dataset: ModelDataset,
): TestCondition {
  const what = whatIs[kind];
  const datasetId = idIn(filter, 'securable_id', what);
  if (on !== null && on !== datasetId) refuse('it stands on the link of one dataset and names another', what);
  const columnId = idIn(filter, 'column_id', what);
  if (!dataset.columns.has(columnId)) refuse('its column is not there', what);
  return conditionOf(filter, datasetId, columnId, parameters, what);
}

/** A dataset for row filters, with all its columns. `isShared` is true if tenants share the dataset. */
export interface BoundedDataset {
  readonly model: ModelDataset;
  readonly isShared: boolean;
}

/**
 * `maxFollowed`: number of links that the row filters of one query may follow in total. `longestPath`: number of links
 * in a chain. Both are limited because the planning time in databases doubles with each link.
 */
const maxFollowed = 100;
const longestPath = 10;

/** A link from a column of a dataset to a column of the dataset that it looks up. */
interface LookupLink extends Pick<LookupFilter, 'from' | 'to'> {
  readonly isOptional: boolean;
}

/** Returns the links by which a dataset looks up the dataset `other`. */
function linksTo({ id, columns, unproven }: ModelDataset, other: string): readonly LookupLink[] {
  const allColumns = [...columns.values(), ...(unproven?.values() ?? [])];
  return allColumns.flatMap((column) =>
    column.joins
      .filter(({ datasetId, type }) => datasetId === other && type === 'lookup')
      .map(({ datasetId, columnId, isOptional = false }) => ({
        from: { datasetId: id, columnId: column.id },
        to: { datasetId, columnId },
        // A formula may turn an empty value into any other value.
        isOptional: isOptional && column.expression === null,
      })),
  );
}

const hasOptional = ({ columns, unproven }: ModelDataset): boolean =>
  [...columns.values(), ...(unproven?.values() ?? [])].some(({ joins }) =>
    joins.some(({ isOptional }) => isOptional === true),
  );

/** The condition for one lookup link. `isOptional` is true if a row with an empty key also matches. */
interface FollowedLookup {
  readonly filter: LookupFilter;
  readonly isOptional: boolean;
}

/**
 * Converts lookups from one dataset to one filtered dataset into conditions, all of which must match. For an optional
 * lookup, a row with an empty key also matches. If all lookups are optional, at least one must actually find a row.
 * specification/data-queries#optional-links
 */
function allPaths(lookups: readonly FollowedLookup[]): readonly RowFilter[] {
  const filters = lookups.map(({ filter, isOptional }): RowFilter =>
    isOptional ? { kind: 'any', of: [{ kind: 'empty', from: filter.from }, filter] } : filter,
  );
  const isShown = lookups.some(({ isOptional }) => !isOptional);
  return isShown || lookups.length === 0
    ? filters
    : [...filters, { kind: 'any', of: lookups.map(({ filter }) => filter) }];
}

/**
 * Creates a function that collects the conditions on rows of a dataset: those of its own filters, and recursively those
 * of datasets that it looks up. A chain of lookups never visits a dataset twice.
 */
function createPropagation(
  lookups: Lookups,
  parameters: ReadonlyMap<string, Json>,
  datasets: ReadonlyMap<string, BoundedDataset>,
) {
  let followedCount = 0;
  const filtersFor = (
    ownFilters: readonly FoundFilter[],
    id: string,
    path: readonly string[],
  ): readonly RowFilter[] => {
    const dataset = datasets.get(id);
    if (dataset === undefined) return refuse('a dataset that it reaches is not there any more');
    const ownConditions: readonly RowFilter[] = ownFilters
      .filter((filter) => (datasetOf(filter) ?? id) === id)
      .map((filter) => conditionOn(filter, parameters, dataset.model));
    const others = ownFilters.filter((filter) => datasetOf(filter) !== id && propagates(filter));
    if (others.length === 0) return ownConditions;
    const visited = [...path, id];
    const follow = (filters: readonly FoundFilter[]): readonly FollowedLookup[] =>
      (lookups.get(id) ?? []).flatMap((neighbour) => {
        const reachedIds = visited.includes(neighbour) ? null : reachedFrom(lookups, neighbour, visited);
        const filtersBehind = filters.filter((filter) => reachedIds?.has(datasetOf(filter) ?? '') === true);
        return filtersBehind.length === 0 ? [] : followLookups(dataset, neighbour, filtersBehind, visited);
      });
    // With optional links, each filtered dataset needs its own conditions: a path to one filtered dataset does not
    // imply a path to another.
    const groups = hasOptional(dataset.model) ? [...Map.groupBy(others, datasetOf).values()] : [others];
    return [...ownConditions, ...groups.flatMap((filters) => allPaths(follow(filters)))];
  };
  const followLookups = (
    { model, isShared }: BoundedDataset,
    nextId: string,
    filtersBehind: readonly FoundFilter[],
    visited: readonly string[],
  ): readonly FollowedLookup[] => {
    const links = linksTo(model, nextId);
    if (links.length === 0 && isShared) return [];
    if (links.length === 0)
      refuse(
        'it followed a link that was removed; an owner who sees all rows of this dataset restores the link to the dataset of the filter, or sets shared_across_tenants',
      );
    followedCount += links.length;
    if (followedCount > maxFollowed || visited.length > longestPath)
      refuse(
        `it is more than ${longestPath} links away, or more than ${maxFollowed} links lead there; link the dataset more directly`,
      );
    const of = filtersFor(filtersBehind, nextId, visited);
    if (of.length === 0) return [];
    return links.map(({ isOptional, ...link }) => ({ filter: { kind: 'lookup', ...link, of }, isOptional }));
  };
  return (filters: readonly FoundFilter[], id: string): readonly RowFilter[] => filtersFor(filters, id, []);
}

/**
 * Returns the row filters of each named dataset; a row must match all of them. Fails closed: refuses the query if a
 * filter is malformed, names another dataset than the one of its link, or refers to a missing column or dataset. Also
 * refuses the query if a dataset has no valid grant. Raises Problem `row_filter_invalid`, `parameter_missing`,
 * `forbidden`.
 */
export function rowFilters(
  { filters, grantPaths, lookups }: RowFilterSet,
  parameters: ReadonlyMap<string, Json>,
  datasets: ReadonlyMap<string, BoundedDataset>,
  namedIds: Iterable<string>,
): ReadonlyMap<string, readonly RowFilter[]> {
  const filtersOn = createPropagation(lookups, parameters, datasets);
  const byDataset = new Map<string, readonly RowFilter[]>();
  for (const id of namedIds) {
    const grantFilters = (grantPaths.get(id) ?? []).map((alternatives): RowFilter => {
      if (alternatives.length === 0) throw new Problem('forbidden', { message: nothingGiven });
      return { kind: 'any', of: alternatives.map((alternative) => ({ kind: 'all', of: filtersOn(alternative, id) })) };
    });
    const datasetFilters = [...filtersOn(aboutDataset(filters, lookups, id), id), ...grantFilters];
    if (datasetFilters.length > 0) byDataset.set(id, datasetFilters);
  }
  return byDataset;
}

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
import type { RowBounds } from '../model/parts.ts';
import { byParameter } from './parameter-values.ts';

/** The values a column has at its source, by a name that some databases read without case; null where it is derived. */
const valuesOf = ({ expression, source }: ModelColumn): string | null =>
  expression === null ? source.toLowerCase() : null;

/**
 * The model as this caller sees it: hidden columns do not exist, nor do others of the same values, which whoever may change
 * the dataset could make. Row filters are read with the whole model, so they still reach them.
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
    unproven: new Map([...(model.unproven ?? [])].filter(([, column]) => !isHidden(column))),
  };
}

/** The dataset that a filter is about, by its id in lower case; null where it names none, or another than its link is of. */
export function datasetOf({ on, filter }: AnyFilter): string | null {
  const given = filter['securable_id'];
  const named = typeof given === 'string' ? given.toLowerCase() : null;
  return on === null || on === named ? named : null;
}

/** Whether a filter holds for datasets that look up its own, too. specification/data-queries#row-filters */
export const propagates = ({ filter }: FoundFilter): boolean => filter['propagate'] !== false;

/**
 * The filters that hold for a dataset: those about it, and those about what it looks up, unless they say that they do not
 * propagate. One that names no dataset is about all, so that it refuses.
 */
export function aboutDataset(
  filters: readonly FoundFilter[],
  lookups: Lookups,
  datasetId: string,
): readonly FoundFilter[] {
  const reached = reachedFrom(lookups, datasetId);
  return filters.filter((found) => {
    const named = datasetOf(found);
    return named === null || named === datasetId || (reached.has(named) && propagates(found));
  });
}

/** Further datasets that row filters reach over links: their rows decide which rows are visible. */
export function datasetsReached({ filters, ways, lookups }: RowBounds, named: readonly string[]): readonly string[] {
  const bounding = [...filters, ...[...ways.values()].flat(3)];
  const filtered = new Set(bounding.filter(propagates).map(datasetOf));
  if (filtered.size === 0 || lookups.size === 0) return [];
  const all = new Set(named.flatMap((id) => [...reachedFrom(lookups, id)]));
  const leads = (id: string): boolean => [...reachedFrom(lookups, id)].some((other) => filtered.has(other));
  return [...all].filter((id) => !named.includes(id) && leads(id));
}

const nothingGiven = 'Whoever gave you this dataset may not use it any more; ask one of its owners for it.';

const refuse = (says: string, what = 'row filter'): never => {
  throw new Problem('row_filter_invalid', { message: `A ${what} that holds for you cannot be applied: ${says}.` });
};

const missing = (says: string, what: string): Problem =>
  new Problem('parameter_missing', { message: `A ${what} needs a value: ${says}.` });

const idIn = (filter: JsonObject, member: string, what: string): string => {
  const value = filter[member];
  return typeof value === 'string' && isUuid(value)
    ? value.toLowerCase()
    : refuse(`its ${member} is not the id of anything`, what);
};

/** Values of parameters by `parameterName`. */
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
  // A value that was to be given and is null is none; the default is for those who give nothing at all.
  if (typeof parameter === 'string' && parameters.get(parameterName(parameter)) === null)
    throw missing(`parameter "${parameter}" has no value`, what);
  const on = { datasetId, columnId, level: typeof level === 'number' ? level : null };
  const faults: string[] = [];
  const reading = { fault: (at: string, says: string) => faults.push(`${at} ${says}`), parameters };
  const condition = readRowFilter({ on, expression, value }, 'it', reading);
  if (condition !== null && faults.length === 0) return condition;
  const unset = faults.find((fault) => fault.includes('has no value and no default'));
  if (unset !== undefined) throw missing(unset, what);
  return refuse(faults.join('; '), what);
}

const whatIs = {
  row: 'row filter',
  chart: 'filter of one item',
  group: 'filter of groups',
  initialization: 'starting value',
} as const satisfies Readonly<Record<AnyFilter['kind'], string>>;

/** One filter as a condition on the dataset that it is about. Raises Problem `row_filter_invalid`, `parameter_missing`. */
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

/** A dataset for row filters: all of its columns, and whether it is shared across tenants. */
export interface BoundedDataset {
  readonly model: ModelDataset;
  readonly isShared: boolean;
}

/** Links that the row filters of one query may follow, in all and one after the other: databases plan each step twice as long. */
const mostFollowed = 100;
const longestPath = 10;

/** A link by which a dataset looks up another. */
interface LookupLink extends Pick<LookupFilter, 'from' | 'to'> {
  readonly isOptional: boolean;
}

/** The links by which a dataset looks up another. */
function linksTo({ id, columns, unproven }: ModelDataset, other: string): readonly LookupLink[] {
  const all = [...columns.values(), ...(unproven?.values() ?? [])];
  return all.flatMap((column) =>
    column.joins
      .filter(({ datasetId, type }) => datasetId === other && type === 'lookup')
      .map(({ datasetId, columnId, isOptional = false }) => ({
        from: { datasetId: id, columnId: column.id },
        to: { datasetId, columnId },
        // Nobody knows what a formula makes of an empty value.
        isOptional: isOptional && column.expression === null,
      })),
  );
}

const hasOptional = ({ columns, unproven }: ModelDataset): boolean =>
  [...columns.values(), ...(unproven?.values() ?? [])].some(({ joins }) =>
    joins.some(({ isOptional }) => isOptional === true),
  );

/** A lookup that row filters follow over a link. */
interface FollowedLookup {
  readonly filter: LookupFilter;
  readonly isOptional: boolean;
}

/**
 * The lookups from one dataset to one filtered dataset as conditions on its rows: all must hold. An optional one also holds for
 * a row with an empty key, but a row that no path shows stays hidden. specification/data-queries#optional-links
 */
function allPaths(lookups: readonly FollowedLookup[]): readonly RowFilter[] {
  const held = lookups.map(({ filter, isOptional }): RowFilter =>
    isOptional ? { kind: 'any', of: [{ kind: 'empty', from: filter.from }, filter] } : filter,
  );
  const isShown = lookups.some(({ isOptional }) => !isOptional);
  return isShown || lookups.length === 0 ? held : [...held, { kind: 'any', of: lookups.map(({ filter }) => filter) }];
}

/**
 * Gives the filters of a dataset among those found: those about it, and along each path of links, which visits no dataset
 * twice, those about what it looks up.
 */
function createPropagation(
  lookups: Lookups,
  parameters: ReadonlyMap<string, Json>,
  datasets: ReadonlyMap<string, BoundedDataset>,
) {
  let followed = 0;
  const on = (found: readonly FoundFilter[], id: string, path: readonly string[]): readonly RowFilter[] => {
    const dataset = datasets.get(id);
    if (dataset === undefined) return refuse('a dataset that it reaches is not there any more');
    const own: readonly RowFilter[] = found
      .filter((one) => (datasetOf(one) ?? id) === id)
      .map((one) => conditionOn(one, parameters, dataset.model));
    const others = found.filter((one) => datasetOf(one) !== id && propagates(one));
    if (others.length === 0) return own;
    const visited = [...path, id];
    const follow = (filters: readonly FoundFilter[]): readonly FollowedLookup[] =>
      (lookups.get(id) ?? []).flatMap((next) => {
        const reached = visited.includes(next) ? null : reachedFrom(lookups, next, visited);
        const behind = filters.filter((one) => reached?.has(datasetOf(one) ?? '') === true);
        return behind.length === 0 ? [] : over(dataset, next, behind, visited);
      });
    // A second filtered dataset is not covered by the path to the first.
    const groups = hasOptional(dataset.model) ? [...Map.groupBy(others, datasetOf).values()] : [others];
    return [...own, ...groups.flatMap((filters) => allPaths(follow(filters)))];
  };
  const over = (
    { model, isShared }: BoundedDataset,
    next: string,
    behind: readonly FoundFilter[],
    visited: readonly string[],
  ): readonly FollowedLookup[] => {
    const links = linksTo(model, next);
    if (links.length === 0 && isShared) return [];
    if (links.length === 0)
      refuse(
        'it followed a link that was removed; an owner who sees all rows of this dataset restores the link to the dataset of the filter, or sets shared_across_tenants',
      );
    followed += links.length;
    if (followed > mostFollowed || visited.length > longestPath)
      refuse(
        `it is more than ${longestPath} links away, or more than ${mostFollowed} links lead there; link the dataset more directly`,
      );
    const of = on(behind, next, visited);
    if (of.length === 0) return [];
    return links.map(({ isOptional, ...link }) => ({ filter: { kind: 'lookup', ...link, of }, isOptional }));
  };
  return (found: readonly FoundFilter[], id: string): readonly RowFilter[] => on(found, id, []);
}

/**
 * The filters that hold on the rows of each named dataset, all AND-ed. Nothing is left out: a filter that cannot be read,
 * names another dataset than the link it stands on, or names a column or dataset that is not there, refuses the query; so
 * does a dataset that no way opens any more. Raises Problem `row_filter_invalid`, `parameter_missing`, `forbidden`.
 */
export function rowFilters(
  { filters, ways, lookups }: RowBounds,
  parameters: ReadonlyMap<string, Json>,
  datasets: ReadonlyMap<string, BoundedDataset>,
  named: Iterable<string>,
): ReadonlyMap<string, readonly RowFilter[]> {
  const filtersOn = createPropagation(lookups, parameters, datasets);
  const held = new Map<string, readonly RowFilter[]>();
  for (const id of named) {
    const given = (ways.get(id) ?? []).map((alternatives): RowFilter => {
      if (alternatives.length === 0) throw new Problem('forbidden', { message: nothingGiven });
      return { kind: 'any', of: alternatives.map((all) => ({ kind: 'all', of: filtersOn(all, id) })) };
    });
    const all = [...filtersOn(aboutDataset(filters, lookups, id), id), ...given];
    if (all.length > 0) held.set(id, all);
  }
  return held;
}

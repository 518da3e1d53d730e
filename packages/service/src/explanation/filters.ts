import { isObject, isSameParameter, textOr, type Json, type JsonObject } from '@inlay/contract';
import type { Operand, TestCondition } from '@inlay/query';
import { isOverseer, type Caller } from '../access/caller.ts';
import type { FilterLink, FoundFilter } from '../access/filter-kinds.ts';
import { conditionOfFilter } from '../data/explanation/explain-rows.ts';
import { seenDatasets } from '../data/model/load-datasets.ts';
import type { QueryRequest } from '../data/query-request.ts';
import { datasetOf } from '../data/row-filters/row-filters.ts';
import { holds, unlockedContext } from '../pipeline/rights/held-roles.ts';
import { catalogue } from '../problems/catalogue.ts';
import { Problem, type ProblemData } from '../problems/problem.ts';
import type { SearchContext } from '../search/visible-records.ts';
import { loadNames, type DescribeRecord, type RecordKey } from './records.ts';

/** A row filter, and the records that it comes from. */
export interface FilterOrigin {
  readonly filter: FoundFilter;
  /** Whom the filter is set for. */
  readonly from: RecordKey;
  /** The record whose link has the filter; null for a filter of a token. */
  readonly via: RecordKey | null;
  readonly link: FilterLink | null;
}

type AskingContext = SearchContext & { readonly caller: Caller };

const associationOf = ({ registry }: SearchContext, { association }: FilterLink) => {
  const [word = '', role = ''] = association.split('.');
  const resource = registry.resource(word);
  const declared = resource.associations?.[role];
  if (declared === undefined) throw new Error(`no such association is declared: ${association}`);
  return { resource, declared };
};

/** Finds the link that has a filter. Filters without one are those of the token, or those that a grant copied. */
export function originOf(
  context: SearchContext,
  filter: FoundFilter,
  links: readonly FilterLink[],
  otherwise: Pick<FilterOrigin, 'from' | 'via'>,
): FilterOrigin {
  const link = links.find(({ filters }) => filters.includes(filter));
  if (link === undefined) return { filter, link: null, ...otherwise };
  const { resource, declared } = associationOf(context, link);
  return {
    filter,
    link,
    from: { resource: declared.to, id: link.targetId },
    via: { resource: resource.name, id: link.firstId },
  };
}

/** True if the caller sees the filters of a link: whoever may link the record, as in includes, and its oversight. */
async function seesLink(context: AskingContext, link: FilterLink): Promise<boolean> {
  const { reader, registry, caller } = context;
  if (isOverseer(caller)) return true;
  const { resource, declared } = associationOf(context, link);
  return holds(unlockedContext(reader, registry, caller), resource, link.firstId, declared.roleHere);
}

function valueIn(operand: Operand): Json {
  switch (operand.kind) {
    case 'none':
      return null;
    case 'value':
      return operand.value;
    case 'list':
      return operand.values;
    case 'period':
      return { unit: operand.unit, quantity: operand.quantity };
  }
}

/** Returns a problem as plain data. If its words may quote what the caller does not see, it has general words. */
export const describeProblem = (problem: ProblemData | null, isWhole: boolean): JsonObject | null =>
  problem === null
    ? null
    : { code: problem.code, message: isWhole ? problem.message : catalogue[problem.code].message };

/** Describes filters as far as a caller may see them. */
export interface FilterWords {
  readonly describe: (origin: FilterOrigin) => JsonObject;
  /** Why a filter cannot be applied; null if it can. */
  readonly problemOf: (origin: FilterOrigin) => ProblemData | null;
  /** True if the caller sees all of these filters with their values. */
  readonly showsAll: (origins: readonly FilterOrigin[]) => boolean;
  readonly record: DescribeRecord;
}

const columnOf = ({ filter }: FoundFilter): RecordKey | null => {
  const { column_id: id } = filter;
  return typeof id === 'string' ? { resource: 'column', id: id.toLowerCase() } : null;
};

const parameterOf = ({ filter: { value } }: FoundFilter): string | null =>
  value !== undefined && isObject(value) ? textOr(value['parameter'], null) : null;

function conditionOrProblem(request: QueryRequest, filter: FoundFilter): TestCondition | Problem {
  try {
    return conditionOfFilter(request, filter);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

/** Loads what the words of filters need. `others` are further records to describe. */
export async function loadFilterWords(
  context: AskingContext,
  request: QueryRequest | null,
  origins: readonly FilterOrigin[],
  others: readonly RecordKey[],
): Promise<FilterWords> {
  const { reader, caller } = context;
  const datasetIds = [...new Set(origins.flatMap(({ filter }) => datasetOf(filter) ?? []))];
  const keys = origins.flatMap(({ filter, from, via }) => {
    const column = columnOf(filter);
    return [from, ...(via === null ? [] : [via]), ...(column === null ? [] : [column])];
  });
  const datasets = datasetIds.map((id) => ({ resource: 'securable', id }));
  const links = [...new Set(origins.flatMap(({ link }) => link ?? []))];
  const [record, readable, linkViews] = await Promise.all([
    loadNames(context, [...keys, ...datasets, ...others]),
    isOverseer(caller) ? new Set(datasetIds) : seenDatasets(reader, caller, datasetIds),
    Promise.all(links.map(async (link) => [link, await seesLink(context, link)] as const)),
  ]);
  const seenLinks = new Map(linkViews);
  const isShown = ({ filter, from, link }: FilterOrigin): boolean =>
    readable.has(datasetOf(filter) ?? '') &&
    (link === null || (seenLinks.get(link) === true && record(from)['id'] !== null));
  const isSensitive = ({ filter }: FilterOrigin): boolean => {
    const parameter = parameterOf(filter);
    return parameter !== null && request?.terms.sensitive.some((name) => isSameParameter(name, parameter)) === true;
  };
  const isOpen = (origin: FilterOrigin): boolean => isShown(origin) && !isSensitive(origin);
  const conditionOf = (filter: FoundFilter): TestCondition | Problem | null =>
    request === null ? null : conditionOrProblem(request, filter);
  const describe = (origin: FilterOrigin): JsonObject => {
    const { filter, from, via } = origin;
    const { expression = null } = filter.filter;
    const [shown, column] = [isShown(origin), columnOf(filter)];
    const condition = conditionOf(filter);
    const operand = condition === null || condition instanceof Problem ? null : valueIn(condition.operand);
    return {
      from: record(from),
      via: via === null ? null : record(via),
      dataset: record({ resource: 'securable', id: datasetOf(filter) ?? '' }),
      column: shown && column !== null ? record(column) : null,
      expression: shown && typeof expression === 'string' ? expression : null,
      parameter: shown ? parameterOf(filter) : null,
      value: isOpen(origin) ? operand : null,
      shown,
    };
  };
  const problemOf = ({ filter }: FilterOrigin): ProblemData | null => {
    const condition = conditionOf(filter);
    return condition instanceof Problem ? condition.data : null;
  };
  return { describe, problemOf, record, showsAll: (all) => all.every(isOpen) };
}

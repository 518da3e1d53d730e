import { isLanguage, isList, languageFault, isObject, member, type Json, type JsonObject } from '@inlay/contract';
import { readCondition } from './parse/condition.ts';
import {
  budgetOf,
  listOf,
  objectWith,
  spend,
  text,
  wholeNumber,
  type Fault,
  type ParseContext,
} from './parse/context.ts';
import { readDimension, readMeasure, readOrder } from './parse/reference.ts';
import type { Condition, Query } from './query.ts';

/** Maximum number of queries per request. */
export const maxQueries = 100;
const maxColumns = 100;
const maxFaults = 1000;
const parts = ['dimensions', 'measures', 'where', 'having', 'order', 'limit', 'options'];
const optionNames = ['locale_id', 'timezone_id', 'rollup_data', 'weekstart', 'max_age'];
const maxAgeBounds = [0, 31_536_000] as const;
const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

function readOptions(json: Json | undefined, at: string, context: ParseContext): Query['options'] {
  const options = json === undefined || json === null ? {} : (objectWith(json, at, optionNames, context) ?? {});
  const rollup = member(options, 'rollup_data') ?? true;
  if (typeof rollup !== 'boolean') context.fault(`${at}.rollup_data`, 'must be true or false');
  const day = member(options, 'weekstart');
  const index = typeof day === 'string' ? days.indexOf(day.toLowerCase()) : -1;
  const localeId = text(options, 'locale_id', at, false, context);
  if (localeId !== null && !isLanguage(localeId)) context.fault(`${at}.locale_id`, languageFault);
  const maxAge = wholeNumber(options, 'max_age', at, maxAgeBounds, context);
  return {
    localeId,
    timezoneId: text(options, 'timezone_id', at, false, context),
    rollupData: rollup !== false,
    weekstart: index >= 0 ? index + 1 : wholeNumber(options, 'weekstart', at, [1, 7], context),
    ...(maxAge === null ? {} : { maxAge }),
  };
}

function readLimit(json: Json | undefined, at: string, context: ParseContext): Query['limit'] {
  if (json === undefined || json === null) return { by: null, offset: 0 };
  const object = objectWith(json, at, ['by', 'offset', 'others'], context) ?? {};
  const bounds = [0, 1_000_000_000] as const;
  const others = member(object, 'others') ?? false;
  if (typeof others !== 'boolean') context.fault(`${at}.others`, 'must be true or false');
  return {
    by: wholeNumber(object, 'by', at, bounds, context),
    offset: wholeNumber(object, 'offset', at, bounds, context) ?? 0,
    ...(others === true ? { others } : {}),
  };
}

/** Reports a fault if a query with `limit.others` cannot combine the members beyond its limit as "Others". */
function checkOthers({ dimensions, measures, limit, options }: Query, at: string, context: ParseContext): void {
  if (limit.others !== true) return;
  const place = `${at}.limit.others`;
  const [firstDimension] = dimensions;
  if (firstDimension === undefined) context.fault(place, 'needs a dimension, whose members beyond `by` come as one');
  else if (firstDimension.bins !== null || firstDimension.part !== null)
    context.fault(place, 'needs a first dimension without discretization and part');
  if (limit.by === null || limit.by === 0) context.fault(place, 'needs `by`: how many members come by themselves');
  if (limit.offset > 0) context.fault(place, 'comes with the first members alone: leave out `offset`');
  if (measures.some((measure) => measure.kind === 'column' && measure.aggregation === 'cumulativesum'))
    context.fault(place, 'is not for running sums: each of them is over the members before it');
  if (!options.rollupData) context.fault(place, 'is for grouped rows: leave out `options.rollup_data`');
}

function readQuery(json: Json, at: string, parentContext: ParseContext): Query {
  const context: ParseContext = { ...parentContext, left: [...(parentContext.left ?? []), budgetOf('query', at)] };
  const query: JsonObject = objectWith(json, at, parts, context) ?? {};
  const conditions = (clause: 'where' | 'having'): readonly Condition[] =>
    listOf(member(query, clause), `${at}.${clause}`, 500, context, (entry, place) =>
      readCondition(entry, place, clause, context),
    );
  const list = <One>(
    name: string,
    readEntry: (json: Json, at: string, reading: ParseContext) => One | null,
  ): readonly One[] =>
    listOf(member(query, name), `${at}.${name}`, maxColumns, context, (entry, place) =>
      spend(context, 'columns', 1) ? readEntry(entry, place, context) : null,
    );
  const dimensions = list('dimensions', readDimension);
  const measures = list('measures', readMeasure);
  const hasLists = ['dimensions', 'measures'].some(
    (name) => isList(member(query, name)) && member(query, name) !== null,
  );
  if (isObject(json) && (!hasLists || (isEmpty(query, 'dimensions') && isEmpty(query, 'measures'))))
    context.fault(at, 'asks for nothing: name dimensions or measures');
  const parsedQuery: Query = {
    dimensions,
    measures,
    where: conditions('where'),
    having: conditions('having'),
    order: list('order', readOrder),
    limit: readLimit(member(query, 'limit'), `${at}.limit`, context),
    options: readOptions(member(query, 'options'), `${at}.options`, context),
  };
  checkOthers(parsedQuery, at, context);
  return parsedQuery;
}

const isEmpty = (query: JsonObject, name: string): boolean => {
  const list = member(query, name) ?? [];
  return isList(list) && list.length === 0;
};

/** The queries of a request that can be read, and all faults of the request. */
export interface ParsedQueries {
  readonly queries: readonly Query[];
  /** True if the request is a batch. Its answer is then a list. */
  readonly batch: boolean;
  /**
   * Faults of the request. Their paths start with `find`, or with `find.queries[i]` in a batch. A query with faults
   * must not run.
   */
  readonly faults: readonly Fault[];
}

/** Values of `{parameter, type, value}` in filters, by name. */
export type ParameterValues = ReadonlyMap<string, Json>;

/**
 * Reads the `find` of a data query: one query or `{queries: [...]}`. Never throws; collects all faults with their
 * paths. `parameters` are values by `parameterName`, either for all queries or by the index of a query.
 */
export function parseQueries(
  find: Json,
  parameters: ParameterValues | ((index: number) => ParameterValues) = new Map(),
): ParsedQueries {
  const valuesOf = typeof parameters === 'function' ? parameters : (): ParameterValues => parameters;
  const faults: Fault[] = [];
  const batch = isObject(find) && member(find, 'queries') !== undefined;
  const place = batch ? 'find.queries' : 'find';
  const fault: ParseContext['fault'] = (at, message) => {
    if (faults.length < maxFaults) faults.push({ at, message });
    // The last fault is at the path of all queries, so that no query with an unreported fault runs.
    else if (faults.length === maxFaults) faults.push({ at: place, message: 'has more faults than are told' });
  };
  const context: ParseContext = { fault, parameters: valuesOf(0), left: [budgetOf('request', place)] };
  if (!batch) return { queries: [readQuery(find, 'find', context)], batch, faults };
  objectWith(find, 'find', ['queries'], context);
  const queries = listOf(member(find, 'queries'), 'find.queries', maxQueries, context, (entry, at, index) =>
    readQuery(entry, at, { ...context, parameters: valuesOf(index) }),
  );
  if (queries.length === 0 && faults.length === 0) context.fault('find.queries', 'must have at least one query');
  return { queries, batch, faults };
}

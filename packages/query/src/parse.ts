import { isList, isObject, member, type Json, type JsonObject } from '@inlay/contract';
import { readCondition } from './parse/condition.ts';
import { budgetOf, listOf, objectWith, spend, text, wholeNumber, type Fault, type Reading } from './parse/reading.ts';
import { readDimension, readMeasure, readOrder } from './parse/reference.ts';
import type { Condition, Query } from './query.ts';

const queriesMost = 100;
const columnsMost = 100;
const faultsMost = 1000;
const parts = ['dimensions', 'measures', 'where', 'having', 'order', 'limit', 'options'];
const optionNames = ['locale_id', 'timezone_id', 'rollup_data', 'weekstart'];
const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

function readOptions(json: Json | undefined, at: string, reading: Reading): Query['options'] {
  const options = json === undefined || json === null ? {} : (objectWith(json, at, optionNames, reading) ?? {});
  const rollup = member(options, 'rollup_data') ?? true;
  if (typeof rollup !== 'boolean') reading.fault(`${at}.rollup_data`, 'must be true or false');
  const given = member(options, 'weekstart');
  const named = typeof given === 'string' ? days.indexOf(given.toLowerCase()) : -1;
  return {
    localeId: text(options, 'locale_id', at, false, reading),
    timezoneId: text(options, 'timezone_id', at, false, reading),
    rollupData: rollup !== false,
    weekstart: named >= 0 ? named + 1 : wholeNumber(options, 'weekstart', at, [1, 7], reading),
  };
}

function readLimit(json: Json | undefined, at: string, reading: Reading): Query['limit'] {
  if (json === undefined || json === null) return { by: null, offset: 0 };
  const object = objectWith(json, at, ['by', 'offset'], reading) ?? {};
  const bounds = [0, 1_000_000_000] as const;
  return {
    by: wholeNumber(object, 'by', at, bounds, reading),
    offset: wholeNumber(object, 'offset', at, bounds, reading) ?? 0,
  };
}

function readQuery(json: Json, at: string, whole: Reading): Query {
  const reading: Reading = { ...whole, left: [...(whole.left ?? []), budgetOf('query', at)] };
  const query: JsonObject = objectWith(json, at, parts, reading) ?? {};
  const conditions = (clause: 'where' | 'having'): readonly Condition[] =>
    listOf(member(query, clause), `${at}.${clause}`, 500, reading, (one, place) =>
      readCondition(one, place, clause, reading),
    );
  const list = <One>(name: string, read: (json: Json, at: string, reading: Reading) => One | null): readonly One[] =>
    listOf(member(query, name), `${at}.${name}`, columnsMost, reading, (one, place) =>
      spend(reading, 'columns', 1) ? read(one, place, reading) : null,
    );
  const dimensions = list('dimensions', readDimension);
  const measures = list('measures', readMeasure);
  const asked = ['dimensions', 'measures'].some((name) => isList(member(query, name)) && member(query, name) !== null);
  if (isObject(json) && (!asked || (isEmpty(query, 'dimensions') && isEmpty(query, 'measures'))))
    reading.fault(at, 'asks for nothing: name dimensions or measures');
  return {
    dimensions,
    measures,
    where: conditions('where'),
    having: conditions('having'),
    order: list('order', readOrder),
    limit: readLimit(member(query, 'limit'), `${at}.limit`, reading),
    options: readOptions(member(query, 'options'), `${at}.options`, reading),
  };
}

const isEmpty = (query: JsonObject, name: string): boolean => {
  const list = member(query, name) ?? [];
  return isList(list) && list.length === 0;
};

/** What was asked, as far as it could be read, and everything wrong with it. */
export interface Parsed {
  readonly queries: readonly Query[];
  /** Whether several were asked: the answer is a list then. */
  readonly batch: boolean;
  /** At `find…`, or `find.queries[i]…` of a batch; a query with a fault must not run. */
  readonly faults: readonly Fault[];
}

/**
 * Reads the `find` of a data query: one query or `{queries: [...]}`. Never throws; every fault is
 * told at once, with its place. `parameters` are the values of `{parameter, type, value}` in filters by name
 *.
 */
export function parseQueries(find: Json, parameters: ReadonlyMap<string, Json> = new Map()): Parsed {
  const faults: Fault[] = [];
  const batch = isObject(find) && member(find, 'queries') !== undefined;
  const place = batch ? 'find.queries' : 'find';
  const fault: Reading['fault'] = (at, says) => {
    if (faults.length < faultsMost) faults.push({ at, says });
    // Told of the whole request, so that no query runs of which a fault is not told.
    else if (faults.length === faultsMost) faults.push({ at: place, says: 'has more faults than are told' });
  };
  const reading: Reading = { fault, parameters, left: [budgetOf('request', place)] };
  if (!batch) return { queries: [readQuery(find, 'find', reading)], batch, faults };
  objectWith(find, 'find', ['queries'], reading);
  const queries = listOf(member(find, 'queries'), 'find.queries', queriesMost, reading, (one, at) =>
    readQuery(one, at, reading),
  );
  if (queries.length === 0 && faults.length === 0) reading.fault('find.queries', 'must have at least one query');
  return { queries, batch, faults };
}

import { isObject, member, type Json, type JsonObject } from '@inlay/contract';
import { aggregations, type ColumnRef, type Dimension, type Measure, type Order } from '../query.ts';
import { objectWith, text, wholeNumber, word, type Reading } from './reading.ts';

/** Datetime levels in words, from 1. */
export const levelWords = [
  ...(['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second', 'millisecond'] as const),
] as const;
/** The most levels a hierarchy may have. */
const levelMost = 20;
const binsMost = 1000;

/** What clients send along with a column and what says nothing here. */
const besides = ['id', 'label', 'name', 'type', 'subtype', 'format', 'lowestLevel'];
const columnMembers = ['dataset_id', 'column_id', 'level', ...besides];
const measureMembers = [...columnMembers, 'aggregation', 'formula_id', 'formula'];

function levelOf(object: JsonObject, at: string, reading: Reading): number | null {
  const given = member(object, 'level');
  const named = levelWords.findIndex((one) => one === given);
  return named >= 0 ? named + 1 : wholeNumber(object, 'level', at, [1, levelMost], reading);
}

function columnOf(object: JsonObject, at: string, reading: Reading): ColumnRef | null {
  const datasetId = text(object, 'dataset_id', at, true, reading);
  const columnId = text(object, 'column_id', at, true, reading);
  const level = levelOf(object, at, reading);
  return datasetId === null || columnId === null ? null : { datasetId, columnId, level };
}

/** A column as a filter names it. */
export function readColumn(json: Json | undefined, at: string, reading: Reading): ColumnRef | null {
  const object = objectWith(json, at, columnMembers, reading);
  return object === null ? null : columnOf(object, at, reading);
}

/** A dimension. */
export function readDimension(json: Json, at: string, reading: Reading): Dimension | null {
  const object = objectWith(json, at, [...columnMembers, 'discretization'], reading);
  if (object === null) return null;
  const column = columnOf(object, at, reading);
  const given = member(object, 'discretization') ?? null;
  let bins: number | null = null;
  if (given !== null) {
    const cut = objectWith(given, `${at}.discretization`, ['type', 'bins'], reading);
    if (cut !== null) {
      word(cut, 'type', `${at}.discretization`, ['linear'], reading);
      bins = wholeNumber(cut, 'bins', `${at}.discretization`, [1, binsMost], reading);
      if ((member(cut, 'bins') ?? null) === null) reading.fault(`${at}.discretization.bins`, 'is required');
    }
  }
  return column === null ? null : { ...column, bins };
}

function aggregationOf(object: JsonObject, at: string, reading: Reading) {
  const given = member(object, 'aggregation') ?? null;
  const none = { aggregation: null, second: null };
  if (given === null) return none;
  const written: Json = isObject(given) ? given : { type: given };
  const inner = objectWith(written, `${at}.aggregation`, ['type', 'column_id', 'dataset_id'], reading);
  if (inner === null) return none;
  if (member(inner, 'type') === undefined) reading.fault(`${at}.aggregation.type`, 'is required');
  const aggregation = word(inner, 'type', `${at}.aggregation`, aggregations, reading);
  const columnId = text(inner, 'column_id', `${at}.aggregation`, false, reading);
  const datasetId = text(inner, 'dataset_id', `${at}.aggregation`, false, reading) ?? member(object, 'dataset_id');
  const second = columnId === null || typeof datasetId !== 'string' ? null : { datasetId, columnId };
  const needed = aggregation === 'weightedaverage' || aggregation === 'rate';
  if (needed && columnId === null) reading.fault(`${at}.aggregation.column_id`, `is required for ${aggregation}`);
  return { aggregation, second };
}

/** A measure: a column with its aggregation, a formula by id or as text, or `*` for the number of rows. */
export function readMeasure(json: Json | undefined, at: string, reading: Reading): Measure | null {
  const object = objectWith(json, at, measureMembers, reading);
  if (object === null) return null;
  const formulaId = text(object, 'formula_id', at, false, reading);
  const formula = text(object, 'formula', at, false, reading);
  if (formulaId !== null || formula !== null) {
    const datasetId = text(object, 'dataset_id', at, false, reading);
    return formulaId === null
      ? { kind: 'expression', datasetId, text: formula ?? '' }
      : { kind: 'formula', datasetId, formulaId };
  }
  const on = columnOf(object, at, reading);
  const { aggregation, second } = aggregationOf(object, at, reading);
  if (on === null) return null;
  if (on.columnId !== '*') return { kind: 'column', on, aggregation, second };
  if (aggregation !== null && aggregation !== 'count')
    reading.fault(`${at}.aggregation`, 'must be count for "*", the rows');
  return { kind: 'rows', datasetId: on.datasetId };
}

/** A sort key: by a dimension, by a measure of the query or by another one. */
export function readOrder(json: Json, at: string, reading: Reading): Order | null {
  const object = objectWith(json, at, [...measureMembers, 'order'], reading);
  if (object === null) return null;
  const given = member(object, 'order');
  const lower: JsonObject = typeof given === 'string' ? { order: given.toLowerCase() } : object;
  const direction = word(lower, 'order', at, ['asc', 'desc'], reading) ?? 'asc';
  const { order: _order, ...rest } = object;
  const measure = readMeasure(rest, at, reading);
  if (measure === null) return null;
  if (measure.kind === 'column')
    return { on: measure.on, measure: measure.aggregation === null ? null : measure, direction };
  const datasetId = measure.datasetId ?? '';
  return { on: { datasetId, columnId: '*', level: null }, measure, direction };
}

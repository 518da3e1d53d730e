import {
  isObject,
  member,
  timeParts,
  type Json,
  type JsonObject,
  type TimePart as TimePartWord,
} from '@inlay/contract';
import {
  aggregations,
  type Bins,
  type ColumnRef,
  type Dimension,
  type GroupRef,
  type Measure,
  type Order,
  type TimePart,
} from '../query.ts';
import { objectWith, text, wholeNumber, word, type ParseContext } from './context.ts';

/** Names of datetime levels, from level 1. */
export const levelWords = [
  ...(['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second', 'millisecond'] as const),
] as const;
/** Maximum number of levels of a hierarchy. */
const maxLevel = 20;
const maxBins = 1000;

/** Members of columns that clients send and this parser ignores. */
const besides = ['id', 'label', 'name', 'type', 'subtype', 'format', 'lowestLevel'];
const columnMembers = ['dataset_id', 'column_id', 'level', ...besides, 'datasetId', 'columnId'];
const measureMembers = [...columnMembers, 'aggregation', 'formula_id', 'formula'];

function levelOf(object: JsonObject, at: string, context: ParseContext): number | null {
  const level = member(object, 'level');
  const index = levelWords.findIndex((levelWord) => levelWord === level);
  return index >= 0 ? index + 1 : wholeNumber(object, 'level', at, [1, maxLevel], context);
}

/** Parts of a time by their names in requests. Answers have numbers; clients turn them into names. */
const partWords = {
  weekday_name: 'weekday',
  weekday_number: 'weekday',
  month_name: 'month',
  month_number: 'month',
  quarter_number: 'quarter',
  week_number: 'week',
  day_in_month: 'day',
  day_in_year: 'dayOfYear',
  hour_in_day: 'hour',
  minute_in_hour: 'minute',
} as const satisfies Readonly<Record<TimePartWord, TimePart>>;

/** Returns a column to group by, with its part of a time. A part replaces the level. */
function groupRef(column: ColumnRef, object: JsonObject, at: string, context: ParseContext): GroupRef {
  const part = word(object, 'part', at, timeParts, context);
  return part === null ? { ...column, part: null } : { ...column, level: null, part: partWords[part] };
}

/** Returns the name under which an object has a member: `name`, or the spelling of slots, `inSlots`. */
const spelled = (object: JsonObject, name: string, inSlots: string): string =>
  member(object, name) === undefined && member(object, inSlots) !== undefined ? inSlots : name;

function columnOf(object: JsonObject, at: string, context: ParseContext): ColumnRef | null {
  const datasetId = text(object, spelled(object, 'dataset_id', 'datasetId'), at, true, context);
  const columnId = text(object, spelled(object, 'column_id', 'columnId'), at, true, context);
  const level = levelOf(object, at, context);
  return datasetId === null || columnId === null ? null : { datasetId, columnId, level };
}

/** Reads a column reference of a filter. */
export function readColumn(json: Json | undefined, at: string, context: ParseContext): ColumnRef | null {
  const object = objectWith(json, at, columnMembers, context);
  return object === null ? null : columnOf(object, at, context);
}

/** Reads a dimension. */
export function readDimension(json: Json, at: string, context: ParseContext): Dimension | null {
  const object = objectWith(json, at, [...columnMembers, 'part', 'discretization'], context);
  if (object === null) return null;
  const column = columnOf(object, at, context);
  const discretization = member(object, 'discretization') ?? null;
  let bins: Bins | null = null;
  if (discretization !== null) {
    const discretizationObject = objectWith(discretization, `${at}.discretization`, ['type', 'bins'], context);
    if (discretizationObject !== null) {
      const type = word(discretizationObject, 'type', `${at}.discretization`, ['linear', 'nice'], context);
      const count = wholeNumber(discretizationObject, 'bins', `${at}.discretization`, [1, maxBins], context);
      bins = count === null ? null : { count, isRound: type === 'nice' };
      if ((member(discretizationObject, 'bins') ?? null) === null)
        context.fault(`${at}.discretization.bins`, 'is required');
    }
  }
  return column === null ? null : { ...groupRef(column, object, at, context), bins };
}

function aggregationOf(object: JsonObject, at: string, context: ParseContext) {
  const value = member(object, 'aggregation') ?? null;
  const noAggregation = { aggregation: null, second: null };
  if (value === null) return noAggregation;
  const wireAggregation: Json = isObject(value) ? value : { type: value };
  const aggregationObject = objectWith(
    wireAggregation,
    `${at}.aggregation`,
    ['type', 'column_id', 'dataset_id'],
    context,
  );
  if (aggregationObject === null) return noAggregation;
  if (member(aggregationObject, 'type') === undefined) context.fault(`${at}.aggregation.type`, 'is required');
  const aggregation = word(aggregationObject, 'type', `${at}.aggregation`, aggregations, context);
  const columnId = text(aggregationObject, 'column_id', `${at}.aggregation`, false, context);
  const datasetId =
    text(aggregationObject, 'dataset_id', `${at}.aggregation`, false, context) ?? member(object, 'dataset_id');
  const secondColumn = columnId === null || typeof datasetId !== 'string' ? null : { datasetId, columnId };
  const needsSecond = aggregation === 'weightedaverage' || aggregation === 'rate';
  if (needsSecond && columnId === null) context.fault(`${at}.aggregation.column_id`, `is required for ${aggregation}`);
  return { aggregation, second: secondColumn };
}

/**
 * Reads a measure: a column with its aggregation, a formula given by its id or its text, or `*` for the number of rows.
 */
export function readMeasure(json: Json | undefined, at: string, context: ParseContext): Measure | null {
  const object = objectWith(json, at, measureMembers, context);
  return object === null ? null : measureOf(object, at, context);
}

function measureOf(object: JsonObject, at: string, context: ParseContext): Measure | null {
  const formulaId = text(object, 'formula_id', at, false, context);
  const formula = text(object, 'formula', at, false, context);
  if (formulaId !== null || formula !== null) {
    const datasetId = text(object, 'dataset_id', at, false, context);
    return formulaId === null
      ? { kind: 'expression', datasetId, text: formula ?? '' }
      : { kind: 'formula', datasetId, formulaId };
  }
  const column = columnOf(object, at, context);
  const { aggregation, second } = aggregationOf(object, at, context);
  if (column === null) return null;
  if (column.columnId !== '*') return { kind: 'column', on: column, aggregation, second };
  if (aggregation !== null && aggregation !== 'count')
    context.fault(`${at}.aggregation`, 'must be count for "*", the rows');
  return { kind: 'rows', datasetId: column.datasetId };
}

/** Reads a sort key: a dimension or measure of the query, or a measure that the query does not return. */
export function readOrder(json: Json, at: string, context: ParseContext): Order | null {
  const object = objectWith(json, at, [...measureMembers, 'part', 'order'], context);
  if (object === null) return null;
  const order = member(object, 'order');
  const lowerCased: JsonObject = typeof order === 'string' ? { order: order.toLowerCase() } : object;
  const direction = word(lowerCased, 'order', at, ['asc', 'desc'], context) ?? 'asc';
  const measure = measureOf(object, at, context);
  if (measure === null) return null;
  if (measure.kind === 'column')
    return {
      on: groupRef(measure.on, object, at, context),
      measure: measure.aggregation === null ? null : measure,
      direction,
    };
  const datasetId = measure.datasetId ?? '';
  return { on: { datasetId, columnId: '*', level: null, part: null }, measure, direction };
}

import { isList, isObject, member, type Json, type JsonObject } from '@inlay/contract';
import type { ChartDataset } from '../../packages/service/src/aichart/dataset.ts';
import type { Expected } from './own-questions.ts';

const groupSlots = new Set([
  'x-axis',
  'y-axis',
  'category',
  'levels',
  'row',
  'columns',
  'time',
  'dimension',
  'slidermetric',
]);
const levels = ['', 'year', 'quarter', 'month', 'week', 'day', 'hour', 'minute'];

interface Shown {
  readonly groups: readonly string[];
  readonly measures: readonly string[];
  readonly legend: string | null;
}

const text = (object: Json, name: string): string => {
  const held = isObject(object) ? member(object, name) : undefined;
  return typeof held === 'string' ? held : '';
};

function grainOf(entry: Json): string {
  if (!isObject(entry)) return '';
  if (text(entry, 'datetimeDisplayMode') === 'weekday_name') return '@weekday';
  const level = member(entry, 'level');
  return typeof level === 'number' ? `@${levels[level] ?? ''}` : '';
}

/** What an item shows, in the terms of the expectations. */
export function shownBy(item: JsonObject, dataset: ChartDataset): Shown {
  const type = text(item, 'type');
  const name = (entry: Json): string => {
    const column = dataset.columns.find(({ id }) => id === text(entry, 'columnId'));
    return Object.values(column?.name ?? {})[0] ?? '';
  };
  const slots = member(item, 'slots');
  const held = (slot: string): readonly Json[] => {
    const found = isList(slots) ? slots.find((one) => text(one, 'name') === slot) : undefined;
    const content = isObject(found) ? member(found, 'content') : undefined;
    return isList(content) ? content : [];
  };
  const scatter = type === 'scatter-plot';
  const measureSlot = scatter ? 'y-axis' : 'measure';
  const groups = [...groupSlots]
    .filter((slot) => slot !== measureSlot && !(scatter && slot !== 'x-axis'))
    .flatMap(held);
  const measures = held(measureSlot).map((entry) => {
    const how = text(entry, 'aggregationFunc');
    return how === 'count' ? '#' : `${how} ${name(entry)}`.trim();
  });
  const counted = measures.length === 0 && !type.endsWith('-filter') && type !== 'regular-table' ? ['#'] : measures;
  const [legend] = [...held('legend'), ...held('color'), ...(type === 'pivot-table' ? held('column') : [])];
  return {
    groups: groups.map((entry) => name(entry) + grainOf(entry)),
    measures: counted,
    legend: legend === undefined ? null : name(legend) + grainOf(legend),
  };
}

/** "Order Date" accepts any grain, "Revenue" any way to compute it. */
const accepts = (wanted: string, shown: string): boolean =>
  wanted === shown ||
  (!wanted.includes('@') && shown.startsWith(`${wanted}@`)) ||
  (wanted !== '#' && shown.endsWith(` ${wanted}`) && !/^(?:sum|average|min|max|median|distinctcount) /u.test(wanted));

const sameList = (wanted: readonly string[] | null, shown: readonly string[]): boolean =>
  wanted === null || (wanted.length === shown.length && wanted.every((one, at) => accepts(one, shown[at] ?? '')));

/** True if an item is what a question expects: its type, its slots, and its order and limit. */
export function judge(
  expected: Expected,
  item: JsonObject,
  dataset: ChartDataset,
): { type: boolean; slots: boolean; order: boolean } {
  const shown = shownBy(item, dataset);
  const options = member(item, 'options');
  const sort = isObject(options) ? member(options, 'sort') : undefined;
  const limit = isObject(options) ? member(options, 'limit') : undefined;
  const by = text(sort ?? null, 'by') === 'measure' ? 'm' : 'g';
  const isType = expected.types.some((type) => type === text(item, 'type'));
  const legend =
    expected.legend === null
      ? shown.legend === null || expected.groups === null
      : accepts(expected.legend, shown.legend ?? '');
  const swapped =
    text(item, 'type') === 'scatter-plot' &&
    sameList(expected.groups, shown.measures) &&
    sameList(expected.measures, shown.groups);
  return {
    type: isType,
    slots:
      isType &&
      legend &&
      (swapped || (sameList(expected.groups, shown.groups) && sameList(expected.measures, shown.measures))),
    order:
      (expected.sort === null || `${by} ${text(sort ?? null, 'order')}` === expected.sort) &&
      (expected.limit === null || (typeof limit === 'number' ? String(limit) : '') === expected.limit),
  };
}

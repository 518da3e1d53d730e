/** Charts that an item of a dashboard can be. */
export const chartTypes = [
  ...(['area-chart', 'bar-chart', 'bubble-chart', 'circle-pack-chart', 'column-chart', 'donut-chart'] as const),
  ...(['line-chart', 'evolution-number', 'pivot-table', 'regular-table', 'scatter-plot'] as const),
  ...(['sunburst-chart', 'treemap-chart'] as const),
] as const;
/** Filters that an item of a dashboard can be. */
export const filterTypes = ['date-filter', 'dropdown-filter', 'slicer-filter', 'slider-filter'] as const;

export type ChartType = (typeof chartTypes)[number];
export type FilterType = (typeof filterTypes)[number];
export type ItemType = ChartType | FilterType;

/** Every type of item: 13 charts, then 4 filters. */
export const itemTypes: readonly ItemType[] = [...chartTypes, ...filterTypes];

/** Whether a text names a type of item. */
export const isItemType = (text: string): text is ItemType => itemTypes.some((type) => type === text);
/** Whether a type of item is a filter. */
export const isFilterType = (text: string): text is FilterType => filterTypes.some((type) => type === text);

/** What a slot holds: a number to draw, something to group by, either, a moment, or a number or moment to slide along. */
export type SlotTakes = 'measure' | 'category' | 'either' | 'datetime' | 'range';

/** One slot of a type of item. specification/dashboards#slots */
export interface SlotRule {
  readonly name: string;
  readonly takes: SlotTakes;
  readonly required: boolean;
  /** Several columns may stand in it; otherwise at most one. */
  readonly many: boolean;
}

const slot = (name: string, takes: SlotTakes, more: { required?: true; many?: true } = {}): SlotRule => ({
  name,
  takes,
  required: more.required === true,
  many: more.many === true,
});
const required = { required: true } as const;
const many = { many: true } as const;
const both = { required: true, many: true } as const;

const measures = slot('measure', 'measure', many);
const line = [slot('x-axis', 'category', required), measures, slot('legend', 'category')];
const rings = [slot('levels', 'category', both), slot('measure', 'measure')];
const tiles = [slot('category', 'category', required), slot('measure', 'measure'), slot('color', 'category')];

/** The slots of each type, in the order they are answered (dashboard contents: slots). */
export const slotsOf: Readonly<Record<ItemType, readonly SlotRule[]>> = {
  'area-chart': line,
  'bar-chart': [slot('y-axis', 'category'), measures, slot('legend', 'category')],
  'bubble-chart': tiles,
  'circle-pack-chart': rings,
  'column-chart': [slot('x-axis', 'category'), measures, slot('legend', 'category')],
  'donut-chart': [slot('category', 'category'), measures],
  'line-chart': line,
  'evolution-number': [slot('measure', 'measure', required), slot('evolution', 'datetime')],
  'pivot-table': [slot('row', 'category', many), slot('column', 'category', many), measures],
  'regular-table': [slot('columns', 'either', both)],
  'scatter-plot': [
    slot('x-axis', 'either', required),
    slot('y-axis', 'either', required),
    slot('name', 'category', many),
    slot('size', 'measure'),
    slot('color', 'category'),
  ],
  'sunburst-chart': rings,
  'treemap-chart': tiles,
  'date-filter': [slot('time', 'datetime', both)],
  'dropdown-filter': [slot('dimension', 'category', both)],
  'slicer-filter': [slot('dimension', 'category', many), slot('measure', 'measure')],
  'slider-filter': [slot('slidermetric', 'range', both)],
};

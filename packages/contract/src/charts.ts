/** Charts that an item of a dashboard can be. */
export const chartTypes = [
  ...(['area-chart', 'bar-chart', 'bubble-chart', 'circle-pack-chart', 'column-chart', 'donut-chart'] as const),
  ...(['line-chart', 'evolution-number', 'pivot-table', 'regular-table', 'scatter-plot'] as const),
  ...(['sunburst-chart', 'treemap-chart', 'conditional-number', 'bullet-chart', 'circular-gauge'] as const),
  ...(['speedometer-chart', 'combination-chart', 'heat-table', 'funnel-chart', 'waterfall-chart'] as const),
  ...(['histogram', 'choropleth-map', 'symbol-map'] as const),
] as const;
/** Filters that an item of a dashboard can be. */
export const filterTypes = [
  'date-filter',
  'date-comparison-filter',
  'dropdown-filter',
  'search-filter',
  'slicer-filter',
  'slider-filter',
] as const;

/** What an item of a dashboard can be beside them, without rows: what stands between charts, and controls of parameters. */
export const contentTypes = ['text', 'image', 'divider', 'spacer', 'tabs', 'parameter-control'] as const;

export type ChartType = (typeof chartTypes)[number];
export type FilterType = (typeof filterTypes)[number];
export type ContentType = (typeof contentTypes)[number];
/** An item that shows rows, or filters them. */
export type DataItemType = ChartType | FilterType;
export type ItemType = DataItemType | ContentType;

// A bundler leaves out what elements never ask for: the lists of all types, and the slots below.
/* @__NO_SIDE_EFFECTS__ */
const together = <Type>(...lists: readonly (readonly Type[])[]): readonly Type[] => lists.flat();

/** Every type of item that shows rows or filters them: charts, then filters. */
export const dataItemTypes: readonly DataItemType[] = together<DataItemType>(chartTypes, filterTypes);
/** Every type of item. */
export const itemTypes: readonly ItemType[] = together<ItemType>(dataItemTypes, contentTypes);

/** Whether a text names a type of item. */
export const isItemType = (text: string): text is ItemType => itemTypes.some((type) => type === text);
/** Whether a text names a type of item that shows rows or filters them. */
export const isDataItemType = (text: string): text is DataItemType => dataItemTypes.some((type) => type === text);
/** Whether a type of item is a filter. */
export const isFilterType = (text: string): text is FilterType => filterTypes.some((type) => type === text);
/** Whether items of a type ask for no rows of their own. */
export const isContentType = (text: string): text is ContentType => contentTypes.some((type) => type === text);

/** Types that show one number. */
const numberTypes = ['evolution-number', 'conditional-number'];
/** Whether items of a type show one number. */
export const isNumberType = (type: string): boolean => numberTypes.includes(type);

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

/* @__NO_SIDE_EFFECTS__ */
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
const gauge = [slot('measure', 'measure', required), slot('target', 'measure')];
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
  'conditional-number': [
    slot('measure', 'measure', required),
    slot('target', 'measure'),
    slot('evolution', 'datetime'),
  ],
  'bullet-chart': [slot('category', 'category'), slot('measure', 'measure', required), slot('target', 'measure')],
  'circular-gauge': gauge,
  'speedometer-chart': gauge,
  'combination-chart': [slot('x-axis', 'category', required), measures],
  'heat-table': [
    slot('x-axis', 'category', required),
    slot('y-axis', 'category', required),
    slot('measure', 'measure'),
  ],
  'funnel-chart': [slot('category', 'category'), measures],
  'waterfall-chart': [slot('x-axis', 'category', required), slot('measure', 'measure')],
  histogram: [slot('x-axis', 'either', required), slot('measure', 'measure')],
  'choropleth-map': [slot('geo', 'category', required), slot('measure', 'measure')],
  'symbol-map': [slot('geo', 'category', required), slot('measure', 'measure'), slot('category', 'category')],
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
  'date-comparison-filter': [slot('time', 'datetime', required)],
  'dropdown-filter': [slot('dimension', 'category', both)],
  'search-filter': [slot('dimension', 'category', required)],
  'slicer-filter': [slot('dimension', 'category', many), slot('measure', 'measure')],
  'slider-filter': [slot('slidermetric', 'range', both)],
  text: [measures],
  image: [],
  divider: [],
  spacer: [],
  tabs: [],
  'parameter-control': [],
};

import type { ItemType } from '@inlay/contract';
import type { Chart } from './frame/chart.ts';

type Load = () => Promise<{ readonly chart: Chart }>;

/** All item types. The code of each is loaded on demand. */
export const charts = {
  'area-chart': () => import('./area-chart.ts'),
  'bar-chart': () => import('./bar-chart.ts'),
  'bubble-chart': () => import('./bubble-chart.ts'),
  'circle-pack-chart': () => import('./circle-pack-chart.ts'),
  'column-chart': () => import('./column-chart.ts'),
  'donut-chart': () => import('./donut-chart.ts'),
  'combination-chart': () => import('./combination-chart.ts'),
  'conditional-number': () => import('./conditional-number.ts'),
  'bullet-chart': () => import('./bullet-chart.ts'),
  'circular-gauge': () => import('./circular-gauge.ts'),
  'speedometer-chart': () => import('./speedometer-chart.ts'),
  'line-chart': () => import('./line-chart.ts'),
  'evolution-number': () => import('./evolution-number.ts'),
  'pivot-table': () => import('./pivot-table.ts'),
  'regular-table': () => import('./regular-table.ts'),
  'scatter-plot': () => import('./scatter-plot.ts'),
  'sunburst-chart': () => import('./sunburst-chart.ts'),
  'treemap-chart': () => import('./treemap-chart.ts'),
  'date-filter': () => import('./date-filter.ts'),
  'date-comparison-filter': () => import('./date-comparison-filter.ts'),
  'dropdown-filter': () => import('./dropdown-filter.ts'),
  'search-filter': () => import('./search-filter.ts'),
  'slicer-filter': () => import('./slicer-filter.ts'),
  'slider-filter': () => import('./slider-filter.ts'),
  'waterfall-chart': () => import('./waterfall-chart.ts'),
  'funnel-chart': () => import('./funnel-chart.ts'),
  'heat-table': () => import('./heat-table.ts'),
  'choropleth-map': () => import('./choropleth-map.ts'),
  'symbol-map': () => import('./symbol-map.ts'),
  histogram: () => import('./histogram.ts'),
  text: () => import('./text.ts'),
  image: () => import('./image.ts'),
  divider: () => import('./divider.ts'),
  spacer: () => import('./spacer.ts'),
  tabs: () => import('./tabs.ts'),
  'parameter-control': () => import('./parameter-control.ts'),
} as const satisfies Readonly<Record<ItemType, Load>>;

const byName: Readonly<Record<string, Load>> = charts;

/** Loads the chart of an item type; null if the type is unknown. */
export const loadChart = async (type: string): Promise<Chart | null> =>
  Object.hasOwn(byName, type) ? ((await byName[type]?.())?.chart ?? null) : null;

export * from './frame/chart.ts';
export * from './frame/frame.ts';
export type { Mark } from './frame/mark.ts';
export type * from './frame/table.ts';

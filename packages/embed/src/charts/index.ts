import type { ItemType } from '@inlay/contract';
import type { Chart } from './drawing/chart.ts';

type Load = () => Promise<{ readonly chart: Chart }>;

/** Every type of item, loaded when the first one of it is shown (one file each). */
export const charts = {
  'area-chart': () => import('./area-chart.ts'),
  'bar-chart': () => import('./bar-chart.ts'),
  'bubble-chart': () => import('./bubble-chart.ts'),
  'circle-pack-chart': () => import('./circle-pack-chart.ts'),
  'column-chart': () => import('./column-chart.ts'),
  'donut-chart': () => import('./donut-chart.ts'),
  'line-chart': () => import('./line-chart.ts'),
  'evolution-number': () => import('./evolution-number.ts'),
  'pivot-table': () => import('./pivot-table.ts'),
  'regular-table': () => import('./regular-table.ts'),
  'scatter-plot': () => import('./scatter-plot.ts'),
  'sunburst-chart': () => import('./sunburst-chart.ts'),
  'treemap-chart': () => import('./treemap-chart.ts'),
  'date-filter': () => import('./date-filter.ts'),
  'dropdown-filter': () => import('./dropdown-filter.ts'),
  'slicer-filter': () => import('./slicer-filter.ts'),
  'slider-filter': () => import('./slider-filter.ts'),
} as const satisfies Readonly<Record<ItemType, Load>>;

const byName: Readonly<Record<string, Load>> = charts;

/** Loads the chart of a type; null where there is none of that name. */
export const loadChart = async (type: string): Promise<Chart | null> =>
  Object.hasOwn(byName, type) ? ((await byName[type]?.())?.chart ?? null) : null;

export * from './drawing/chart.ts';
export * from './drawing/frame.ts';
export { plainTable } from './drawing/table.ts';

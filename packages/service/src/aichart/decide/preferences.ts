import type { DataItemType, FilterType } from '@inlay/contract';

/** Chart types for each intent of a question; the best type comes first. */
export const preferredCharts = {
  category: ['bar-chart', 'column-chart', 'donut-chart'],
  matrix: ['heat-table', 'pivot-table'],
  number: ['evolution-number', 'column-chart', 'regular-table'],
  numbers: ['column-chart', 'regular-table', 'evolution-number'],
  relation: ['scatter-plot', 'bubble-chart', 'regular-table'],
  rows: ['regular-table'],
  series: ['bar-chart', 'column-chart', 'pivot-table'],
  share: ['donut-chart', 'bar-chart', 'treemap-chart'],
  stack: ['bar-chart', 'column-chart', 'area-chart'],
  step: ['column-chart', 'bar-chart', 'line-chart'],
  time: ['line-chart', 'column-chart', 'area-chart'],
} as const satisfies Readonly<Record<string, readonly DataItemType[]>>;

/** Filter type for each kind of column: times, numbers, columns with few texts, and columns with many texts. */
export const preferredFilters = {
  times: 'date-filter',
  numbers: 'slider-filter',
  fewTexts: 'slicer-filter',
  manyTexts: 'dropdown-filter',
} as const satisfies Readonly<Record<string, FilterType>>;

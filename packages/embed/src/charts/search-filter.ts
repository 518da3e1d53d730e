import type { FilterControl } from './frame/chart.ts';

export const chart: FilterControl = {
  kind: 'filter',
  type: 'search-filter',
  control: (frame) => ({ kind: 'text', field: frame.slot('dimension')[0] ?? null }),
};

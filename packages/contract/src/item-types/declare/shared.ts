import { oneOrMore, optional, required, several } from './slot.ts';

/** Options of every chart. */
export const menuOptions = ['menu', 'exports', 'actions'] as const;
/** Options of charts with marks or cells. */
export const markOptions = ['link', ...menuOptions] as const;
/** Options of charts with a category axis and a value axis. */
export const cartesianOptions = [...markOptions, 'axis', 'legend', 'seriesLimit', 'labels', 'references'] as const;
export const lineOptions = [...cartesianOptions, 'curve', 'points', 'trend'] as const;
export const barOptions = [...cartesianOptions, 'others', 'stacked', 'percent', 'oneColor', 'rules'] as const;
export const gaugeOptions = [...markOptions, 'rules', 'range'] as const;
export const tableOptions = [...markOptions, 'rules', 'scale', 'totals', 'bars'] as const;

export const measures = several('measure', 'measure');
export const lineSlots = [required('x-axis', 'category'), measures, optional('legend', 'series')] as const;
export const columnSlots = [optional('x-axis', 'category'), measures, optional('legend', 'series')] as const;
export const levelSlots = [oneOrMore('levels', 'level'), optional('measure', 'measure')] as const;
export const gaugeSlots = [required('measure', 'measure'), optional('target', 'target')] as const;
export const tileSlots = [
  required('category', 'category'),
  optional('measure', 'measure'),
  optional('color', 'color'),
] as const;
export const stageSlots = [optional('category', 'category'), measures] as const;

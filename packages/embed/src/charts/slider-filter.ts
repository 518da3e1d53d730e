import type { FilterControl } from './chart.ts';
import { rangeOf } from './range.ts';

export const chart: FilterControl = { kind: 'filter', type: 'slider-filter', control: (frame) => rangeOf(frame) };

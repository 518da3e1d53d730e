import type { FilterControl } from './frame/chart.ts';
import { rangeOf } from './drawing/range.ts';

export const chart: FilterControl = { kind: 'filter', type: 'date-filter', control: (frame) => rangeOf(frame) };

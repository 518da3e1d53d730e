import type { FilterControl } from './chart.ts';
import { choiceOf } from './choice.ts';

export const chart: FilterControl = { kind: 'filter', type: 'slicer-filter', control: choiceOf };

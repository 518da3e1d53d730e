import type { FilterControl } from './drawing/chart.ts';
import { choiceOf } from './drawing/choice.ts';

export const chart: FilterControl = { kind: 'filter', type: 'dropdown-filter', control: choiceOf };

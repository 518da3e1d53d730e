import type { FilterControl } from './frame/chart.ts';
import { choiceOf } from './drawing/choice.ts';

export const chart: FilterControl = {
  kind: 'filter',
  type: 'dropdown-filter',
  control: (frame, context) => choiceOf(frame, context, 'dropdown'),
};

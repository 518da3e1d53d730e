import type { FilterControl } from './frame/chart.ts';
import { choiceOf } from './drawing/choice.ts';

export const chart: FilterControl = {
  kind: 'filter',
  type: 'slicer-filter',
  scrolls: true,
  control: (frame, context) => choiceOf(frame, context, frame.settings.hasButtons ? 'buttons' : 'list'),
};

import { tabsOf, inLanguage } from '@inlay/contract';
import type { ContentChart } from './frame/chart.ts';

export const chart: ContentChart = {
  kind: 'content',
  type: 'tabs',
  content: (item, _frame, { formats }) => ({
    kind: 'tabs',
    tabs: tabsOf(item).map(({ id, title }) => ({ id, title: inLanguage(title, formats.locale) || id })),
  }),
};

import type { ContentChart } from './frame/chart.ts';

export const chart: ContentChart = { kind: 'content', type: 'spacer', content: () => ({ kind: 'none' }) };

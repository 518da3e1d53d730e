import type { ContentChart } from './frame/chart.ts';

export const chart: ContentChart = { kind: 'content', type: 'divider', content: () => ({ kind: 'line' }) };

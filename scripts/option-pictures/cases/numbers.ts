import type { CaseGroup } from '../case.ts';
import { column, euros, months } from './entries.ts';

const gauge = { measure: column('margin', { format: '.0%', aggregationFunc: 'average' }) };

/** Single numbers and gauges. */
export const numberCases: CaseGroup = {
  title: 'Numbers and gauges',
  cases: [
    {
      shows: ['comparison.with'],
      type: 'evolution-number',
      slots: { measure: euros('revenue'), evolution: months },
      shots: [{}, { comparison: { with: 'year' } }],
      seen: ['a fall against the month before', 'a rise against the same month a year before'],
    },
    {
      shows: ['comparison.lowerIsBetter'],
      type: 'evolution-number',
      slots: { measure: column('orders', { format: ',.0f' }), evolution: months },
      shots: [{}, { comparison: { lowerIsBetter: true } }],
      seen: ['a fall in red', 'a fall in green'],
    },
    {
      shows: ['range.min'],
      type: 'speedometer-chart',
      slots: gauge,
      shots: [{ range: { max: 0.5 } }, { range: { min: 0.2, max: 0.5 } }],
      seen: ['33% on a scale from 0% to 50%', '33% on a scale from 20% to 50%'],
    },
    {
      shows: ['range.max'],
      type: 'circular-gauge',
      slots: gauge,
      shots: [{}, { range: { max: 0.5 } }],
      seen: ['33% of a ring that ends at 100%', '33% of a ring that ends at 50%'],
    },
  ],
};

import type { JsonObject } from '@inlay/contract';
import type { CaseGroup } from '../case.ts';
import type { ColumnId } from '../columns.ts';
import { column, euros, months, quarters } from './entries.ts';

const bars = (measure: ColumnId) => ({
  type: 'bar-chart',
  entryOf: 'measure',
  slots: { 'y-axis': column('country'), measure: column(measure) },
});
const table = (measure: ColumnId, more: JsonObject = {}) => ({
  type: 'regular-table',
  entryOf: 'columns',
  slots: { columns: [column(measure, { aggregationFunc: 'average', ...more }), column('country')] },
});
const number = (measure: ColumnId) => ({
  type: 'evolution-number',
  entryOf: 'measure',
  slots: { measure: column(measure, { format: ',.0f' }) },
});
const byTime = (type: string, time: JsonObject) => ({
  type,
  entryOf: 'x-axis',
  slots: { 'x-axis': time, measure: euros('revenue') },
});

/** How the values of an entry are named and written. */
export const writingCases: CaseGroup = {
  title: 'Names and formats',
  cases: [
    {
      shows: ['label'],
      ...table('revenue', { format: ',.0f' }),
      shots: [{}, { label: 'Sold each week' }],
      seen: ['a column headed Revenue', 'a column headed Sold each week'],
    },
    {
      shows: ['format'],
      ...table('revenue'),
      shots: [{}, { format: ',.0f' }],
      seen: ['numbers with two decimals', 'whole numbers'],
    },
    {
      shows: ['format'],
      ...byTime('line-chart', quarters),
      shots: [{}, { format: '%m/%Y' }],
      seen: ['quarters such as Q1 2024', 'months and years such as 01/2024'],
    },
    {
      shows: ['currency'],
      ...number('revenue'),
      shots: [{}, { currency: 'EUR' }],
      seen: ['a number', 'a number of euros'],
    },
    {
      shows: ['unit'],
      ...number('orders'),
      shots: [{}, { unit: 'kg' }],
      seen: ['a number', 'a number of kilograms'],
    },
    {
      shows: ['notation'],
      ...number('traffic'),
      shots: [{ notation: 'compact' }, { notation: 'bytes' }],
      seen: ['a short number such as 186B', 'a number of bytes such as 186 GB'],
    },
    {
      shows: ['notation'],
      ...table('seconds'),
      shots: [{}, { notation: 'duration' }],
      seen: ['seconds such as 10,120', 'hours and minutes such as 2h 49m'],
    },
  ],
};

/** What the values of an entry are. */
export const valueCases: CaseGroup = {
  title: 'Values and groups',
  cases: [
    {
      shows: ['aggregationFunc'],
      ...bars('revenue'),
      shots: [{ aggregationFunc: 'sum' }, { aggregationFunc: 'max' }],
      seen: ['the revenue of each country', 'the largest sale of each country'],
    },
    {
      shows: ['aggregationFunc'],
      type: 'line-chart',
      entryOf: 'measure',
      slots: { measure: euros('revenue'), 'x-axis': months },
      shots: [{ aggregationFunc: 'sum' }, { aggregationFunc: 'cumulativesum' }],
      seen: ['the revenue of each month', 'the revenue up to each month'],
    },
    {
      shows: ['aggregationWeight.columnId', 'aggregationWeight.datasetId'],
      ...bars('result'),
      shots: [
        { aggregationFunc: 'sum' },
        { aggregationFunc: 'rate', aggregationWeight: { datasetId: 'sales', columnId: 'orders' } },
      ],
      seen: ['the result of each country', 'the result of each country by order'],
    },
    {
      shows: ['formula'],
      ...bars('revenue'),
      slots: { 'y-axis': column('country'), measure: {} },
      shots: [
        { datasetId: 'sales', columnId: 'revenue' },
        { datasetId: 'sales', formula: 'sum({revenue}) / sum({orders})' },
      ],
      seen: ['the revenue of each country', 'the revenue per order of each country'],
    },
    {
      shows: ['level'],
      ...byTime('column-chart', column('date')),
      shots: [{ level: 2 }, { level: 3 }],
      seen: ['a column for each quarter', 'a column for each month'],
    },
    {
      shows: ['datetimeDisplayMode'],
      ...byTime('column-chart', months),
      shots: [{}, { datetimeDisplayMode: 'month_name' }],
      seen: ['fourteen months', 'twelve months, each of all years'],
    },
    {
      shows: ['bins.enabled'],
      type: 'column-chart',
      entryOf: 'x-axis',
      slots: { 'x-axis': column('returns') },
      shots: [{}, { bins: { enabled: true } }],
      seen: ['a column for each number', 'a column for each range of numbers'],
    },
    {
      shows: ['bins.number'],
      type: 'histogram',
      entryOf: 'x-axis',
      slots: { 'x-axis': column('revenue') },
      shots: [{ bins: { enabled: true } }, { bins: { enabled: true, number: 4 } }],
      seen: ['eight ranges of 5,000 each', 'four ranges of 10,000 each'],
    },
  ],
};

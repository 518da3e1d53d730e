import type { CaseGroup } from '../case.ts';
import { column, euros, quarters } from './entries.ts';

const byCountry = { 'x-axis': column('country'), measure: euros('revenue') };
const countries = { type: 'column-chart', slots: byCountry };
const products = { type: 'bar-chart', slots: { 'y-axis': column('product'), measure: euros('revenue') } };

/** Which members are shown, and in which order. */
export const orderCases: CaseGroup = {
  title: 'Order and number of members',
  cases: [
    {
      shows: ['sort.by'],
      ...countries,
      shots: [{}, { sort: { by: 'x-axis' } }],
      seen: ['countries from the most revenue to the least', 'countries in the order of their names'],
    },
    {
      shows: ['sort.order'],
      ...products,
      shots: [{ sort: { by: 'measure', order: 'asc' } }, { sort: { by: 'measure', order: 'desc' } }],
      seen: ['products from the least revenue to the most', 'products from the most revenue to the least'],
    },
    {
      shows: ['sort.index'],
      type: 'column-chart',
      slots: { ...byCountry, measure: [column('orders'), column('returns')] },
      shots: [
        { sort: { by: 'measure', index: 0, order: 'desc' } },
        { sort: { by: 'measure', index: 1, order: 'desc' } },
      ],
      seen: ['countries from the most orders to the least', 'countries from the most returns to the least'],
    },
    {
      shows: ['sort.members'],
      type: 'bar-chart',
      slots: { 'y-axis': column('country'), measure: euros('revenue') },
      shots: [{ sort: { by: 'y-axis' } }, { sort: { by: 'y-axis', members: ['Spain', 'Italy'] } }],
      seen: ['countries in the order of their names', 'Spain and Italy before the other countries'],
    },
    {
      shows: ['sort.columnId', 'sort.datasetId', 'sort.aggregationFunc'],
      ...countries,
      shots: [{}, { sort: { datasetId: 'sales', columnId: 'returns', aggregationFunc: 'average', order: 'desc' } }],
      seen: ['countries by their revenue', 'countries by their average returns, which no slot holds'],
    },
    {
      shows: ['sort.formula'],
      ...countries,
      shots: [{}, { sort: { datasetId: 'sales', formula: 'sum({revenue}) / sum({orders})', order: 'desc' } }],
      seen: ['countries by their revenue', 'countries by their revenue per order'],
    },
    {
      shows: ['limit'],
      ...products,
      shots: [{}, { limit: 3 }],
      seen: ['all eight products', 'the three products of the most revenue'],
    },
    {
      shows: ['others'],
      type: 'donut-chart',
      slots: { category: column('product'), measure: euros('revenue') },
      shots: [{ limit: 3 }, { limit: 3, others: true }],
      seen: ['three products as the whole', 'three products and the five others as one slice'],
    },
    {
      shows: ['seriesLimit'],
      type: 'column-chart',
      slots: { 'x-axis': quarters, legend: column('product'), measure: euros('revenue') },
      shots: [{ stacked: true }, { stacked: true, seriesLimit: 3 }],
      seen: ['columns of all eight products', 'columns of two products and of the six others together'],
    },
  ],
};

import type { CaseGroup } from '../case.ts';
import { column, euros, months } from './entries.ts';

const columns = { type: 'column-chart', slots: { 'x-axis': column('country'), measure: euros('revenue') } };
const line = { type: 'line-chart', slots: { 'x-axis': months, measure: euros('revenue') } };

/** How axes are drawn. */
export const axisCases: CaseGroup = {
  title: 'Axes',
  cases: [
    {
      shows: ['axis.category.title'],
      ...columns,
      shots: [{}, { axis: { category: { title: 'Country' } } }],
      seen: ['countries without a title', 'the title Country under the countries'],
    },
    {
      shows: ['axis.category.show'],
      ...columns,
      shots: [{}, { axis: { category: { show: false } } }],
      seen: ['names of countries under the columns', 'columns without names'],
    },
    {
      shows: ['axis.category.inverted'],
      ...columns,
      shots: [{}, { axis: { category: { inverted: true } } }],
      seen: ['the largest column at the left', 'the largest column at the right'],
    },
    {
      shows: ['axis.value.title'],
      ...line,
      shots: [{}, { axis: { value: { title: 'Revenue' } } }],
      seen: ['values without a title', 'the title Revenue above the values'],
    },
    {
      shows: ['axis.value.show'],
      ...columns,
      shots: [{}, { axis: { value: { show: false } } }],
      seen: ['values beside the lines of the grid', 'a grid without values'],
    },
    {
      shows: ['axis.value.inverted'],
      ...line,
      shots: [{}, { axis: { value: { inverted: true } } }],
      seen: ['zero at the bottom', 'zero at the top'],
    },
    {
      shows: ['axis.value.format'],
      ...line,
      shots: [{}, { axis: { value: { format: ',.0f' } } }],
      seen: ['short values such as 600K euros', 'whole numbers such as 600,000'],
    },
    {
      shows: ['axis.value.min'],
      ...line,
      shots: [{}, { axis: { value: { min: 200_000 } } }],
      seen: ['an axis that starts at zero', 'an axis that starts at 200K euros'],
    },
    {
      shows: ['axis.value.max'],
      ...line,
      shots: [{}, { axis: { value: { max: 1_200_000 } } }],
      seen: ['an axis that ends at 600K euros', 'an axis that ends at 1.2M euros'],
    },
    {
      shows: ['axis.value.scale'],
      ...columns,
      shots: [{ axis: { value: { min: 100_000 } } }, { axis: { value: { min: 100_000, scale: 'log' } } }],
      seen: ['equal steps from value to value', 'each step ten times the one before'],
    },
  ],
};

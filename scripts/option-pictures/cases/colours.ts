import type { CaseGroup } from '../case.ts';
import { column, euros, months, quarters } from './entries.ts';

const sum = { aggregationFunc: 'sum' };
const byCountry = { 'x-axis': column('country'), measure: euros('revenue') };
const columns = [column('country'), euros('revenue', sum), column('orders', { format: ',.0f', ...sum })];
const heat = { 'x-axis': quarters, 'y-axis': column('country'), measure: euros('result') };
const byChannel = { 'x-axis': months, legend: column('channel'), measure: euros('revenue') };
const [green, red] = ['#15803d', '#b3261e'];

/** Colours of members and of values, and the legend that names them. */
export const colourCases: CaseGroup = {
  title: 'Colours and legends',
  cases: [
    {
      shows: ['oneColor'],
      type: 'column-chart',
      slots: byCountry,
      shots: [{}, { oneColor: false }],
      seen: ['columns of one colour', 'a colour for each country'],
    },
    {
      shows: ['colors'],
      type: 'donut-chart',
      slots: { category: column('country'), measure: euros('revenue') },
      shots: [{}, { colors: { Japan: '#c4501b' } }],
      seen: ['Japan in a colour of the theme', 'Japan in orange'],
    },
    {
      shows: ['rules[].min', 'rules[].color'],
      type: 'bar-chart',
      slots: { 'y-axis': column('country'), measure: euros('revenue') },
      shots: [{}, { rules: [{ min: 800_000, color: green }] }],
      seen: ['bars of one colour', 'green bars from 800,000 euros'],
    },
    {
      shows: ['rules[].max'],
      type: 'bar-chart',
      slots: { 'y-axis': column('country'), measure: euros('result') },
      shots: [{}, { rules: [{ max: 0, color: red }] }],
      seen: ['bars of one colour', 'red bars below zero'],
    },
    {
      shows: ['rules[].index'],
      type: 'regular-table',
      slots: { columns },
      shots: [
        { rules: [{ index: 0, min: 800_000, color: green }] },
        { rules: [{ index: 1, min: 12_000, color: green }] },
      ],
      seen: ['green cells of high revenue', 'green cells of many orders'],
    },
    {
      shows: ['scale'],
      type: 'regular-table',
      slots: { columns },
      shots: [{}, { scale: {} }],
      seen: ['cells without colours', 'cells that are darker where their value is larger'],
    },
    {
      shows: ['scale.type'],
      type: 'heat-table',
      slots: heat,
      shots: [{ scale: { type: 'sequential' } }, { scale: { type: 'diverging' } }],
      seen: ['cells of one colour that grows stronger', 'cells of one colour below zero and another above'],
    },
    {
      shows: ['scale.middle'],
      type: 'heat-table',
      slots: heat,
      shots: [{ scale: { type: 'diverging', middle: 0 } }, { scale: { type: 'diverging', middle: 50_000 } }],
      seen: ['two colours that meet at zero', 'two colours that meet at 50,000 euros'],
    },
    {
      shows: ['legend'],
      type: 'line-chart',
      slots: byChannel,
      shots: [{ legend: 'top' }, { legend: 'bottom' }],
      seen: ['a legend above the lines', 'a legend below the lines'],
    },
    {
      shows: ['legend'],
      type: 'area-chart',
      slots: byChannel,
      shots: [{}, { legend: 'none' }],
      seen: ['a legend above the areas', 'areas without a legend'],
    },
  ],
};

import type { CaseGroup } from '../case.ts';
import { column, euros, months, quarters } from './entries.ts';

const line = { type: 'line-chart', slots: { 'x-axis': months, measure: euros('revenue') } };
const byChannel = { legend: column('channel'), measure: euros('revenue') };
const columns = { type: 'column-chart', slots: { 'x-axis': quarters, ...byChannel } };
const countries = { type: 'column-chart', slots: { 'x-axis': column('country'), measure: euros('revenue') } };

/** How bars, lines and points are drawn. */
export const markCases: CaseGroup = {
  title: 'Bars, lines and points',
  cases: [
    {
      shows: ['stacked'],
      ...columns,
      shots: [{}, { stacked: true }],
      seen: ['columns of channels beside each other', 'columns of channels on top of each other'],
    },
    {
      shows: ['percent'],
      ...columns,
      shots: [{ stacked: true }, { percent: true }],
      seen: ['columns as high as their revenue', 'columns of one height, each channel a share of it'],
    },
    {
      shows: ['labels'],
      ...countries,
      shots: [{ labels: 'none' }, { labels: 'all' }],
      seen: ['columns without values', 'the value above each column'],
    },
    {
      shows: ['curve'],
      ...line,
      shots: [{}, { curve: 'smooth' }],
      seen: ['points joined by straight lines', 'points joined by a curve'],
    },
    {
      shows: ['curve'],
      type: 'area-chart',
      slots: line.slots,
      shots: [{ curve: 'straight' }, { curve: 'step' }],
      seen: ['an area below straight lines', 'an area below steps'],
    },
    {
      shows: ['points'],
      ...line,
      shots: [{ points: false }, { points: true }],
      seen: ['a line without points', 'a line with a point for each month'],
    },
    {
      shows: ['shapes'],
      type: 'combination-chart',
      slots: { 'x-axis': quarters, measure: [euros('revenue'), euros('result')] },
      shots: [{}, { shapes: ['area', 'column'] }],
      seen: ['revenue as columns, result as a line', 'revenue as an area, result as columns'],
    },
  ],
};

/** What is drawn across bars and lines. */
export const referenceCases: CaseGroup = {
  title: 'Reference lines, bands and trends',
  cases: [
    {
      shows: ['references[].value'],
      ...line,
      shots: [{}, { references: [{ value: 200_000 }] }],
      seen: ['revenue of months', 'a dashed line at 200K euros'],
    },
    {
      shows: ['references[].to'],
      ...line,
      shots: [{}, { references: [{ value: 150_000, to: 250_000 }] }],
      seen: ['revenue of months', 'a band from 150K to 250K euros'],
    },
    {
      shows: ['references[].type'],
      ...countries,
      options: { labels: 'none' },
      shots: [{ references: [{ type: 'mean' }] }, { references: [{ type: 'median' }] }],
      seen: ['a dashed line at the average', 'a dashed line at the median'],
    },
    {
      shows: ['references[].type'],
      type: 'line-chart',
      slots: { 'x-axis': column('delivery', { level: 3 }), measure: euros('revenue') },
      shots: [{}, { references: [{ type: 'today' }] }],
      seen: ['revenue by month of delivery', 'an upright dashed line at today'],
    },
    {
      shows: ['references[].label'],
      ...line,
      shots: [{ references: [{ value: 200_000 }] }, { references: [{ value: 200_000, label: 'Target' }] }],
      seen: ['a line named by its value', 'a line named Target'],
    },
    {
      shows: ['references[].color'],
      ...line,
      shots: [{ references: [{ value: 200_000 }] }, { references: [{ value: 200_000, color: '#c4501b' }] }],
      seen: ['a line in the colour of texts', 'an orange line'],
    },
    {
      shows: ['trend'],
      ...line,
      shots: [{}, { trend: true }],
      seen: ['revenue of months', 'a dashed line that rises slowly through the months'],
    },
  ],
};

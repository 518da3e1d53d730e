import type { CaseGroup } from '../case.ts';
import { column, euros } from './entries.ts';

const sum = { aggregationFunc: 'sum' };
const years = column('date', { level: 1 });
const columns = [column('channel'), euros('revenue', sum), column('orders', { format: ',.0f', ...sum })];
const measure = euros('revenue', { notation: 'compact', ...sum });

/** Tables. */
export const tableCases: CaseGroup = {
  title: 'Tables',
  cases: [
    {
      shows: ['totals'],
      type: 'regular-table',
      slots: { columns },
      shots: [{}, { totals: true }],
      seen: ['three channels', 'three channels and a row of totals'],
    },
    {
      shows: ['totals'],
      type: 'pivot-table',
      slots: { row: column('country'), column: years, measure },
      shots: [{}, { totals: true }],
      seen: ['countries by year', 'countries by year with a row and a column of totals'],
      heightPx: 214,
    },
    {
      shows: ['subtotals'],
      type: 'pivot-table',
      slots: { row: [years, column('channel')], measure },
      shots: [{}, { subtotals: true }],
      seen: ['channels of two years', 'channels of two years with a total under each year'],
      heightPx: 260,
    },
    {
      shows: ['bars'],
      type: 'regular-table',
      slots: { columns },
      shots: [{}, { bars: true }],
      seen: ['numbers', 'a bar under each number, as long as its value'],
    },
  ],
};

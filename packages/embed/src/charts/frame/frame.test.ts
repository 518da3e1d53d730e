import { itemQuery, readItem, type Json } from '@inlay/contract';
import { expect, test } from 'vitest';
import { createFormats } from '../../locale/format.ts';
import { wordsFor } from '../../locale/words.ts';
import { createFrame } from './frame.ts';

const day = { datasetId: 'd', columnId: 'day', type: 'datetime', format: '%d/%m/%Y' };
const measured = (aggregationFunc: string, cell: Json): string | undefined => {
  const item = readItem({
    id: 'i',
    type: 'regular-table',
    slots: [{ name: 'columns', content: [{ ...day, aggregationFunc }] }],
  });
  const query = item === null ? null : itemQuery(item);
  if (item === null || query === null) throw new Error('no item');
  const context = { formats: createFormats('en', 'UTC'), words: wordsFor('en') };
  const frame = createFrame(item, query, [[cell]], context);
  return frame.measures[0]?.text(cell);
};

test.each([
  ['max', '2025-03-04T00:00:00.000Z', '04/03/2025'],
  ['min', '2025-03-04T00:00:00.000Z', '04/03/2025'],
  ['count', 1200, '1,200'],
  ['distinctcount', 3, '3'],
])('the %s of times is written as what it is', (aggregation, cell, text) => {
  expect(measured(aggregation, cell)).toBe(text);
});

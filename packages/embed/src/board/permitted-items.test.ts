import { finestLevel, readItem, type Item } from '@inlay/contract';
import { expect, test } from 'vitest';
import { permittedItems } from './permitted-items.ts';

const item = readItem({
  id: 'i',
  type: 'line-chart',
  slots: [{ name: 'x-axis', content: [{ datasetId: 'd', columnId: 'c', type: 'datetime', level: 1, lowestLevel: 3 }] }],
});
const items: readonly Item[] = item === null ? [] : [item];
const levels = (all: readonly Item[]) =>
  all.flatMap(({ slots }) => slots.flatMap(({ content }) => content.map(finestLevel)));

test('items offer what the viewer may do, and nothing else', () => {
  expect(permittedItems(items, {}, () => true)).toBe(items);
  expect(levels(items)).toEqual([3]);
  expect(levels(permittedItems(items, {}, (feature) => feature !== 'drill'))).toEqual([1]);
  const withoutCsv = permittedItems(items, { exports: ['csv', 'png'] }, (feature) => feature !== 'export_csv');
  expect(withoutCsv.map(({ options }) => options['exports'])).toEqual([['png']]);
  expect(levels(withoutCsv)).toEqual([3]);
});

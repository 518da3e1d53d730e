import type { JsonObject } from '@inlay/contract';
import { describe, expect, it, test } from 'vitest';
import { meaningOf, storedItems } from './stored-item.ts';

const meaning = (options: JsonObject, legend: boolean): string | null | undefined => {
  const slot = (name: string): JsonObject => ({
    name,
    content: [{ datasetId: 'd', columnId: name, type: name === 'measure' ? 'numeric' : 'hierarchy' }],
  });
  const slots = ['y-axis', 'measure', ...(legend ? ['legend'] : [])].map(slot);
  const items = [{ id: 'i', type: 'bar-chart', options, slots }];
  return storedItems({ version: '0.1.99', views: [{ screenModus: 'desktop', items }] }).map(meaningOf)[0];
};

test.each([true, false])(
  'an item asks for something else once its limit or order changes, with a legend: %s',
  (legend) => {
    const sort = { by: 'measure', order: 'asc' };
    const query = [{}, { limit: 3 }, { limit: 4 }, { sort }, { sort, limit: 3 }].map((options) =>
      meaning(options, legend),
    );
    expect(new Set(query).size).toBe(query.length);
    expect(meaning({ limit: 3, stacked: true }, legend)).toBe(query[1]);
  },
);

test('the lines in the cells of a table are query for by the same item, within its members, and are part of what it means', () => {
  const content = [
    { datasetId: 'd', columnId: 'region', type: 'hierarchy' },
    { datasetId: 'd', columnId: 'revenue', type: 'numeric', aggregationFunc: 'sum' },
  ];
  const stored = (options: JsonObject) =>
    storedItems({
      version: '0.1.99',
      views: [
        {
          screenModus: 'desktop',
          items: [{ id: 'i', type: 'regular-table', options, slots: [{ name: 'columns', content }] }],
        },
      ],
    });
  const sparkline = { datasetId: 'd', columnId: 'day' };
  const sort = { by: 'columns', index: 1, order: 'desc' };
  expect(stored({})).toHaveLength(1);
  const [table, lines] = stored({ sparkline, sort, limit: 5 });
  expect(table?.query.query['dimensions']).toEqual([{ dataset_id: 'd', column_id: 'region' }]);
  expect(lines?.id).toBe('i');
  expect(lines?.query.query['dimensions']).toEqual([
    { dataset_id: 'd', column_id: 'region' },
    { dataset_id: 'd', column_id: 'day', level: 3 },
  ]);
  expect(lines?.query.query['measures']).toEqual(table?.query.query['measures']);
  expect(lines?.query.members).toEqual({ by: 2, order: 'desc', limit: 5, others: false });
  const meaning = stored({ sparkline }).map(meaningOf).join();
  expect(
    stored({ sparkline: { ...sparkline, columnId: 'paid' } })
      .map(meaningOf)
      .join(),
  ).not.toBe(meaning);
  expect(stored({}).map(meaningOf).join()).not.toBe(meaning);
});

describe('a number beside a filter that compares periods', () => {
  const on = (columnId: string, more: JsonObject = {}): JsonObject => ({
    datasetId: 'd',
    columnId,
    type: columnId === 'day' ? 'datetime' : 'numeric',
    ...more,
  });
  const dimensionsOf = (aggregationFunc: string, ...others: readonly JsonObject[]): readonly number[] => {
    const slots = [
      { name: 'measure', content: [on('revenue', { aggregationFunc })] },
      { name: 'evolution', content: [on('day', { level: 3 })] },
    ];
    const items = [{ id: 'i', type: 'evolution-number', slots }, ...others];
    return storedItems({ version: '0.1.99', views: [{ screenModus: 'desktop', items }] })
      .filter(({ id }) => id === 'i')
      .map(({ query }) => query.dimensions.length);
  };
  const filter = (datasetId: string): JsonObject => ({
    id: 'f',
    type: 'date-comparison-filter',
    slots: [{ name: 'time', content: [on('day', { datasetId })] }],
  });

  it('is query for without its time where its values over time do not add up', () => {
    expect(dimensionsOf('average', filter('d'))).toEqual([1, 0]);
    expect(dimensionsOf('sum', filter('d'))).toEqual([1]);
  });

  it('is query for as it is stored without such a filter on its dataset', () => {
    expect(dimensionsOf('average')).toEqual([1]);
    expect(dimensionsOf('average', filter('other'))).toEqual([1]);
  });
});

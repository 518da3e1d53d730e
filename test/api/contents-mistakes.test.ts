import { beforeAll, describe, expect, it } from 'vitest';
import { isObject, listOr, type JsonObject } from '@inlay/contract';
import { contentsOf, item, slot, type SalesDataset } from '../browser/sales.ts';
import { useApi } from '../support/api.ts';
import { pushSales, storedFilter } from '../support/sales-world.ts';
import { storesToTest } from '../support/service.ts';

const first = 'properties.contents.views[0].items[0]';

/** What a mistake is, contents with it, the place where it is named and what is said there. */
type Mistake = readonly [string, () => JsonObject, string, RegExp];

describe.each(storesToTest)('a mistake in contents is named on %s', (store) => {
  const api = useApi(store);
  let dataset: SalesDataset;
  let other: SalesDataset;
  beforeAll(async () => {
    [dataset, other] = [await pushSales(api), await pushSales(api)];
  });

  const on = (name: keyof SalesDataset['columns'], more: JsonObject = {}): JsonObject => ({
    datasetId: dataset.id,
    columnId: dataset.columns[name],
    ...more,
  });
  const only = (type: string, ...slots: readonly JsonObject[]): JsonObject =>
    contentsOf(dataset, [item('One', type, slots, [0, 0, 8, 8])]);

  const of = ({ id, columns }: SalesDataset): JsonObject => ({ datasetId: id, columnId: columns.region });
  const filterOn = (of: SalesDataset): JsonObject => storedFilter(of, 'region', '? = ?', 'Asia');
  const bars = (over: SalesDataset, id = 'More'): JsonObject =>
    item(id, 'bar-chart', [slot('y-axis', of(over))], [over === dataset ? 0 : 8, 0, 8, 8]);
  const filtered = (group: JsonObject, more: readonly JsonObject[] = []): JsonObject => ({
    ...contentsOf(dataset, []),
    views: [{ screenModus: 'desktop', filterGroups: [group], items: [bars(dataset, 'Bars'), ...more] }],
  });

  const mistakes: readonly Mistake[] = [
    [
      'the sum of texts in a table',
      () => only('regular-table', slot('columns', on('region', { aggregationFunc: 'sum' }))),
      `${first}.slots[0].content[0].aggregationFunc`,
      /must be count or distinctcount/u,
    ],
    [
      'a filter of times over texts',
      () => only('date-filter', slot('time', on('region'))),
      `${first}.slots[0].content[0]`,
      /is no time, and this slot takes times alone/u,
    ],
    [
      'a slider over texts',
      () => only('slider-filter', slot('slidermetric', on('region'))),
      `${first}.slots[0].content[0]`,
      /neither a number nor a time/u,
    ],
    [
      'an aggregation by its name elsewhere',
      () => only('bar-chart', slot('measure', on('revenue', { aggregationFunc: 'avg' }))),
      `${first}.slots[0].content[0].aggregationFunc`,
      /did you mean "average"/u,
    ],
    [
      'the name of an aggregation in queries',
      () => only('bar-chart', slot('measure', on('revenue', { aggregation: 'sum' }))),
      `${first}.slots[0].content[0].aggregation`,
      /did you mean "aggregationFunc"/u,
    ],
    [
      'a filter over a dataset of no item',
      () => filtered({ filters: [filterOn(other), filterOn(dataset)] }),
      'properties.contents.views[0].filterGroups[0].filters[0]',
      /narrows nothing: no item of the view is over all of its datasets; a filter does not follow links/u,
    ],
    [
      'filters of which one holds, over datasets of several items',
      () => filtered({ condition: 'or', filters: [filterOn(other), filterOn(dataset)] }, [bars(other)]),
      'properties.contents.views[0].filterGroups[0]',
      /narrows nothing/u,
    ],
    [
      'a filter of an item over another dataset',
      () => filtered({ origin: 'itemFilter', itemId: 'Bars', filters: [filterOn(other)] }),
      'properties.contents.views[0].filterGroups[0].filters[0]',
      /the item is over other datasets/u,
    ],
    [
      'a choice over a dataset of no chart',
      () =>
        filtered({ filters: [] }, [item('Choice', 'dropdown-filter', [slot('dimension', of(other))], [0, 8, 8, 8])]),
      'properties.contents.views[0].items[1]',
      /narrows nothing: no chart of the view is over its dataset/u,
    ],
  ];
  it.each(mistakes)('%s', async (_what, contents, path, says) => {
    const { warnings } = await api.create('dashboard', { contents: contents() });
    expect(listOr(warnings).filter(isObject)).toEqual([
      { path, code: expect.any(String), message: expect.stringMatching(says) },
    ]);
  });

  it('in the format of a column or formula, too', async () => {
    const path = 'properties.format';
    const warned = { path, code: 'unknown_format', message: expect.stringMatching(/d3 number format/u) };
    for (const format of ['banana', '€,.2f']) {
      const changed = await api.update('column', dataset.columns.revenue, { format });
      expect(changed['warnings']).toEqual([warned]);
      const strict = await api.refused('column', {
        action: 'validate',
        id: dataset.columns.revenue,
        properties: { format },
      });
      expect(strict).toMatchObject({ status: 400, validation: { [path]: [expect.any(String)] } });
      const formula = await api.create('formula', { securable_id: dataset.id, expression: 'count(*)', format });
      expect(formula['warnings']).toEqual([warned]);
    }
    for (const format of [',.2f', '%d-%m-%Y', '', null])
      expect(await api.update('column', dataset.columns.revenue, { format })).not.toHaveProperty('warnings');
  });

  it.each<[string, () => JsonObject]>([
    ['filters over the datasets of items', () => filtered({ condition: 'or', filters: [filterOn(dataset)] })],
    [
      'filters of an item alone',
      () => filtered({ origin: 'itemFilter', itemId: 'Bars', filters: [filterOn(dataset)] }),
    ],
    ['a choice without charts', () => only('dropdown-filter', slot('dimension', on('region')))],
    ['a filter of each dataset', () => filtered({ filters: [filterOn(dataset), filterOn(other)] }, [bars(other)])],
  ])('and %s are none', async (_what, contents) => {
    expect(await api.create('dashboard', { contents: contents() })).not.toHaveProperty('warnings');
  });
});

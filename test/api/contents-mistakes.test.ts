import { beforeAll, describe, expect, it } from 'vitest';
import { isObject, listOr, type JsonObject } from '@inlay/contract';
import { contentsOf, item, slot, type SalesDataset } from '../browser/sales.ts';
import { useApi } from '../support/api.ts';
import { pushSales } from '../support/sales-world.ts';
import { storesToTest } from '../support/service.ts';

const first = 'properties.contents.views[0].items[0]';

/** What a mistake is, contents with it, the place where it is named and what is said there. */
type Mistake = readonly [string, () => JsonObject, string, RegExp];

describe.each(storesToTest)('a mistake in contents is named on %s', (store) => {
  const api = useApi(store);
  let dataset: SalesDataset;
  beforeAll(async () => {
    dataset = await pushSales(api);
  }, 60_000);

  const on = (name: keyof SalesDataset['columns'], more: JsonObject = {}): JsonObject => ({
    ...{ datasetId: dataset.id, columnId: dataset.columns[name] },
    ...more,
  });
  const only = (type: string, ...slots: readonly JsonObject[]): JsonObject =>
    contentsOf(dataset, [item('One', type, slots, [0, 0, 8, 8])]);

  const mistakes: readonly Mistake[] = [
    [
      'the sum of texts in a table',
      () => only('regular-table', slot('columns', on('region', { aggregationFunc: 'sum' }))),
      `${first}.slots[0].content[0].aggregationFunc`,
      /must be count or distinctcount/u,
    ],
  ];
  it.each(mistakes)('%s', async (_what, contents, path, says) => {
    const { warnings } = await api.create('dashboard', { contents: contents() });
    expect(listOr(warnings).filter(isObject)).toEqual([
      { path, code: expect.any(String), message: expect.stringMatching(says) },
    ]);
  });
});

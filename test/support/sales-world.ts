import { isList, type Json, type JsonObject } from '@inlay/contract';
import { contentsOf, inSlot, item, salesRows, slot, type SalesDataset } from '../browser/sales.ts';
import type { Api } from './api.ts';
import type { Credential } from './service.ts';
import { part, text } from './world.ts';

/** Pushes the sales as a dataset of its own. */
export async function pushSales(api: Api, by?: Credential): Promise<SalesDataset> {
  const pushed = await api.create(
    'data',
    { type: 'create', data: salesRows, options: { header: true, name: { en: 'Sales' } } },
    by,
  );
  const columns = new Map(
    (await api.find('column', { where: { securable_id: pushed.id } }, by)).map((row) => [
      text(row, 'source_name'),
      text(row, 'id'),
    ]),
  );
  const of = (name: string): string => columns.get(name) ?? '';
  return {
    id: pushed.id,
    columns: {
      day: of('day'),
      region: of('region'),
      product: of('product'),
      revenue: of('revenue'),
      quantity: of('quantity'),
    },
  };
}

/** Returns a filter as dashboards store it. */
export const storedFilter = (
  dataset: SalesDataset,
  column: keyof SalesDataset['columns'],
  expression: string,
  value: Json,
): JsonObject => ({
  expression,
  parameters: [{ datasetId: dataset.id, columnId: dataset.columns[column] }, value],
});

/** Returns the same column and test as a query asks for it. */
export const askedFilter = (
  { id, columns }: SalesDataset,
  column: keyof SalesDataset['columns'],
  expression: string,
  value: Json,
): JsonObject => ({
  expression,
  parameters: [{ dataset_id: id, column_id: columns[column] }, value],
});

/** Revenue by region and by month, a choice of products, and a table, without the sales of Europe. */
export function salesContents(dataset: SalesDataset, more: JsonObject = {}): JsonObject {
  const on = (name: keyof SalesDataset['columns'], extra: JsonObject = {}): JsonObject => inSlot(dataset, name, extra);
  const items = [
    item('Regions', 'column-chart', [slot('x-axis', on('region')), slot('measure', on('revenue'))], [0, 0, 16, 18]),
    item(
      'Years',
      'line-chart',
      [slot('x-axis', on('day', { level: 1, lowestLevel: 3 })), slot('measure', on('revenue'))],
      [16, 0, 16, 18],
    ),
    item('Product', 'dropdown-filter', [slot('dimension', on('product'))], [32, 0, 16, 18]),
    item('Top', 'bar-chart', [slot('y-axis', on('product')), slot('measure', on('revenue'))], [0, 18, 16, 18], {
      options: { sort: { by: 'measure', order: 'desc' }, limit: 2 },
    }),
    item(
      'Rows',
      'regular-table',
      [slot('columns', on('region'), on('revenue', { aggregationFunc: 'none' }))],
      [16, 18, 16, 18],
    ),
  ];
  const filterGroups = [
    {
      id: 'g',
      origin: 'global',
      condition: 'and',
      filters: [storedFilter(dataset, 'region', '? != ?', 'Europe')],
      subGroups: [],
    },
  ];
  const options = { theme: { id: 'default' } };
  return contentsOf(dataset, [], { views: [{ screenModus: 'desktop', options, filterGroups, items }], ...more });
}

/** Returns the rows of an answer. */
export const dataOf = (answer: unknown): readonly Json[] => {
  const rows = part(answer, 'data');
  return isList(rows) ? rows : [];
};

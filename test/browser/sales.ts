import type { Json, JsonObject } from '@inlay/contract';

/** One row of the little shop that the browser tests show. */
export interface Sale {
  readonly day: string;
  readonly region: string;
  readonly product: string;
  readonly revenue: number;
  readonly quantity: number;
}

const regions = ['Europe', 'Asia', 'Africa'] as const;
const products = ['Apples', 'Bread', 'Cheese', 'Dates'] as const;
const dayMs = 86_400_000;

/** 360 sales, one every third day from 1 January 2024. */
export const sales: readonly Sale[] = Array.from({ length: 360 }, (_, index) => ({
  day: new Date(Date.UTC(2024, 0, 1) + index * 3 * dayMs).toISOString().slice(0, 10),
  region: regions[(index * 5) % 3 === 0 ? 0 : index % 3] ?? '',
  product: products[Math.floor(index / 3) % 4] ?? '',
  revenue: ((index * 37) % 100) + 0.5,
  quantity: ((index * 7) % 11) + 1,
}));

export const salesRows: readonly (readonly (string | number)[])[] = [
  ['day', 'region', 'product', 'revenue', 'quantity'],
  ...sales.map(({ day, region, product, revenue, quantity }) => [day, region, product, revenue, quantity]),
];

/** Sums of a measure by a key, in the order of the keys. */
export function sumBy(
  rows: readonly Sale[],
  key: (sale: Sale) => string,
  of: (sale: Sale) => number = ({ revenue }) => revenue,
): readonly (readonly [string, number])[] {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(key(row), (sums.get(key(row)) ?? 0) + of(row));
  return [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

export type ColumnName = 'day' | 'region' | 'product' | 'revenue' | 'quantity';

const kinds: Readonly<Record<ColumnName, string>> = {
  day: 'datetime',
  region: 'hierarchy',
  product: 'hierarchy',
  revenue: 'numeric',
  quantity: 'numeric',
};
const labels: Readonly<Record<ColumnName, JsonObject>> = {
  day: { en: 'Day', fr: 'Jour', ar: 'اليوم' },
  region: { en: 'Region', fr: 'Région', ar: 'المنطقة' },
  product: { en: 'Product', fr: 'Produit', ar: 'المنتج' },
  revenue: { en: 'Revenue', fr: 'Chiffre d’affaires', ar: 'الإيرادات' },
  quantity: { en: 'Quantity', fr: 'Quantité', ar: 'الكمية' },
};

/** The dataset as it is in a service: its id and those of its columns. */
export interface SalesDataset {
  readonly id: string;
  readonly columns: Readonly<Record<ColumnName, string>>;
}

/** Returns a column in a slot, as dashboards hold it. */
export const inSlot = ({ id, columns }: SalesDataset, name: ColumnName, more: JsonObject = {}): JsonObject => ({
  datasetId: id,
  columnId: columns[name],
  label: labels[name],
  type: kinds[name],
  ...(kinds[name] === 'numeric' ? { format: ',.2f', aggregationFunc: 'sum' } : {}),
  ...more,
});

export const slot = (name: string, ...content: readonly JsonObject[]): JsonObject => ({ name, content: [...content] });

export const item = (
  id: string,
  type: string,
  slots: readonly JsonObject[],
  position: readonly [number, number, number, number],
  more: JsonObject = {},
): JsonObject => {
  const [col, row, sizeX, sizeY] = position;
  return { id, type, position: { col, row, sizeX, sizeY }, title: { en: id }, options: {}, slots: [...slots], ...more };
};

/** Contents with one view of these items for every screen mode that is named. */
export const contentsOf = (
  dataset: Pick<SalesDataset, 'id'>,
  items: readonly Json[],
  more: JsonObject = {},
): JsonObject => ({
  version: '0.1.99',
  syncScreenModes: true,
  datasetLinks: { [dataset.id]: [] },
  parameters: [],
  timezone: { type: 'fixed', id: 'UTC' },
  views: [{ screenModus: 'desktop', options: { theme: { id: 'default' } }, filterGroups: [], items: [...items] }],
  ...more,
});

/** Returns one item of each type, three next to each other. */
export function oneOfEach(dataset: SalesDataset): readonly JsonObject[] {
  const on = (name: ColumnName, more: JsonObject = {}): JsonObject => inSlot(dataset, name, more);
  const month = on('day', { level: 3 });
  const year = on('day', { level: 1 });
  const given: readonly (readonly [string, readonly JsonObject[]])[] = [
    ['area-chart', [slot('x-axis', month), slot('measure', on('revenue')), slot('legend', on('region'))]],
    ['bar-chart', [slot('y-axis', on('product')), slot('measure', on('revenue'), on('quantity'))]],
    ['bubble-chart', [slot('category', on('product')), slot('measure', on('revenue')), slot('color', on('region'))]],
    ['circle-pack-chart', [slot('levels', on('region'), on('product')), slot('measure', on('revenue'))]],
    ['column-chart', [slot('x-axis', on('region')), slot('measure', on('revenue')), slot('legend', on('product'))]],
    ['donut-chart', [slot('category', on('product')), slot('measure', on('revenue'))]],
    ['line-chart', [slot('x-axis', month), slot('measure', on('revenue'), on('quantity'))]],
    ['evolution-number', [slot('measure', on('revenue')), slot('evolution', year)]],
    ['conditional-number', [slot('measure', on('revenue')), slot('target', on('quantity')), slot('evolution', year)]],
    ['bullet-chart', [slot('category', on('region')), slot('measure', on('revenue')), slot('target', on('quantity'))]],
    ['circular-gauge', [slot('measure', on('quantity')), slot('target', on('revenue'))]],
    ['speedometer-chart', [slot('measure', on('quantity')), slot('target', on('revenue'))]],
    ['heat-table', [slot('x-axis', year), slot('y-axis', on('region')), slot('measure', on('revenue'))]],
    ['funnel-chart', [slot('category', on('product')), slot('measure', on('revenue'))]],
    ['waterfall-chart', [slot('x-axis', on('region')), slot('measure', on('revenue'))]],
    ['histogram', [slot('x-axis', on('revenue', { aggregationFunc: 'none' })), slot('measure', on('quantity'))]],
    ['choropleth-map', [slot('geo', on('region')), slot('measure', on('revenue'))]],
    ['symbol-map', [slot('geo', on('region')), slot('measure', on('revenue')), slot('category', on('product'))]],
    ['combination-chart', [slot('x-axis', month), slot('measure', on('revenue'), on('quantity'))]],
    ['pivot-table', [slot('row', on('region')), slot('column', year), slot('measure', on('revenue'))]],
    [
      'regular-table',
      [slot('columns', on('day'), on('region'), on('product'), on('revenue', { aggregationFunc: 'none' }))],
    ],
    [
      'scatter-plot',
      [
        slot('x-axis', on('revenue')),
        slot('y-axis', on('quantity')),
        slot('name', on('product')),
        slot('color', on('region')),
      ],
    ],
    ['sunburst-chart', [slot('levels', on('region'), on('product')), slot('measure', on('revenue'))]],
    ['treemap-chart', [slot('category', on('product')), slot('measure', on('revenue')), slot('color', on('region'))]],
    ['date-filter', [slot('time', on('day'))]],
    ['dropdown-filter', [slot('dimension', on('region'))]],
    ['search-filter', [slot('dimension', on('product'))]],
    ['slicer-filter', [slot('dimension', on('product')), slot('measure', on('revenue'))]],
    ['slider-filter', [slot('slidermetric', on('revenue', { aggregationFunc: 'none' }))]],
    ['date-comparison-filter', [slot('time', on('day'))]],
  ];
  return given.map(([type, slots], index) =>
    item(type, type, slots, [(index % 3) * 16, Math.floor(index / 3) * 18, 16, 18]),
  );
}

/** Totals of the revenue by region or product, in the order in which charts show members. */
export const largestFirst = (rows: readonly Sale[], by: 'region' | 'product'): ReturnType<typeof sumBy> =>
  sumBy(rows, (sale) => sale[by]).toSorted((one, other) => other[1] - one[1]);

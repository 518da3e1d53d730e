import type { Json, JsonObject } from '@inlay/contract';

/** An item with the rows of its query. The cells of a row are dimensions first, then measures. */
export interface Sample {
  readonly name: string;
  readonly item: JsonObject;
  readonly rows: readonly (readonly Json[])[];
  /**
   * Only for a number over time: the rows so far of its last period, and the rows of the compared period up to the same
   * day.
   */
  readonly soFar?: Sample['rows'];
  /** Contents of a dashboard that the item reads, such as parameters. */
  readonly contents?: JsonObject;
}

const entry = (columnId: string, type: string, otherMembers: JsonObject = {}): JsonObject => ({
  datasetId: 'sales',
  columnId,
  type,
  label: columnId,
  ...otherMembers,
});
export const category = (label: string): JsonObject => entry(label, 'hierarchy');
export const time = (label: string, level: number): JsonObject => entry(label, 'datetime', { level });
export const number = (label: string, otherMembers: JsonObject = {}): JsonObject =>
  entry(label, 'numeric', { aggregationFunc: 'sum', ...otherMembers });
export const euros = (label: string, otherMembers: JsonObject = {}): JsonObject =>
  number(label, { currency: 'EUR', format: ',.0f', ...otherMembers });
export const share = (label: string): JsonObject => number(label, { format: '.1%', aggregationFunc: 'average' });

/** Creates a sample. The order of `slots` is that of the cells in its rows. */
export const sample = (
  name: string,
  type: string,
  slots: Readonly<Record<string, JsonObject | readonly JsonObject[]>>,
  rows: Sample['rows'],
  options: JsonObject = {},
): Sample => ({
  name,
  item: {
    id: name,
    type,
    title: name,
    options,
    slots: Object.entries(slots).map(([slot, content]) => ({ name: slot, content: [content].flat() })),
  },
  rows,
});

export const months = (count: number, from = '2024-01-01'): readonly string[] =>
  Array.from({ length: count }, (_, index) => {
    const at = new Date(from);
    at.setUTCMonth(at.getUTCMonth() + index);
    return at.toISOString();
  });
export const days = (count: number, step: number, from = '2024-04-28'): readonly string[] =>
  Array.from({ length: count }, (_, index) => new Date(Date.parse(from) + index * step * 86_400_000).toISOString());

/** Returns a number that looks like business data. Deterministic. */
export const wave = (index: number, base: number, swing = 0.25): number =>
  Math.round(base * (1 + swing * Math.sin(index * 0.9) + 0.1 * Math.sin(index * 2.7) + index * 0.015));

export const channels = ['Online shop', 'Stores', 'Marketplace', 'Mobile app'] as const;
export const countries = [
  'Germany',
  'Netherlands',
  'Belgium',
  'France',
  'Spain',
  'Italy',
  'Austria',
  'Denmark',
] as const;
export const products = [
  'Nordic Backpack 30 l',
  'Arbor Hiking Shirt',
  'Trail Running Shoes Pro',
  'Summit Tent for two',
  'Glacier Water Bottle',
  'Wool Socks',
  'Rain Jacket Ultralight',
  'Camping Stove',
  'Head Lamp',
  'Sleeping Bag',
] as const;

const byMonth = (count: number): Sample['rows'] => months(count).map((month, index) => [month, wave(index, 48_000)]);
const byMonthAndChannel = (count: number): Sample['rows'] =>
  months(count).flatMap((month, index) =>
    channels.map((channel, place) => [month, channel, wave(index + place * 3, 30_000 / (place + 1))]),
  );

export const cartesianSamples: readonly Sample[] = [
  sample(
    'Revenue by country',
    'bar-chart',
    { 'y-axis': category('Country'), measure: euros('Revenue') },
    countries.map((country, index) => [country, 531_341 / (index + 1)]),
  ),
  sample(
    'Revenue by product',
    'column-chart',
    { 'x-axis': category('Product'), measure: euros('Revenue') },
    products.map((product, index) => [product, 52_400 / (index + 1.5)]),
  ),
  sample(
    'Revenue by channel and month',
    'column-chart',
    { 'x-axis': time('Month', 3), legend: category('Channel'), measure: euros('Revenue') },
    byMonthAndChannel(12),
    { stacked: true },
  ),
  sample(
    'Share of channels',
    'column-chart',
    { 'x-axis': time('Quarter', 2), legend: category('Channel'), measure: euros('Revenue') },
    months(8)
      .filter((_, index) => index % 3 === 0)
      .flatMap((month, index) =>
        channels.map((channel, place) => [month, channel, wave(index + place, 9000 / (place + 1))]),
      ),
    { percent: true, labels: 'all' },
  ),
  sample(
    'Orders and returns',
    'column-chart',
    { 'x-axis': category('Country'), measure: [number('Orders'), number('Returns')] },
    countries.slice(0, 5).map((country, index) => [country, 1200 - index * 170, 140 + index * 20]),
  ),
  sample('Revenue', 'line-chart', { 'x-axis': time('Month', 3), measure: euros('Revenue') }, byMonth(24), {
    references: [
      { type: 'constant', value: 52_000, label: 'Target' },
      { type: 'mean' },
      { value: 40_000, to: 46_000, label: 'Usual' },
    ],
  }),
  sample(
    'Margin',
    'line-chart',
    { 'x-axis': time('Week', 4), measure: share('Margin') },
    days(5, 7).map((day, index) => [day, 0.31 + 0.04 * Math.sin(index)]),
    { trend: true },
  ),
  sample(
    'Revenue by channel',
    'area-chart',
    { 'x-axis': time('Month', 3), legend: category('Channel'), measure: euros('Revenue') },
    byMonthAndChannel(18),
  ),
  sample(
    'Result by country',
    'bar-chart',
    { 'y-axis': category('Country'), measure: euros('Result') },
    countries.map((country, index) => [country, 42_000 - index * 12_500]),
    { rules: [{ max: 0, color: '#b3261e' }] },
  ),
  sample(
    'Visitors by day',
    'column-chart',
    { 'x-axis': time('Day', 5), measure: number('Visitors') },
    days(60, 1).map((day, index) => [day, wave(index, 820)]),
  ),
];

export const roundSamples: readonly Sample[] = [
  sample(
    'Revenue by category',
    'donut-chart',
    { category: category('Category'), measure: euros('Revenue') },
    ['Clothing', 'Bags', 'Shoes', 'Tents', 'Accessories'].map((name, index) => [name, 240_000 / (index + 1)]),
  ),
  sample(
    'Customers',
    'donut-chart',
    { category: category('Customer'), measure: euros('Revenue') },
    Array.from({ length: 160 }, (_, index) => [`Customer ${index + 1}`, 9000 / (index + 3)]),
  ),
  sample(
    'Products',
    'treemap-chart',
    { color: category('Category'), category: category('Product'), measure: euros('Revenue') },
    products.map((product, index) => [
      ['Outdoor', 'Clothing', 'Shoes'][index % 3] ?? '',
      product,
      52_400 / (index + 1),
    ]),
  ),
  sample(
    'Price and volume',
    'scatter-plot',
    { color: category('Category'), name: category('Product'), 'x-axis': euros('Price'), 'y-axis': number('Units') },
    products.map((product, index) => [
      ['Outdoor', 'Clothing', 'Shoes'][index % 3] ?? '',
      product,
      20 + index * 13,
      900 - index * 70,
    ]),
  ),
];

const markdown = `# Spring season

Revenue reached **{{Revenue}}**, with a margin of *{{Margin}}*.

- Bags lead in [Germany](https://example.com)
- Shoes follow
  - most of them for trails

> Returns are stable.`;

export const moreSamples: readonly Sample[] = [
  sample(
    'Orders by weekday and channel',
    'heat-table',
    { 'x-axis': category('Weekday'), 'y-axis': category('Channel'), measure: number('Orders') },
    ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].flatMap((weekday, index) =>
      channels.map((channel, place) => [weekday, channel, wave(index + place * 2, 400 / (place + 1), 0.5)]),
    ),
  ),
  sample('From visit to order', 'funnel-chart', { category: category('Stage'), measure: number('Visitors') }, [
    ['Visits', 48_200],
    ['Product seen', 21_900],
    ['In basket', 7400],
    ['Checkout', 3900],
    ['Order', 2950],
  ]),
  sample(
    'Result',
    'waterfall-chart',
    { 'x-axis': category('Part'), measure: euros('Amount') },
    [
      ['Revenue', 531_000],
      ['Goods', -214_000],
      ['Wages', -142_000],
      ['Rent', -38_000],
      ['Grants', 24_000],
    ],
    { sort: { by: 'x-axis' } },
  ),
  sample(
    'Order values',
    'histogram',
    { 'x-axis': number('Order value', { bins: { enabled: true, number: 12 } }), measure: number('Orders') },
    Array.from({ length: 12 }, (_, index) => [
      [index * 20, index * 20 + 20],
      Math.round(900 * Math.exp(-(((index - 3.5) / 2.6) ** 2))),
    ]),
  ),
];

const landscape = `data:image/svg+xml;base64,${btoa(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 160"><rect width="320" height="160" fill="#cfe4f3"/><circle cx="250" cy="46" r="24" fill="#f2c14e"/><path d="M0 160V110l80-50 70 60 60-30 110 50v20z" fill="#4f7f52"/></svg>',
)}`;

export const contentSamples: readonly Sample[] = [
  {
    ...sample('', 'text', { measure: [euros('Revenue'), share('Margin')] }, [[531_341, 0.377]], { text: markdown }),
    name: 'Words',
  },
  { ...sample('', 'image', {}, [], { src: landscape, alt: 'Hills under a sun' }), name: 'Image' },
  { ...sample('', 'divider', {}, []), name: 'Line' },
  { ...sample('', 'tabs', {}, [], { tabs: [{ id: 'sales', title: 'Sales', items: [] }] }), name: 'Tabs' },
  { ...sample('', 'spacer', {}, []), name: 'Space' },
];

export const samples: readonly Sample[] = [...moreSamples, ...contentSamples, ...cartesianSamples, ...roundSamples];

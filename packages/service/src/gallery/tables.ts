import {
  category,
  channels,
  countries,
  euros,
  months,
  number,
  products,
  sample,
  share,
  time,
  wave,
  type Sample,
} from './samples.ts';

const moneyColumns = [euros('Revenue'), number('Orders', { format: ',.0f' }), share('Margin')] as const;

const byProduct = (count: number): Sample['rows'] =>
  Array.from({ length: count }, (_, index) => [
    products[index % products.length] ?? '',
    countries[index % countries.length] ?? '',
    months(24)[index % 24] ?? '',
    wave(index, 52_000, 0.8),
    wave(index, 420, 0.6),
    0.32 + 0.2 * Math.sin(index),
  ]);

const byChannel: Sample['rows'] = countries
  .slice(0, 4)
  .flatMap((country, place) =>
    channels
      .slice(0, 3)
      .flatMap((channel, row) =>
        [2023, 2024, 2025].map((year, index) => [
          country,
          channel,
          `${year}-01-01T00:00:00.000Z`,
          wave(index + row * 3 + place * 5, 48_000 / (row + 1), 0.5) * (place === 2 && row === 1 ? -1 : 1),
        ]),
      ),
  );

const columns = [category('Product'), category('Country'), time('Month', 3), ...moneyColumns] as const;
const pivot = { row: [category('Country'), category('Channel')], column: time('Year', 1), measure: euros('Revenue') };

export const tableSamples: readonly Sample[] = [
  sample('Products', 'regular-table', { columns }, byProduct(220), { totals: true }),
  sample(
    'Products by heat',
    'regular-table',
    { columns: [columns[0], ...moneyColumns] },
    byProduct(6).map(([name, , , ...otherCells]) => [name ?? null, ...otherCells]),
    {
      totals: true,
      scale: { type: 'sequential' },
      rules: [
        { index: 2, min: 0.4, color: '#15803d' },
        { index: 2, max: 0.2, color: '#fca5a5' },
      ],
    },
  ),
  sample(
    'Products with bars',
    'regular-table',
    { columns: [columns[0], ...moneyColumns] },
    byProduct(9).map(([name, , , ...otherCells]) => [name ?? null, ...otherCells]),
    { bars: true },
  ),
  sample('Channels by year', 'pivot-table', pivot, byChannel, { totals: true, subtotals: true }),
  sample(
    'Countries by year',
    'pivot-table',
    { ...pivot, row: category('Country') },
    byChannel.filter((_, index) => index % 9 < 3).map(([country, , ...otherCells]) => [country ?? null, ...otherCells]),
    {
      totals: true,
      scale: { type: 'diverging', middle: 40_000 },
    },
  ),
  sample(
    'Two measures by year',
    'pivot-table',
    { ...pivot, row: category('Country'), measure: [euros('Revenue'), share('Margin')] },
    byChannel
      .filter((_, index) => index % 9 < 3)
      .map(([country, , year, value], index) => [country ?? null, year ?? null, value ?? null, 0.2 + index / 50]),
    { totals: true },
  ),
];

import { category, channels, countries, number, products, sample, time, wave, type Sample } from './samples.ts';

const membersOf = (names: readonly string[]): Sample['rows'] => names.map((name) => [name]);

export const filterSamples: readonly Sample[] = [
  sample('Period', 'date-filter', { time: time('Day', 5) }, [['2024-01-01T00:00:00.000Z', '2025-02-23T00:00:00.000Z']]),
  sample('Period and what it is compared with', 'date-comparison-filter', { time: time('Day', 5) }, [
    ['2024-01-01T00:00:00.000Z', '2025-02-23T00:00:00.000Z'],
  ]),
  sample('Country', 'dropdown-filter', { dimension: category('Country') }, membersOf(countries)),
  sample('Product', 'search-filter', { dimension: category('Product') }, membersOf(products)),
  sample(
    'Country',
    'slicer-filter',
    { dimension: category('Country'), measure: number('Orders') },
    countries.map((country, index) => [country, wave(index, 1400 / (index + 1))]),
  ),
  sample('Channel', 'slicer-filter', { dimension: category('Channel') }, membersOf(channels), { style: 'buttons' }),
  {
    ...sample('Region', 'parameter-control', {}, [], {
      parameter: 'metadata.region',
      choices: ['Africa', 'Asia', 'Europe'],
      style: 'buttons',
    }),
    contents: { parameters: [{ parameter: 'metadata.region', type: 'array[hierarchy]', value: ['Europe'] }] },
  },
  sample('Order value', 'slider-filter', { slidermetric: number('Order value') }, [[0, 240]]),
];

import { category, channels, countries, euros, products, sample, wave, type Sample } from './samples.ts';

const byChannel: Sample['rows'] = countries
  .slice(0, 4)
  .flatMap((country, place) =>
    channels.slice(0, 3).map((channel, index) => [country, channel, wave(index + place * 3, 60_000 / (place + 1))]),
  );

const levels = { levels: [category('Country'), category('Channel')], measure: euros('Revenue') } as const;

/** Samples of circles and rings with hierarchical members. */
export const hierarchySamples: readonly Sample[] = [
  sample(
    'Revenue by product',
    'bubble-chart',
    { color: category('Category'), category: category('Product'), measure: euros('Revenue') },
    products.map((product, index) => [
      ['Outdoor', 'Clothing', 'Shoes'][index % 3] ?? '',
      product,
      52_400 / (index + 1),
    ]),
  ),
  sample('Revenue by country and channel', 'circle-pack-chart', levels, byChannel),
  sample('Revenue by country and channel', 'sunburst-chart', levels, byChannel),
];

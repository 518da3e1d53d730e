import { category, countries, euros, number, sample, wave, type Sample } from './samples.ts';

const cities: readonly (readonly [name: string, at: string, channel: string, orders: number])[] = [
  ['Berlin', '52.52, 13.40', 'Online shop', 940],
  ['Hamburg', '53.55, 9.99', 'Stores', 410],
  ['Paris', '48.86, 2.35', 'Online shop', 1310],
  ['Lyon', '45.76, 4.84', 'Stores', 380],
  ['Madrid', '40.42, -3.70', 'Online shop', 720],
  ['Milan', '45.46, 9.19', 'Marketplace', 560],
  ['Amsterdam', '52.37, 4.90', 'Marketplace', 830],
];

export const mapSamples: readonly Sample[] = [
  sample(
    'Revenue by country',
    'choropleth-map',
    { geo: category('Country'), measure: euros('Revenue') },
    countries.map((country, index) => [country, 531_341 / (index + 1)]),
  ),
  sample(
    'Customers of the world',
    'choropleth-map',
    { geo: category('Country'), measure: number('Customers') },
    [
      'USA',
      'Brasil',
      'IND',
      '156',
      'Россия',
      'Australia',
      'South Africa',
      'Canada',
      'Japan',
      'México',
      'UK',
      'Nigeria',
      'Egypt',
      'Indonesia',
      'Argentina',
      'Allemagne',
      'Turkey',
      'Foo',
      'Atlantis',
      'Singapore',
    ].map((name, index) => [name, wave(index, 42_000 / (index + 1))]),
  ),
  sample(
    'Result by country',
    'choropleth-map',
    { geo: category('Country'), measure: euros('Result') },
    countries.map((country, index) => [country, 42_000 - index * 12_500]),
  ),
  sample(
    'Revenue by state',
    'choropleth-map',
    { geo: category('State'), measure: euros('Revenue') },
    ['Bayern', 'Berlin', 'Hesse', 'Saxony', 'DE-NW', 'Hamburg', 'Baden-Wuerttemberg'].map((state, index) => [
      state,
      wave(index, 90_000 / (index + 1)),
    ]),
    { legend: 'top' },
  ),
  sample(
    'Orders by city and channel',
    'symbol-map',
    { geo: category('City'), category: category('Channel'), measure: number('Orders') },
    cities.map(([, at, channel, orders]) => [at, channel, orders]),
  ),
  sample(
    'Orders of the world',
    'symbol-map',
    { geo: category('Country'), measure: number('Orders') },
    [...countries, 'USA', 'Brazil', 'China', 'Australia', 'South Africa'].map((country, index) => [
      country,
      wave(index, 900),
    ]),
  ),
];

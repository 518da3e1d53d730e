import { describe, expect, it } from 'vitest';
import { meaningOf, usualAggregation } from './meaning.ts';

const aggregationOf = (name: string, subtype: string | null = null): string =>
  usualAggregation({ name, type: 'numeric', subtype });

describe('the usual aggregation of a column', () => {
  it.each([
    ['Revenue', 'sum'],
    ['qty_sold', 'sum'],
    ['Total number of visits', 'sum'],
    ['Number', 'sum'],
    ['Consumption (kWh)', 'sum'],
    ['unit_price', 'average'],
    ['UnitPrice', 'average'],
    ['Patient age', 'average'],
    ['Außentemperatur', 'average'],
    ['Wachttijd', 'average'],
    ['Taux de conversion', 'average'],
    ['Turnaround (min)', 'average'],
    ['Verblijfsduur', 'average'],
    ['Durchschnittliche Verspätung', 'average'],
    ['Yield (t/ha)', 'average'],
    ['Growth %', 'average'],
    ['Filled (%)', 'average'],
    ['Outside (°C)', 'average'],
    ['customer_id', 'count'],
    ['N° de facture', 'count'],
    ['Meldingsnummer', 'count'],
    ['No of visits', 'sum'],
    ['int_rt', 'average'],
    ['crd_scr', 'average'],
    ['zip', 'count'],
    ['ISBN', 'count'],
    ['order number', 'count'],
    ['Year', 'count'],
    ['birth_year', 'count'],
  ])('of numbers called %s is %s', (name, aggregation) => {
    expect(aggregationOf(name)).toBe(aggregation);
  });

  it('averages coordinates and sums money, unless its name is that of a price', () => {
    expect(aggregationOf('Position', 'coordinates')).toBe('average');
    expect(aggregationOf('Fee', 'currency')).toBe('sum');
    expect(aggregationOf('Ticket price', 'currency')).toBe('average');
  });

  it('counts what is no number', () => {
    for (const type of ['datetime', 'hierarchy', 'spatial'] as const)
      expect(usualAggregation({ name: 'Price', type, subtype: null })).toBe('count');
  });
});

it('reads the unit and the words of a name', () => {
  expect(meaningOf({ name: 'Consumption (kWh)', type: 'numeric', subtype: null })).toEqual({
    role: 'amount',
    additive: true,
    nameWords: ['consumption'],
    unit: 'kwh',
  });
});

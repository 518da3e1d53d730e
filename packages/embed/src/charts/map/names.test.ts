import type { Json } from '@inlay/contract';
import { describe, expect, it } from 'vitest';
import { pointIn } from './coordinates.ts';
import { loadCountries } from './level.ts';
import { nameLocales } from './names.ts';
import { projectionOf, viewAround, world } from './projection.ts';

const countries = await loadCountries();
const codeOf = (text: string, locale = 'en'): string | undefined => countries.find([text], locale)?.codes[0];

describe('the name of a country', () => {
  it.each([
    ...(['USA', 'U.S.A.', 'usa', 'United States', 'the United States of America', 'États-Unis', '840', 'US'] as const),
    ...(['Vereinigte Staaten', 'الولايات المتحدة', '美国', 'États-unis', 'ESTADOS UNIDOS', 'Verenigde Staten'] as const),
  ])('may be %s', (text) => {
    expect(codeOf(text)).toBe('US');
  });

  it.each([
    ...([['UK', 'GB'] as const, ['Great Britain', 'GB'] as const, ['Czech Republic', 'CZ'] as const] as const),
    ...([['South Korea', 'KR'] as const, ['Korea, Republic of', 'KR'] as const, ['DPRK', 'KP'] as const] as const),
    ...([['Côte d’Ivoire', 'CI'] as const, ["cote d'ivoire", 'CI'] as const, ['Ivory Coast', 'CI'] as const] as const),
    ...([['Trinidad and Tobago', 'TT'] as const, ['Saint Lucia', 'LC'] as const, ['4', 'AF'] as const] as const),
    ...([
      ['004', 'AF'] as const,
      ['Turkey', 'TR'] as const,
      ['Türkiye', 'TR'] as const,
      ['Congo', 'CG'] as const,
    ] as const),
    ...([['DR Congo', 'CD'] as const, ['Kosovo', 'XK'] as const, ['Georgia', 'GE'] as const] as const),
  ])('%s is of %s', (text, code) => {
    expect(codeOf(text)).toBe(code);
  });

  it.each(nameLocales)('is known in %s for every country that has a shape', (locale) => {
    const names = new Intl.DisplayNames([locale], { type: 'region' });
    const codes = countries.shapes.flatMap((shape) => shape.codes.slice(0, 1));
    expect(codes.map((code) => codeOf(names.of(code) ?? '', locale))).toEqual(codes);
  });

  it('is none of a country for anything else, such as names of members of objects', () => {
    for (const text of [
      '',
      ' ',
      'Atlantis',
      'constructor',
      '__proto__',
      'hasOwnProperty',
      'the',
      '<b>',
      '🦊',
      'a'.repeat(9999),
    ])
      expect([text, codeOf(text)]).toEqual([text, undefined]);
  });
});

describe('coordinates', () => {
  it.each([
    [{ type: 'Point', coordinates: [4.35, 50.85] }],
    ['{"type":"Point","coordinates":[4.35,50.85]}'],
    [{ id: '{"type":"Point","coordinates":[4.35,50.85]}', name: {} }],
    [[4.35, 50.85]],
    ['[4.35, 50.85]'],
    ['(4.35,50.85)'],
    ['POINT(4.35 50.85)'],
    ['SRID=4326;POINT (4.35 50.85)'],
    ['50.85, 4.35'],
    ['50.85;4.35'],
  ])('may be %j', (cell: Json) => {
    expect(pointIn(cell)).toEqual([4.35, 50.85]);
  });

  it.each([[null], ['Belgium'], ['95, 4'], ['(4, 95)'], [[4]], ['[["a"]]'], ['{"coordinates":{}}'], [12], ['1,2,3']])(
    'are none in %j',
    (cell: Json) => {
      expect(pointIn(cell)).toBeNull();
    },
  );

  it('beyond the Bering Strait lie at the other end of the map', () => {
    expect(pointIn([-175, 52])).toEqual([185, 52]);
  });
});

describe('the projection', () => {
  it('shows areas of the same size as equally large, wherever they lie', () => {
    const { place } = projectionOf(world, 800, 400);
    const area = (latitude: number): number => {
      const [left, top] = place([10, latitude + 0.5]);
      const [right, bottom] = place([11, latitude - 0.5]);
      return ((right - left) * (bottom - top)) / Math.cos((latitude * Math.PI) / 180);
    };
    for (const latitude of [20, 45, 60, 75]) expect(area(latitude) / area(0)).toBeCloseTo(1, 1);
  });

  it('keeps all that is asked for in sight, and shows the world where that is spread out', () => {
    const spain = countries.find(['Spain'], 'en');
    if (spain === null) throw new Error('no Spain');
    const view = viewAround(spain.box, 0.1);
    expect(view.east - view.west).toBeLessThan(30);
    expect(projectionOf(view, 500, 300).holds(spain.box)).toBe(true);
    expect(viewAround({ west: -120, south: -40, east: 150, north: 60 }, 0.1)).toBe(world);
  });

  it('takes no country apart, nor what lies far away from its main land for that land', () => {
    for (const [name, width] of [
      ['Russia', 172],
      ['Fiji', 6],
      ['New Zealand', 15],
      ['France', 16],
      ['Norway', 28],
    ] as const) {
      const box = countries.find([name], 'en')?.box;
      expect([name, (box?.east ?? 999) - (box?.west ?? 0) < width]).toEqual([name, true]);
    }
  });
});

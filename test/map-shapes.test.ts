import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { iso31661 } from 'iso-3166/1.js';
import { iso31662 } from 'iso-3166/2.js';
import { describe, expect, it } from 'vitest';
import { readShapes } from '../packages/embed/src/charts/map/shapes.ts';
import { regionFiles } from '../packages/embed/src/charts/map/shapes/region-files.ts';
import { shapeFiles } from '../scripts/map-shapes/files.ts';

const kilobyte = 1024;
const folder = new URL('../packages/embed/src/charts/map/shapes/', import.meta.url);
const stored = (name: string): string => readFileSync(new URL(name, folder), 'utf8');

describe.each(shapeFiles)('the shapes in $name', ({ name, write }) => {
  it('are those of the packages that they come from', () => {
    expect(stored(name) === write()).toBe(true);
  });

  it('take at most 60 KB on their way to a page', () => {
    expect(gzipSync(stored(name), { level: 9 }).length).toBeLessThanOrEqual(60 * kilobyte);
  });
});

describe('the shapes of countries', () => {
  const shapes = readShapes(JSON.parse(stored('countries.json')));
  const codes = new Set(shapes.flatMap((shape) => shape.codes));

  it('are there for all countries but the smallest', () => {
    const without = iso31661.filter(({ alpha2 }) => !codes.has(alpha2)).map(({ alpha2 }) => alpha2);
    // Antarctica, islands of a few people, and what belongs to another country on the map.
    expect(without).toEqual(['AQ', 'BQ', 'BV', 'CC', 'CX', 'GF', 'GI', 'GP', 'MQ', 'RE', 'SJ', 'TK', 'TV', 'UM', 'YT']);
  });

  it('are each named by the three codes of ISO 3166', () => {
    for (const shape of shapes)
      if (shape.codes.length > 0 && shape.codes[0] !== 'XK') {
        const [alpha2, alpha3, numeric] = shape.codes;
        expect(iso31661.some((one) => one.alpha2 === alpha2 && one.alpha3 === alpha3 && one.numeric === numeric)).toBe(
          true,
        );
      }
  });

  it('lie where the countries are', () => {
    const at = (code: string): readonly number[] =>
      (shapes.find((shape) => shape.codes[0] === code)?.center ?? []).map(Math.round);
    expect(at('FR')).toEqual([2, 47]);
    expect(at('US')).toEqual([-99, 40]);
    expect(at('AU')).toEqual([134, -26]);
  });
});

const regionNames = (): readonly string[] => {
  const read: { readonly regions: readonly string[] } = JSON.parse(stored('region-names.json'));
  return read.regions;
};
const countriesWithRegions = readdirSync(new URL('regions/', folder)).map((name) => name.replace('.json', ''));

describe('the names of regions', () => {
  it('are of regions of ISO 3166-2, each in a file that is known by its country', () => {
    const known = new Set<string>(iso31662.map(({ code }) => code));
    const codes = regionNames().map((line) => line.split('|')[0] ?? '');
    expect(codes.filter((code) => !known.has(code))).toEqual([]);
    expect([...new Set(codes.map((code) => code.slice(0, 2)))]).toEqual(countriesWithRegions.toSorted());
    expect(Object.keys(regionFiles)).toEqual(countriesWithRegions.toSorted());
  });

  it('take at most 60 KB on their way to a page', () => {
    expect(gzipSync(stored('region-names.json'), { level: 9 }).length).toBeLessThanOrEqual(60 * kilobyte);
  });
});

describe.each(countriesWithRegions)('the regions of %s', (country) => {
  const shapes = readShapes(JSON.parse(stored(`regions/${country}.json`)));

  it('each have a name, and lie in their country', () => {
    const named = new Set(regionNames().map((line) => line.split('|')[0]));
    const around = readShapes(JSON.parse(stored('countries.json'))).find(({ codes: [code] }) => code === country)?.box;
    expect(shapes.length).toBeGreaterThan(2);
    for (const { codes, center } of shapes) {
      expect(named.has(codes[0])).toBe(true);
      // Islands far away from the main land are no part of its box.
      const isFar = [
        'US-HI',
        'ES-CN',
        'PT-20',
        'PT-30',
        'CO-SAP',
        'JP-47',
        'NZ-CIT',
        'US-AS',
        'US-GU',
        'US-MP',
        'US-PR',
        'US-VI',
      ].includes(codes[0] ?? '');
      const [x, y] = center;
      const isWithin =
        around !== undefined &&
        x > around.west - 1 &&
        x < around.east + 1 &&
        y > around.south - 1 &&
        y < around.north + 1;
      expect([codes[0], isFar || isWithin]).toEqual([codes[0], true]);
    }
  });

  it('take at most 10 KB on their way to a page', () => {
    expect(gzipSync(stored(`regions/${country}.json`), { level: 9 }).length).toBeLessThanOrEqual(10 * kilobyte);
  });
});

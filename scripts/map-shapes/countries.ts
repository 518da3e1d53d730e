import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { iso31661 } from 'iso-3166/1.js';
import { atlasLines, ringsOf, type Atlas } from './atlas.ts';
import { simpler, pointsOf, type Point, type Topology } from './topology.ts';

/** Areas that have no number of their own, and the codes by which they are drawn. */
const unnumbered: Readonly<Record<string, string>> = { Kosovo: 'XK', Somaliland: 'SO', 'N. Cyprus': 'CY' };
/** Left out: round the pole, and islands that are too small. */
const without = ['Antarctica', 'Indian Ocean Ter.'];

const readAtlas = (): Atlas =>
  JSON.parse(readFileSync(createRequire(import.meta.url).resolve('world-atlas/countries-50m.json'), 'utf8'));

const codesOf = (number: string | undefined, name: string): readonly string[] => {
  const alpha2 = unnumbered[name];
  if (alpha2 === 'XK') return ['XK', 'XKX'];
  const found = iso31661.find((one) => one.alpha2 === alpha2 || one.numeric === number);
  return found === undefined ? [] : [found.alpha2, found.alpha3, found.numeric];
};

/** Crimea, which the atlas draws as who controls it does, and the United Nations as a part of Ukraine (A/RES/68/262). */
const isCrimea = (points: readonly Point[]): boolean => {
  const [x, y] = [points.map((point) => point[0]), points.map((point) => point[1])];
  return Math.min(...x) > 32 && Math.max(...x) < 37 && Math.min(...y) > 44 && Math.max(...y) < 46.5;
};

/**
 * Returns the countries of Natural Earth at 1:50 million with their codes of ISO 3166-1; those without codes are land
 * that nobody's rows are of.
 */
export function countries(leastArea: number, leastIsland: number): Topology {
  const atlas = readAtlas();
  const arcs = atlasLines(atlas);
  const byCode = new Map<string, { codes: readonly string[]; rings: (readonly number[])[] }>();
  for (const { id, properties, arcs: given } of atlas.objects['countries']?.geometries ?? []) {
    if (without.includes(properties.name)) continue;
    for (const ring of ringsOf(given)) {
      const isMoved = id === '643' && isCrimea(pointsOf(arcs, ring));
      const codes = codesOf(isMoved ? '804' : id, properties.name);
      const shape = byCode.get(codes.join(' ')) ?? { codes, rings: [] };
      shape.rings.push(ring);
      byCode.set(codes.join(' '), shape);
    }
  }
  const shapes = [...byCode.values()].toSorted((one, other) => (one.codes.join() < other.codes.join() ? -1 : 1));
  return simpler({ arcs, shapes }, leastArea, leastIsland);
}

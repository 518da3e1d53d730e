import { countries } from './countries.ts';
import { regions } from './regions.ts';
import { shapesJson } from './write.ts';

/** A file of shapes of the elements, and what writes it. */
export interface ShapeFileSource {
  readonly name: string;
  readonly write: () => string;
}

/** How much is left out is chosen so that a file stays below 60 KB gzipped; areas are in square degrees, steps in degrees. */
export const shapeFiles: readonly ShapeFileSource[] = [
  { name: 'countries.json', write: () => shapesJson(countries(0.006, 0.012), 0.02) },
];

/** Files of regions: the shapes of each country, and the names of all regions, by which one knows which shapes to load. */
export function regionFiles(folder: string): readonly ShapeFileSource[] {
  const all = regions(folder);
  const names = all.flatMap(({ topology }) =>
    topology.shapes.map(({ codes, names: own = [] }) => JSON.stringify(`${codes.join(' ')}|${own.join(';')}`)),
  );
  return [
    { name: 'region-names.json', write: () => `{\n"regions":[\n${names.join(',\n')}\n]\n}\n` },
    ...all.map(({ country, topology: { arcs, shapes } }) => ({
      name: `regions/${country}.json`,
      write: () => shapesJson({ arcs, shapes: shapes.map(({ codes, rings }) => ({ codes, rings })) }, 0.01),
    })),
  ];
}

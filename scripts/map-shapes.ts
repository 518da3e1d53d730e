// node scripts/map-shapes.ts [FOLDER]: writes the shapes of maps from the packages that have them; those of regions where FOLDER is
// the unpacked package of their files. docs/decisions/0029-shapes-of-maps.md
import { mkdirSync, writeFileSync } from 'node:fs';
import { regionFiles, shapeFiles } from './map-shapes/files.ts';

const [folder] = process.argv.slice(2);
const target = new URL('../packages/embed/src/charts/map/shapes/', import.meta.url);

mkdirSync(new URL('regions/', target), { recursive: true });
for (const { name, write } of [...shapeFiles, ...(folder === undefined ? [] : regionFiles(folder))])
  writeFileSync(new URL(name, target), write());

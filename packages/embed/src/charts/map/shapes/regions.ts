import type { Level } from '../map-level.ts';
import { countryOf, readRegionNames, type MainCountry } from '../region-names.ts';
import { readShapes, type Shape, type ShapeFile } from '../shapes.ts';
import { regionFiles } from './region-files.ts';
import file from './region-names.json' with { type: 'json' };

const names = readRegionNames(file.regions);
const files: Readonly<Record<string, () => Promise<{ readonly default: ShapeFile }>>> = regionFiles;
/** Maximum number of countries whose regions a map shows. */
const maxCountries = 6;

async function shapesOf(country: string): Promise<readonly Shape[]> {
  const load = Object.hasOwn(files, country) ? files[country] : undefined;
  return load === undefined ? [] : readShapes((await load()).default, names.namesOf);
}

async function levelOf(mainCountry: MainCountry, drawnCodes: readonly string[]): Promise<Level> {
  const [{ countries }, ...lists] = await Promise.all([import('./countries.ts'), ...drawnCodes.map(shapesOf)]);
  const shapes = lists.flat();
  const byCode = new Map(shapes.map((shape) => [shape.codes[0], shape]));
  return {
    shapes: [...countries.shapes.filter(({ codes: [code = ''] }) => !drawnCodes.includes(code)), ...shapes],
    find: (texts) => byCode.get(names.find(texts, mainCountry) ?? '') ?? null,
  };
}

/**
 * Returns a function that loads and caches the level of some countries, so that a map does not flicker when its rows
 * change.
 */
function createLevels(): (main: MainCountry, others: readonly string[]) => Promise<Level> {
  const loadedLevels = new Map<string, Level>();
  return async (mainCountry, others) => {
    const drawnCodes = [mainCountry.code, ...others];
    const key = `${drawnCodes.join(' ')} ${mainCountry.hasEnds}`;
    const level = loadedLevels.get(key) ?? (await levelOf(mainCountry, drawnCodes));
    loadedLevels.set(key, loadedLevels.get(key) ?? level);
    return loadedLevels.get(key) ?? level;
  };
}

const levels = createLevels();

/**
 * Loads the regions that members name. `texts` has a list of all names for each member. `knownCount` is the number of
 * members that match countries. Returns null unless more members match regions.
 */
export async function loadRegions(texts: readonly (readonly string[])[], knownCount: number): Promise<Level | null> {
  const mainCountry = names.mainCountry(texts);
  if (mainCountry === null) return null;
  const regions = texts.flatMap((memberNames) => names.find(memberNames, mainCountry) ?? []);
  if (regions.length <= knownCount) return null;
  const others = [...new Set(regions.map(countryOf))].filter((country) => country !== mainCountry.code);
  return levels(mainCountry, others.toSorted().slice(0, maxCountries - 1));
}

import type { Frame } from '../frame/frame.ts';
import { namesIn } from './member-names.ts';
import { pointIn } from './coordinates.ts';
import type { Level } from './map-level.ts';

/** Loads the shapes of countries, a file of their own. */
export const loadCountries = async (): Promise<Level> => (await import('./shapes/countries.ts')).countries;

/** Members beyond which the level is chosen by the first ones. */
const membersMost = 500;

/** Loads the areas that the rows of an item are of: countries, or the regions of some of them where more members name those. */
export async function loadLevel(frame: Frame, locale: string): Promise<Level> {
  const countries = await loadCountries();
  const [field] = frame.slot('geo');
  if (field === undefined) return countries;
  const cells = new Map(frame.rows.map((row) => [field.key(row[field.index]), row[field.index] ?? null]));
  const texts = [...cells.values()]
    .filter((cell) => cell !== null && pointIn(cell) === null)
    .slice(0, membersMost)
    .map((cell) => namesIn(field, cell));
  const known = texts.filter((names) => countries.find(names, locale) !== null).length;
  if (known === texts.length) return countries;
  const { loadRegions } = await import('./shapes/regions.ts');
  return (await loadRegions(texts, known)) ?? countries;
}

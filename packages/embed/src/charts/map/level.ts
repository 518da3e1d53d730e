import type { Frame } from '../frame/frame.ts';
import { namesIn } from './member-names.ts';
import { pointIn } from './coordinates.ts';
import type { Level } from './map-level.ts';

/** Loads the shapes of countries, which are in a separate file. */
export const loadCountries = async (): Promise<Level> => (await import('./shapes/countries.ts')).countries;

/** Maximum number of members that are looked at to choose between countries and regions. */
const maxMembers = 500;

/**
 * Loads the areas that an item's rows name: regions if more members name regions than countries, otherwise countries.
 */
export async function loadLevel(frame: Frame, locale: string): Promise<Level> {
  const countries = await loadCountries();
  const [field] = frame.slot('geo');
  if (field === undefined) return countries;
  const cells = new Map(frame.rows.map((row) => [field.key(row[field.index]), row[field.index] ?? null]));
  const texts = [...cells.values()]
    .filter((cell) => cell !== null && pointIn(cell) === null)
    .slice(0, maxMembers)
    .map((cell) => namesIn(field, cell));
  const knownCount = texts.filter((names) => countries.find(names, locale) !== null).length;
  if (knownCount === texts.length) return countries;
  const { loadRegions } = await import('./shapes/regions.ts');
  return (await loadRegions(texts, knownCount)) ?? countries;
}

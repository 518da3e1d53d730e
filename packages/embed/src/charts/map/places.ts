import type { Json } from '@inlay/contract';
import { chartWordsFor, counted, filledIn } from '../../locale/chart-words.ts';
import type { SizedContext } from '../frame/chart.ts';
import type { Field, Frame, Row } from '../frame/frame.ts';
import { pointIn } from './coordinates.ts';
import type { Level } from './map-level.ts';
import { namesIn } from './member-names.ts';
import { boxOf, type Box, type Point, type Shape } from './shapes.ts';

/** A row and its location on the map. */
export interface Place {
  readonly row: Row;
  /** Area of the place; null if the place is a point. */
  readonly shape: Shape | null;
  readonly at: Point;
  readonly box: Box;
}

/** Rows with a location, and the texts of the members without one. */
export interface Places {
  readonly placed: readonly Place[];
  readonly missing: readonly string[];
}

/** Locates each row by its cell for the first entry of the `geo` slot. */
function findPlaces(frame: Frame, level: Level, locale: string): Places {
  const [field] = frame.slot('geo');
  if (field === undefined) return { placed: [], missing: [] };
  const missingTexts = new Set<string>();
  const placeOf = (cell: Json): Omit<Place, 'row'> | null => {
    const at = pointIn(cell);
    if (at !== null) return { shape: null, at, box: boxOf([at]) };
    const shape = cell === null ? null : level.find(namesIn(field, cell), locale);
    return shape === null ? null : { shape, at: shape.center, box: shape.box };
  };
  const places = new Map<string, Omit<Place, 'row'> | null>();
  const placedRows = frame.rows.flatMap((row): readonly Place[] => {
    const cell = row[field.index] ?? null;
    const key = field.key(cell);
    const place = places.get(key) ?? (places.has(key) ? null : placeOf(cell));
    places.set(key, place);
    if (place === null) missingTexts.add(field.text(cell));
    return place === null ? [] : [{ row, ...place }];
  });
  return { placed: placedRows, missing: [...missingTexts] };
}

/** Locates the rows of an item. The result is cached per frame. */
export type FindPlaces = (frame: Frame, context: Pick<SizedContext, 'formats'>) => Places;

export function createFindPlaces(level: Level): FindPlaces {
  const placesByFrame = new WeakMap<Frame, Places>();
  return (frame, { formats }) => {
    const places = placesByFrame.get(frame) ?? findPlaces(frame, level, formats.locale);
    placesByFrame.set(frame, places);
    return places;
  };
}

/** Returns the title of a place. The title of a point without a short text is its latitude and longitude. */
export function titleOf(
  { shape, row, at: [x, y] }: Place,
  geo: Field,
  { formats }: Pick<SizedContext, 'formats'>,
): string {
  const cell = row[geo.index];
  if (shape !== null || (typeof cell === 'string' && !/^\s*[[{]/u.test(cell))) return geo.text(cell);
  return [y, x > 180 ? x - 360 : x].map((degrees) => formats.number(degrees)).join(', ');
}

/** Maximum number of members that the note names. */
const maxNames = 3;
/** Maximum length of a name in the note, in characters. */
const maxNameLength = 40;

/** Returns a note about members without a location; null if all members have one. */
export function missingNote({ missing }: Places, { formats }: Pick<SizedContext, 'formats'>): string | null {
  if (missing.length === 0) return null;
  const listedNames = missing
    .slice(0, maxNames)
    .map((name) => (name === '' ? '“”' : name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name));
  const names = [...listedNames, ...(missing.length > maxNames ? ['…'] : [])].join(', ');
  const text = counted(chartWordsFor(formats.locale).notFound, missing.length, formats.number(missing.length));
  return filledIn(text, { names });
}

import { isList, isObject, member, type Json } from '@inlay/contract';
import type { Point } from './shapes.ts';

/** Western edge of the map shapes. Places further west have a longitude above 180°. */
const westEnd = -169;

const pointOf = (longitude: unknown, latitude: unknown): Point | null => {
  if (typeof longitude !== 'number' || typeof latitude !== 'number') return null;
  if (!(Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90)) return null;
  return [longitude < westEnd ? longitude + 360 : longitude, latitude];
};

const number = String.raw`([-+]?\d{1,3}(?:\.\d{1,18})?)`;
const space = String.raw`\s{0,9}`;
/** `(lon,lat)` as PostgreSQL formats points, and `POINT(lon lat)` with an optional `SRID=4326;`. */
const eastFirst = [
  new RegExp(String.raw`^\(${space}${number}${space},${space}${number}${space}\)$`, 'u'),
  new RegExp(String.raw`^(?:SRID=\d{1,6};)?POINT${space}\(${space}${number}\s{1,9}${number}${space}\)$`, 'iu'),
];
/** `lat, lon` as people usually type it. */
const northFirst = new RegExp(`^${number}${space}[,;]${space}${number}$`, 'u');

function pointInText(text: string): Point | null {
  for (const pattern of eastFirst) {
    const match = pattern.exec(text.trim());
    if (match !== null) return pointOf(Number(match[1]), Number(match[2]));
  }
  const match = northFirst.exec(text.trim());
  return match === null ? null : pointOf(Number(match[2]), Number(match[1]));
}

const jsonIn = (text: string): Json => {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return null;
  }
};

/**
 * Parses a cell as a point: GeoJSON (object or text), `[lon, lat]`, `(lon,lat)`, `POINT(lon lat)` or `lat, lon`.
 * Returns null for anything else.
 */
export function pointIn(cell: Json | undefined): Point | null {
  if (cell === undefined || cell === null) return null;
  if (isObject(cell)) return pointIn(member(cell, 'coordinates') ?? member(cell, 'id') ?? null);
  if (isList(cell)) return pointOf(cell[0], cell[1]);
  if (typeof cell !== 'string' || cell.length > 500) return null;
  return /^\s*[[{]/u.test(cell) ? pointIn(jsonIn(cell)) : pointInText(cell);
}

import { listOr, member, type Json, type JsonObject } from '../json.ts';
import { parseColor, type Rgba } from './color.ts';

/** Named colours that themes use often. The service checks the names of other colours. */
const names =
  `black 000 white fff red f00 green 008000 blue 00f gray 808080 grey 808080 orange ffa500 yellow ff0 purple 800080
  teal 008080 navy 000080 transparent 0000 silver c0c0c0 maroon 800000 olive 808000 pink ffc0cb`.split(/\s+/u);

const namedColor = (text: string): Rgba | null => {
  const place = names.indexOf(text.trim().toLowerCase());
  return place < 0 || place % 2 > 0 ? null : parseColor(`#${names[place + 1] ?? ''}`);
};

/** Returns the colour of a member; null if the value is no colour. */
export const colorOf = (value: Json | undefined): Rgba | null =>
  typeof value === 'string' ? (parseColor(value) ?? namedColor(value)) : null;

/** Returns the colours of a list. Skips values that are no colours. */
export const colorsOf = (value: Json | undefined): readonly Rgba[] =>
  listOr(value).flatMap((entry) => colorOf(entry) ?? []);

/** Returns a length in px, limited to 0 to 200. */
const px = (value: Json | undefined, fallback: number): number => {
  const size = typeof value === 'string' ? Number.parseFloat(value) : value;
  return typeof size === 'number' && Number.isFinite(size) ? Math.min(Math.max(size, 0), 200) : fallback;
};

/** Returns the length in a member, in px. */
export const pxIn = (of: JsonObject, name: string, fallback: number): number => px(of[name], fallback);

/** Returns the length at an index of a list, in px. */
export const pxAt = (value: Json | undefined, index: number, fallback: number): number =>
  px(listOr(value)[index], fallback);

export const flag = (of: JsonObject, name: string): boolean => member(of, name) === true;

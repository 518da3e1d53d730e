import { defaultTheme } from './default-theme.ts';
import { isObject, member, type Json, type JsonObject } from '../json.ts';

/** Themes by the names that dashboards, tokens and pages may give. */
export type NamedThemes = Readonly<Record<string, JsonObject>>;

/** What a page always knows. */
export const pageThemes: NamedThemes = { default: defaultTheme };

/** Later objects win, member by member; an unset member (null) leaves what was before. */
function merged(before: JsonObject, after: JsonObject): JsonObject {
  const entries = Object.entries(after).flatMap(([name, value]): readonly (readonly [string, Json])[] => {
    const below = member(before, name);
    if (value === null) return [];
    return [[name, isObject(value) && below !== undefined && isObject(below) ? merged(below, value) : value]];
  });
  return { ...before, ...Object.fromEntries(entries) };
}

const isSet = (theme: JsonObject, name: string): boolean => (theme[name] ?? null) !== null;

/** A theme over another. One that sets other colours leaves the ramps of the one below, which were made for those. */
function layered(below: JsonObject, theme: JsonObject): JsonObject {
  const { sequential: _sequential, diverging: _diverging, ...others } = below;
  return merged(isSet(theme, 'mainColor') || isSet(theme, 'itemsBackground') ? others : below, theme);
}

/** A theme as an object: it may be named alone, or stand in the record of a stored one. */
function themeOf(given: Json | undefined): JsonObject | null {
  if (typeof given === 'string') return { id: given };
  if (given === undefined || !isObject(given)) return null;
  const inner = member(given, 'theme');
  return isObject(inner) ? themeOf(inner) : given;
}

/** Name of a theme that is named, alone or as `{id}`; null where none is. */
export function themeNameOf(given: Json | undefined): string | null {
  const id = themeOf(given)?.['id'];
  return typeof id === 'string' ? id : null;
}

/** Themes on top of each other, the last one strongest. One that is named leaves nothing of those below it. */
export const stackedThemes = (given: readonly (Json | undefined)[], known: NamedThemes): JsonObject =>
  given.reduce<JsonObject>((below, one) => {
    const [theme, name] = [themeOf(one), themeNameOf(one) ?? ''];
    const named = Object.hasOwn(known, name) ? known[name] : undefined;
    return theme === null ? below : layered(named ?? below, theme);
  }, defaultTheme);

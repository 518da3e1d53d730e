import { defaultTheme } from './default-theme.ts';
import { isObject, member, type Json, type JsonObject } from '../json.ts';

/** Themes by name. */
export type NamedThemes = Readonly<Record<string, JsonObject>>;

/** The themes that every page has. */
export const pageThemes: NamedThemes = { default: defaultTheme };

/** Merges two objects, including nested ones. Members of `upper` take precedence unless they are null. */
function mergeThemes(lower: JsonObject, upper: JsonObject): JsonObject {
  const entries = Object.entries(upper).flatMap(([name, value]): readonly (readonly [string, Json])[] => {
    const lowerValue = member(lower, name);
    if (value === null) return [];
    return [
      [
        name,
        isObject(value) && lowerValue !== undefined && isObject(lowerValue) ? mergeThemes(lowerValue, value) : value,
      ],
    ];
  });
  return { ...lower, ...Object.fromEntries(entries) };
}

const isSet = (theme: JsonObject, name: string): boolean => (theme[name] ?? null) !== null;

/**
 * Merges a theme over a lower one. A new main colour or item background removes the colour scales of the lower theme.
 */
function layered(lowerTheme: JsonObject, theme: JsonObject): JsonObject {
  const { sequential: _sequential, diverging: _diverging, ...others } = lowerTheme;
  return mergeThemes(isSet(theme, 'mainColor') || isSet(theme, 'itemsBackground') ? others : lowerTheme, theme);
}

/**
 * Returns the members of a theme. The theme may be a name, an object or a stored record. Null if the value is no theme.
 */
function themeOf(value: Json | undefined): JsonObject | null {
  if (typeof value === 'string') return { id: value };
  if (value === undefined || !isObject(value)) return null;
  const innerTheme = member(value, 'theme');
  return isObject(innerTheme) ? themeOf(innerTheme) : value;
}

/** Returns the name of a theme that is given as a name or as `{id}`; null for any other theme. */
export function themeNameOf(value: Json | undefined): string | null {
  const id = themeOf(value)?.['id'];
  return typeof id === 'string' ? id : null;
}

/** Merges themes in ascending precedence. A theme given by name replaces all themes before it. */
export const stackedThemes = (themes: readonly (Json | undefined)[], namedThemes: NamedThemes): JsonObject =>
  themes.reduce<JsonObject>((lowerTheme, value) => {
    const [theme, name] = [themeOf(value), themeNameOf(value) ?? ''];
    const namedTheme = Object.hasOwn(namedThemes, name) ? namedThemes[name] : undefined;
    return theme === null ? lowerTheme : layered(namedTheme ?? lowerTheme, theme);
  }, defaultTheme);

import { isObject, member, type Json, type JsonObject } from '../json.ts';
import { isUuid } from '../id.ts';

/** The themes of a dashboard in an `appearance` response. */
export interface Themes {
  readonly organization: Json;
  /** Stored and built-in themes that views use, by id. */
  readonly stored: JsonObject;
  readonly token: Json;
}

export const noThemes: Themes = { organization: null, stored: {}, token: null };

/** Returns the theme of a view. Null if it is `default`, which means the theme of the organization. */
function ofView(options: JsonObject, { stored }: Themes): Json {
  const theme = member(options, 'theme') ?? null;
  const id = isObject(theme) ? member(theme, 'id') : undefined;
  if (typeof id !== 'string') return theme;
  const isAlone = isObject(theme) && Object.keys(theme).length === 1;
  const storedTheme = member(stored, id);
  if (storedTheme !== undefined && (isAlone || isUuid(id))) return storedTheme;
  return id === 'default' && isAlone ? null : theme;
}

/** Returns the themes of a view in ascending precedence: organization, dashboard, token. */
export const themesOf = ({ options }: { readonly options: JsonObject }, themes: Themes): readonly Json[] => [
  themes.organization,
  ofView(options, themes),
  themes.token,
];

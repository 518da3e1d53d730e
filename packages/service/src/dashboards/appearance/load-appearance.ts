import {
  filledText,
  isList,
  isObject,
  isUuid,
  member,
  objectOr,
  parseObject,
  upgradeContents,
  type Json,
  type JsonObject,
} from '@inlay/contract';
import { builtInThemes } from '@inlay/contract/built-in-themes';
import { pageThemes, stackedThemes, themeNameOf } from '@inlay/contract/theme';
import type { Caller } from '../../access/caller.ts';
import { withEntryDefaults } from './entry-defaults.ts';
import { visibleTo } from './formula-datasets.ts';
import { withSlotDatasets } from './slot-datasets.ts';
import { recordsOf } from '../../search/records.ts';
import { Problem } from '../../problems/problem.ts';
import type { Registry } from '../../resource/registry.ts';
import { mainTable, recordOf, storedColumns, storedOf, tableOf } from '../../resource/tables.ts';
import { visible } from '../../search/compile.ts';
import { findOne } from '../../search/find-one.ts';
import { list, sql, text } from '../../store/sql.ts';
import type { Reader } from '../../store/store.ts';

export interface AppearanceContext {
  readonly reader: Reader;
  readonly registry: Registry;
}

/** Everything that determines the look of a dashboard for a caller. */
export interface Appearance {
  /** Null if the request names no dashboard. */
  readonly dashboard: JsonObject | null;
  readonly themes: {
    /** The default theme of the organization. */
    readonly organization: Json;
    /** Stored and built-in themes to which views refer, by id. */
    readonly stored: JsonObject;
    readonly token: Json;
  };
  /** CSS of the dashboard, followed by CSS of the token. */
  readonly css: readonly string[];
  readonly locale: string | null;
  readonly timeZone: string | null;
  readonly currency: string | null;
  /** True if the organization allows questions in words. */
  readonly mayAsk: boolean;
}

/** Loads records by id without an access check, since they belong to the dashboard's appearance. */
async function storedMembers(
  { reader, registry }: AppearanceContext,
  name: string,
  ids: readonly string[],
  organizationId: string | null,
): Promise<ReadonlyMap<string, JsonObject>> {
  if (ids.length === 0) return new Map();
  const rows = await reader.rows(
    sql`select ${storedColumns(mainTable)} from ${tableOf(registry.resource(name))} t where t.id in ${list(ids)}`,
  );
  return new Map(
    rows
      .map(storedOf)
      .filter((record) => organizationId === null || record.organizationId === organizationId)
      .map((record) => [record.id, recordOf(record)] as const)
      .filter(([, record]) => (record['deleted_at'] ?? null) === null),
  );
}

/** True if a theme is built in but not bundled with every page. */
const isSentByName = (name: string): boolean => Object.hasOwn(builtInThemes, name) && !Object.hasOwn(pageThemes, name);

/**
 * Merges a theme with the built-in theme that it names, whose members it overrides. Pages then need not load the
 * built-in theme.
 */
function withBuiltIn(theme: Json): Json {
  const name = themeNameOf(theme);
  if (name === null || !isSentByName(name)) return theme;
  const { id: _name, ...members } = stackedThemes([theme], builtInThemes);
  return members;
}

function namesOfThemes(dashboard: JsonObject | null): readonly string[] {
  const contents = dashboard === null ? null : (member(dashboard, 'contents') ?? null);
  const views = isObject(contents) ? (member(contents, 'views') ?? null) : null;
  const ids = (isList(views) ? views : []).flatMap((view) => {
    const options = isObject(view) ? (member(view, 'options') ?? null) : null;
    const theme = isObject(options) ? (member(options, 'theme') ?? null) : null;
    const id = isObject(theme) ? member(theme, 'id') : undefined;
    return typeof id === 'string' ? [id] : [];
  });
  return [...new Set(ids)];
}

/** Returns the newest contents of a dashboard in an environment; null if there are none. */
async function versionIn(reader: Reader, id: string, environment: string): Promise<Json> {
  const [row] = await reader.rows(
    sql`select record from dashboardversion where securable_id = ${id} and environment = ${environment} and writer is null
      order by seq desc limit 1`,
  );
  return row === undefined ? null : (parseObject(String(row['record']))['contents'] ?? null);
}

/** Returns a dashboard with the contents that a caller sees; null if the caller may not read any. */
export async function shownDashboard(
  { reader, registry }: AppearanceContext,
  caller: Caller,
  id: string,
): Promise<JsonObject | null> {
  const securable = registry.resource('securable');
  const asking = { reader, registry, caller };
  const visibleRow = await findOne(asking, securable, id, []);
  // Organization owners can see that the dashboard exists without seeing its contents.
  if (visibleRow === null || (caller.environment === undefined && visibleRow.hiddenFields.includes('contents')))
    return null;
  const [record = null] = await recordsOf(asking, securable, [visibleRow]);
  if (record === null || record['type'] !== 'dashboard') return null;
  const contents =
    caller.environment === undefined ? record['contents'] : await versionIn(reader, id, caller.environment);
  if (contents === null) return null;
  return { ...record, contents: await shownContents({ reader, registry }, caller, objectOr(contents)) };
}

/** Returns contents in their newest structure, with what the columns and formulas that a caller may see say about slots. */
export async function shownContents(
  { reader, registry }: AppearanceContext,
  caller: Caller,
  contents: JsonObject,
): Promise<JsonObject> {
  const newest = upgradeContents(contents);
  const withDatasets = await withSlotDatasets(reader, visibleTo(reader, registry, caller), newest);
  const resources = { column: registry.resource('column'), formula: registry.resource('formula') };
  return withEntryDefaults(reader, resources, caller, withDatasets);
}

/**
 * Returns the id of the dashboard with a slug in the caller's organization; null if the caller cannot see such a
 * dashboard.
 */
export async function dashboardOfSlug(
  { reader, registry }: AppearanceContext,
  caller: Caller,
  slug: string,
): Promise<string | null> {
  const securable = registry.resource('securable');
  const isVisible = visible({ dialect: reader.dialect, resource: securable, alias: text('t'), caller });
  const [row] = await reader.rows(
    sql`select t.id from ${tableOf(securable)} t
      where t.organization_id = ${caller.organizationId} and t.slug = ${slug} and ${isVisible}`,
  );
  return row === undefined ? null : String(row['id']);
}

/** Returns a dashboard that the caller may read. Raises Problem: 404 `not_found`. */
async function dashboardOf(context: AppearanceContext, caller: Caller, id: string): Promise<JsonObject> {
  const record = await shownDashboard(context, caller, id);
  if (record === null) throw new Problem('not_found');
  return record;
}

/**
 * Loads what determines the look of a dashboard for a caller: themes, only of the caller's organization, and the
 * settings of an embed token. Raises Problem: 404 `not_found`.
 */
export async function loadAppearance(
  context: AppearanceContext,
  caller: Caller,
  dashboardId: string | null,
): Promise<Appearance> {
  const { organizationId, authorizationId } = caller;
  const [dashboard, organizations, tokens] = await Promise.all([
    dashboardId === null ? null : dashboardOf(context, caller, dashboardId),
    storedMembers(context, 'organization', [organizationId], null),
    caller.type === 'embed' ? storedMembers(context, 'authorization', [authorizationId], organizationId) : null,
  ]);
  const token = tokens?.get(authorizationId) ?? {};
  const defaultThemeId = filledText(organizations.get(organizationId)?.['theme_id']);
  const names = namesOfThemes(dashboard);
  const namedIds = names.filter(isUuid);
  const themes = await storedMembers(
    context,
    'theme',
    [...namedIds, ...(defaultThemeId === null ? [] : [defaultThemeId])],
    organizationId,
  );
  const themeOf = (id: string | null): Json => (id === null ? null : (themes.get(id)?.['theme'] ?? null));
  return {
    dashboard,
    themes: {
      organization: withBuiltIn(themeOf(defaultThemeId)),
      stored: {
        ...Object.fromEntries(namedIds.filter((id) => themes.has(id)).map((id) => [id, withBuiltIn(themeOf(id))])),
        ...Object.fromEntries(names.filter(isSentByName).map((id) => [id, withBuiltIn({ id })])),
      },
      token: withBuiltIn(token['theme'] ?? null),
    },
    css: [dashboard?.['css'], token['css']].flatMap((css) => filledText(css) ?? []),
    locale: filledText(token['locale_id']),
    timeZone: filledText(token['timezone_id']),
    currency: filledText(token['currency_id']),
    mayAsk: organizations.get(organizationId)?.['flag_experimental_ai'] === true,
  };
}

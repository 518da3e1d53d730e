import {
  filledText,
  isObject,
  listIn,
  member,
  objectIn,
  readFilter,
  textOr,
  type Item,
  type Json,
  type JsonObject,
} from '@inlay/contract';
import type { InitialFilter } from '@inlay/contract/initial-filter';
import { noThemes, type Themes } from '@inlay/contract/theme';
import type { May } from './permitted-items.ts';
import type { Transport } from '@inlay/client/transport';

/** How a dashboard looks to this viewer, as sent by the service. */
export interface Appearance {
  /** Id of the dashboard; null if no dashboard is named. */
  readonly id: string | null;
  readonly name: Json;
  readonly contents: JsonObject;
  readonly themes: Themes;
  readonly sheets: readonly CSSStyleSheet[];
  readonly locale: string;
  readonly timeZone: string;
  /** ISO 4217 currency code from the token; null if the token has none. */
  readonly currency: string | null;
  /** Returns the starting value of a filter item; null if it has none. */
  readonly start: (item: Item, timeZone: string) => InitialFilter | null;
  readonly may: May;
  /** Returns the items of a view with its options, without what the service would refuse. */
  readonly permitted: (items: readonly Item[], options: JsonObject) => readonly Item[];
}

export const plainAppearance: Appearance = {
  id: null,
  name: null,
  contents: {},
  themes: noThemes,
  sheets: [],
  locale: '',
  timeZone: '',
  currency: null,
  start: () => null,
  may: () => true,
  permitted: (items) => items,
};

const usualFormats = ['png', 'svg', 'pdf', 'xlsx', 'csv'] as const;

/** Returns the function for permitted items. Loads its code on demand, because most tokens may do all of it. */
async function permittedFor(may: May): Promise<Appearance['permitted']> {
  if (may('drill') && usualFormats.every((format) => may(`export_${format}`))) return plainAppearance.permitted;
  const { permittedItems } = await import('./permitted-items.ts');
  return (items, options) => permittedItems(items, options, may);
}

/** Returns the function for starting values. Loads its code on demand, because most tokens set no starting values. */
async function startIn(answer: JsonObject): Promise<Appearance['start']> {
  const initialFilters = listIn(answer, 'initial_filters')
    .map(readFilter)
    .filter((filter) => filter !== null);
  if (initialFilters.length === 0) return plainAppearance.start;
  const { initialFilterOf } = await import('@inlay/contract/initial-filter');
  return (item, timeZone) => initialFilterOf(item, initialFilters, timeZone);
}

/** Returns the style sheets. Loads the code that checks them on demand, because most dashboards have no CSS. */
async function sheetsIn(answer: JsonObject): Promise<readonly CSSStyleSheet[]> {
  const texts = listIn(answer, 'css').filter((text) => typeof text === 'string');
  return texts.length === 0 ? [] : texts.map((await import('../css.ts')).scopedSheet);
}

async function readAppearance(answer: JsonObject): Promise<Appearance> {
  const themes = objectIn(answer, 'themes');
  const dashboard = objectIn(answer, 'dashboard');
  const may: May = (feature) => listIn(answer, 'features').includes(feature);
  return {
    id: filledText(member(dashboard, 'id')),
    name: member(dashboard, 'name') ?? null,
    contents: objectIn(dashboard, 'contents'),
    themes: {
      organization: member(themes, 'organization') ?? null,
      stored: objectIn(themes, 'stored'),
      token: member(themes, 'token') ?? null,
    },
    sheets: await sheetsIn(answer),
    locale: textOr(member(answer, 'locale_id'), ''),
    timeZone: textOr(member(answer, 'timezone_id'), ''),
    currency: filledText(member(answer, 'currency_id')),
    start: await startIn(answer),
    may,
    permitted: await permittedFor(may),
  };
}

/** Identifies a dashboard by id, or by slug if the id is empty. */
export interface DashboardName {
  readonly dashboardId: string;
  readonly dashboardSlug: string;
}

/** Loads the appearance of a dashboard, or the defaults of the viewer if no dashboard is named. Raises Failure. */
export async function loadAppearance(
  transport: Transport,
  { dashboardId, dashboardSlug }: DashboardName,
): Promise<Appearance> {
  const bySlug: JsonObject = dashboardSlug === '' ? {} : { dashboard_slug: dashboardSlug };
  const find: JsonObject = dashboardId === '' ? bySlug : { dashboard_id: dashboardId };
  const answer = await transport.call('appearance', { action: 'get', find });
  return isObject(answer) ? readAppearance(answer) : plainAppearance;
}

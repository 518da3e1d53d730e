import { inWords, isList, isObject, member, type Item, type Json, type JsonObject } from '@inlay/contract';
import {
  inLanguage,
  queryFor,
  readFilterGroups,
  readFilterSets,
  themesOf,
  viewFor,
  wordsFor,
  type FilterSet,
  type ScreenMode,
  type View,
} from '@inlay/embed/reading';
import { loadAppearance } from '../appearance/load-appearance.ts';
import { Problem } from '../problems/problem.ts';
import type { Registry } from '../resource/registry.ts';
import type { Serve, ServedAnswer, ServedRequest } from '../resource/served.ts';
import { exportTypes } from '../resources/export.ts';
import type { Reader } from '../store/store.ts';
import type { Draughtsman } from './draughtsman.ts';
import type { DrawnType, Filled } from './drawing.ts';
import { fileName } from './file-name.ts';
import { csvOf, xlsxOf } from './rows.ts';

export interface Exporting {
  readonly reader: Reader;
  readonly registry: Registry;
  /** Answers data queries: the same part that answers `get` on data, so an export sees no more than a query. */
  readonly data: Serve;
  readonly draughtsman: Draughtsman;
}

const textIn = (asked: JsonObject, name: string): string | null => {
  const value = member(asked, name);
  return typeof value === 'string' && value !== '' ? value : null;
};
const numberIn = (asked: JsonObject, name: string, fallback: number): number => {
  const value = member(asked, name);
  return typeof value === 'number' ? value : fallback;
};
const modes: readonly ScreenMode[] = ['desktop', 'tablet', 'mobile'];
const isType = (text: string): text is keyof typeof exportTypes => Object.hasOwn(exportTypes, text);
const isDrawn = (type: keyof typeof exportTypes): type is DrawnType => type !== 'csv' && type !== 'xlsx';

async function bytesOf(body: ServedAnswer['body']): Promise<string> {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return new TextDecoder().decode(body);
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

interface Source {
  readonly record: JsonObject;
  readonly view: View;
  /** From the weakest to the strongest. */
  readonly themes: readonly Json[];
  readonly zone: string;
  readonly locale: string;
}

async function sourceOf({ reader, registry }: Exporting, { caller, asked }: ServedRequest): Promise<Source> {
  const appearance = await loadAppearance({ reader, registry }, caller, textIn(asked, 'dashboard_id') ?? '');
  const record = appearance.dashboard ?? {};
  const contents = member(record, 'contents');
  const definition = contents !== undefined && isObject(contents) ? contents : {};
  const timezone = member(definition, 'timezone');
  const fixed = timezone !== undefined && isObject(timezone) ? member(timezone, 'id') : undefined;
  const view = viewFor(definition, modes.find((mode) => mode === textIn(asked, 'screen_mode')) ?? 'desktop');
  return {
    record,
    view,
    themes: [...themesOf(view, appearance.themes), member(asked, 'theme') ?? null],
    zone: textIn(asked, 'timezone_id') ?? appearance.timeZone ?? (typeof fixed === 'string' ? fixed : 'UTC'),
    locale: textIn(asked, 'locale_id') ?? appearance.locale ?? 'en',
  };
}

/** The items with their rows; all of them are asked for at once. */
async function filled(
  { data }: Exporting,
  request: ServedRequest,
  items: readonly Item[],
  filters: readonly FilterSet[],
  { zone, locale }: Source,
): Promise<readonly Filled[]> {
  const wanted = items.map((item) => ({
    item,
    asked: queryFor({ item, own: [] }, filters, { localeId: locale, timezoneId: zone }),
  }));
  const queries = wanted.flatMap(({ asked }) => (asked === null ? [] : [asked.query]));
  const answers: Json =
    queries.length === 0
      ? []
      : JSON.parse(
          await bytesOf((await data({ ...request, operation: 'get', asked: { queries }, idempotency: null })).body),
        );
  const listed = isList(answers) ? [...answers] : [];
  return wanted.map(({ item, asked }): Filled => {
    const empty = { item, asked, rows: [], truncated: false, failure: null };
    if (asked === null) return empty;
    const answer = listed.shift();
    if (answer === undefined || !isObject(answer)) return { ...empty, failure: 'There was no answer.' };
    const error = member(answer, 'error');
    if (error !== undefined && isObject(error)) return { ...empty, failure: inWords(member(error, 'message')) };
    const rows = member(answer, 'data');
    return {
      ...empty,
      rows: rows !== undefined && isList(rows) ? rows.filter(isList) : [],
      truncated: member(answer, 'truncated') === true,
    };
  });
}

/** The part that answers `create` on export. */
export function createExportPart(exporting: Exporting): Serve {
  return async (request) => {
    const { asked, signal } = request;
    const type = textIn(asked, 'type') ?? '';
    if (!isType(type)) throw new Error(`an export of type ${type} passed its check`);
    const source = await sourceOf(exporting, request);
    const { view, record, zone, locale } = source;
    const itemId = textIn(asked, 'item_id');
    const items = view.items.filter(({ id }) => itemId === null || id === itemId);
    if (itemId !== null && items.length === 0)
      throw new Problem('validation_failed', { validation: { 'properties.item_id': ['is no item of this view'] } });
    if (!isDrawn(type) && items.length !== 1)
      throw new Problem('validation_failed', {
        validation: { 'properties.item_id': [`is required: a ${type} holds the rows of one item`] },
      });
    const given = member(asked, 'filters');
    const own = readFilterSets(given !== undefined && isList(given) ? given : []);
    const filters = [...readFilterGroups(view.filterGroups), ...own];
    const drawn = await filled(exporting, request, items, filters, source);
    const answer = { type: exportTypes[type], fileName: fileName(record, locale, type) };
    if (!isDrawn(type)) {
      const [only] = drawn;
      if (only === undefined || only.asked === null) throw new Problem('query_invalid');
      if (only.failure !== null) throw new Problem('query_failed', { message: only.failure });
      const words = wordsFor(locale);
      const headings = [...only.asked.dimensions, ...only.asked.measures].map(({ content }) =>
        content === null ? words.rows : inLanguage(content.label, locale) || (content.columnId ?? ''),
      );
      return { ...answer, body: type === 'csv' ? csvOf(headings, only.rows) : await xlsxOf(headings, only.rows, only) };
    }
    const single = itemId === null ? null : (items[0] ?? null);
    const placed = (item: Item): Item =>
      single === null ? item : { ...item, position: { ...item.position, col: 0, row: 0, sizeX: view.columns } };
    const body = await exporting.draughtsman.draw(
      {
        type,
        title: member(record, 'name') ?? null,
        view: { ...view, items: items.map(placed) },
        items: drawn.map((one) => ({ ...one, item: placed(one.item) })),
        themes: source.themes,
        locale,
        timeZone: zone,
        widthPx: numberIn(asked, 'width', 1200),
        scale: numberIn(asked, 'scale', 2),
      },
      signal,
    );
    return { ...answer, body };
  };
}

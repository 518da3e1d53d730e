import { wordsFor } from '@inlay/embed/words';
import { themesOf } from '@inlay/contract/theme';
import { labelOf, measureHeadings } from '@inlay/embed/headings';
import {
  isObject,
  member,
  objectOr,
  type Item,
  type Json,
  type JsonObject,
  readFilterGroups,
  rowsOf,
  unfolded,
  viewFor,
  type FilterSet,
  type View,
} from '@inlay/contract';
import type { Caller } from '../access/caller.ts';
import { loadAppearance } from '../dashboards/appearance/load-appearance.ts';
import type { QueryAnswers } from '../data/answers/query-answers.ts';
import { outcomeOf } from '../data/problems.ts';
import { byParameter, givenValues } from '../data/row-filters/parameter-values.ts';
import { controlledParameters, type ParametersInForce } from '../data/row-filters/parameters-in-force.ts';
import { Problem } from '../problems/problem.ts';
import type { CallContext } from '../tracing/call-context.ts';
import type { Registry } from '../resource/registry.ts';
import { exportTypes, maxPixels } from '../resources/export.ts';
import type { Reader } from '../store/store.ts';
import { within } from '../tracing/trace.ts';
import type { RenderJob, FileColumn } from './render-job.ts';
import type { RenderPool } from './rendering/render-pool.ts';
import type { Paper } from './drawing/pages.ts';
import type { ExportedFile } from './exported-file.ts';
import { isDrawn, type DashboardExport } from './export-spec.ts';
import { fileName } from './file-name.ts';
import { ownFontsOf } from './own-fonts.ts';
import { exportItems, queriesOf, type ExportItem } from './queries.ts';
import { fileColumns } from './tables/rows.ts';
import { selectionsIn } from './selections.ts';
import { spoolAnswers } from './spool.ts';

export interface DashboardRendering {
  readonly reader: Reader;
  readonly registry: Registry;
  /** Answers queries exactly as `get` on data does, so that an export never shows more than a query. */
  readonly answers: QueryAnswers;
  readonly parametersInForce: ParametersInForce;
  readonly renderPool: RenderPool;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A dashboard as visible to its caller. */
interface VisibleDashboard {
  readonly contents: JsonObject;
  readonly record: JsonObject;
  readonly view: View;
  /** Ordered from lowest to highest priority. */
  readonly themes: readonly Json[];
  readonly zone: string;
  readonly locale: string;
  readonly currency: string | null;
}

async function loadDashboard(
  { reader, registry, parametersInForce }: DashboardRendering,
  caller: Caller,
  spec: DashboardExport,
): Promise<VisibleDashboard> {
  const appearance = await loadAppearance({ reader, registry }, caller, spec.dashboardId);
  const record = appearance.dashboard ?? {};
  const contents = await parametersInForce(caller, objectOr(member(record, 'contents')));
  const timezone = member(contents, 'timezone');
  const fixedZone = timezone !== undefined && isObject(timezone) ? member(timezone, 'id') : undefined;
  const storedView = viewFor(contents, spec.screenMode, spec.itemId !== null);
  const view = spec.itemId === null ? unfolded(storedView) : storedView;
  return {
    contents,
    record,
    view,
    themes: [...themesOf(view, appearance.themes), spec.theme],
    zone: spec.zone ?? appearance.timeZone ?? (typeof fixedZone === 'string' ? fixedZone : 'UTC'),
    locale: spec.locale ?? appearance.locale ?? 'en',
    currency: appearance.currency,
  };
}

const invalidField = (field: string, message: string): Problem =>
  new Problem('validation_failed', { validation: { [`properties.${field}`]: [message] } });

/** Refuses a drawing that would need too much memory. Raises Problem 400. */
function checkSize({ rowPx }: View, rows: number, { widthPx, scale }: DashboardExport): void {
  const heightPx = rows * rowPx;
  if (widthPx * scale * heightPx * scale <= maxPixels) return;
  const size = `${widthPx * scale} by ${Math.round(heightPx * scale)} pixels`;
  throw invalidField(
    'width',
    `gives a picture of ${size}, more than ${maxPixels / 1_000_000} million in all: ask for a smaller width or scale, or for one item with item_id`,
  );
}

/**
 * Returns the items of an export. Raises Problem 400 if the requested item does not exist, or if a file of rows has
 * other than one item.
 */
function itemsOf({ items }: View, { type, itemId }: DashboardExport): readonly Item[] {
  const exportedItems = items.filter(({ id }) => itemId === null || id === itemId);
  if (itemId !== null && exportedItems.length === 0) throw invalidField('item_id', 'is no item of this view');
  if (!isDrawn(type) && exportedItems.length !== 1)
    throw invalidField('item_id', `is required: a ${type} holds the rows of one item`);
  return exportedItems;
}

/** Widens the only item of an export to the full width of the drawing. */
const aloneInView = (item: Item, { columns }: View): Item => ({
  ...item,
  position: { ...item.position, col: 0, row: 0, sizeX: columns },
});

function columnsOf([only]: readonly ExportItem[], locale: string): readonly FileColumn[] {
  if (only === undefined || only.query === null) return [];
  const words = wordsFor(locale);
  const headings = [
    ...only.query.dimensions.map((dimension) => labelOf(dimension, locale, words)),
    ...measureHeadings(only.query, locale, words),
  ];
  return fileColumns(only.item, only.query, headings);
}

/**
 * Returns the paper of a PDF. Null means a single page as large as the drawing, which is the default for a single item
 * that is not a table.
 */
function paperOf({ paper, isLandscape }: DashboardExport, singleItem: Item | null): Paper | null {
  const isTable = singleItem === null || singleItem.type.endsWith('-table');
  const size = paper ?? (isTable ? 'a4' : 'fit');
  return size === 'fit' ? null : { size, isLandscape };
}

const parametersOf = ({ parameters }: DashboardExport): JsonObject =>
  Object.fromEntries(byParameter(Object.entries(givenValues(parameters))));

const filtersIn = ({ filterGroups }: View, spec: DashboardExport, parameters: JsonObject): readonly FilterSet[] => [
  ...readFilterGroups(filterGroups),
  ...spec.filters,
  { origin: 'parameters', conditions: [], parameters },
];

/** Renders a dashboard or an item. Raises Problem. */
export async function renderDashboard(
  rendering: DashboardRendering,
  caller: Caller,
  spec: DashboardExport,
  context: CallContext,
): Promise<ExportedFile> {
  const { reader, answers, renderPool } = rendering;
  const { type, widthPx, scale, patterns } = spec;
  const { organizationId } = caller;
  const dashboard = await loadDashboard(rendering, caller, spec);
  const { view, record, contents, themes, zone, locale, currency } = dashboard;
  const items = itemsOf(view, spec);
  if (spec.itemId !== null) context.trace.concerns.note('item', spec.itemId);
  const singleItem = spec.itemId === null ? null : (items[0] ?? null);
  const placedItem = (item: Item): Item => (singleItem === null ? item : aloneInView(item, view));
  const drawnView = { ...view, items: items.map(placedItem) };
  if (isDrawn(type)) checkSize(view, rowsOf(drawnView), spec);
  const parameters = parametersOf(spec);
  const nowMs = rendering.now();
  const { dashboardId, steps } = spec;
  const viewer = { dashboardId, steps, locale, zone, nowMs, filters: filtersIn(view, spec, parameters) };
  const exportedItems = await exportItems(reader, caller, items, viewer);
  if (!isDrawn(type) && exportedItems[0]?.query === null)
    throw invalidField('item_id', `has no rows, so there is no ${type} of it: ask for a pdf, png or svg`);
  const job: RenderJob = {
    type,
    view: drawnView,
    widthPx,
    scale,
    patterns,
    themes,
    locale,
    currency,
    nowMs,
    timeZone: zone,
    columns: isDrawn(type) ? [] : columnsOf(exportedItems, locale),
    title: member(record, 'name') ?? null,
    showsTitle: singleItem === null && view.options['showTitle'] === true,
    contents: controlledParameters(contents, parameters),
    items: exportedItems.map((entry) => ({ ...entry, item: placedItem(entry.item) })),
    fonts: isDrawn(type) ? await ownFontsOf(reader, organizationId, themes) : [],
    paper: paperOf(spec, singleItem),
    selections: selectionsIn([...exportedItems.map(({ item }) => item), ...view.items], spec.filters),
  };
  const queries = queriesOf(exportedItems).map(({ query }) => query);
  const body = await renderPool.withSpool(async (path) => {
    const spooledAnswers = await spoolAnswers(path, queries.length, answers.answerQueries(caller, queries, context));
    const draw = () => renderPool.render(organizationId, job, spooledAnswers, context.signal);
    return within(context.trace.span.begin('draw', { file: type }), draw, outcomeOf);
  });
  return { mediaType: exportTypes[type], name: fileName(record, locale, type), body };
}

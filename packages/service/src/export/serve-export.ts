import {
  filledText,
  isList,
  isObject,
  member,
  objectOr,
  type Item,
  type Json,
  type JsonObject,
  readFilterGroups,
  readFilterSets,
  rowsOf,
  unfolded,
  viewFor,
  type ScreenMode,
  type View,
} from '@inlay/contract';
import { themesOf } from '@inlay/contract/theme';
import { labelOf, measureHeadings } from '@inlay/embed/headings';
import { wordsFor } from '@inlay/embed/words';
import { loadAppearance } from '../dashboards/appearance/load-appearance.ts';
import { byParameter, givenValues } from '../data/row-filters/parameter-values.ts';
import { controlledParameters, type ParametersInForce } from '../data/row-filters/parameters-in-force.ts';
import { outcomeOf } from '../data/problems.ts';
import { Problem } from '../problems/problem.ts';
import type { Registry } from '../resource/registry.ts';
import type { Serve, ServedRequest } from '../resource/served.ts';
import { exportTypes, mostPixels, paperSizes } from '../resources/export.ts';
import type { Reader } from '../store/store.ts';
import { within } from '../tracing/trace.ts';
import type { DrawingWorker } from './drawing/drawing-worker.ts';
import type { DrawingJob, DrawnType } from './drawing/drawing.ts';
import type { Paper } from './drawing/pages.ts';
import { fileName } from './file-name.ts';
import { ownFontsOf } from './own-fonts.ts';
import { pickedIn } from './picked.ts';
import { fileColumns, type FileColumn } from './rows.ts';
import { spool, wantedOf, type ExportItem } from './fill.ts';

export interface ExportContext {
  readonly reader: Reader;
  readonly registry: Registry;
  /** Answers data queries: the same part that answers `get` on data, so an export sees no more than a query. */
  readonly data: Serve;
  readonly parametersInForce: ParametersInForce;
  readonly drawingWorker: DrawingWorker;
}

const numberIn = (asked: JsonObject, name: string, fallback: number): number => {
  const value = member(asked, name);
  return typeof value === 'number' ? value : fallback;
};
const listIn = (asked: JsonObject, name: string): readonly Json[] => {
  const value = member(asked, name);
  return value !== undefined && isList(value) ? value : [];
};
const modes: readonly ScreenMode[] = ['desktop', 'tablet', 'mobile'];
const types: readonly DrawingJob['type'][] = ['svg', 'png', 'pdf', 'csv', 'xlsx'];
const isDrawn = (type: DrawingJob['type']): type is DrawnType => type !== 'csv' && type !== 'xlsx';

interface Source {
  readonly contents: JsonObject;
  readonly record: JsonObject;
  readonly view: View;
  /** From the weakest to the strongest. */
  readonly themes: readonly Json[];
  readonly zone: string;
  readonly locale: string;
  readonly currency: string | null;
}

async function sourceOf(
  { reader, registry, parametersInForce }: ExportContext,
  { caller, asked }: ServedRequest,
): Promise<Source> {
  const appearance = await loadAppearance(
    { reader, registry },
    caller,
    filledText(member(asked, 'dashboard_id')) ?? '',
  );
  const record = appearance.dashboard ?? {};
  const definition = await parametersInForce(caller, objectOr(member(record, 'contents')));
  const timezone = member(definition, 'timezone');
  const fixed = timezone !== undefined && isObject(timezone) ? member(timezone, 'id') : undefined;
  const stored = viewFor(
    definition,
    modes.find((mode) => mode === filledText(member(asked, 'screen_mode'))) ?? 'desktop',
  );
  const view = filledText(member(asked, 'item_id')) === null ? unfolded(stored) : stored;
  return {
    contents: definition,
    record,
    view,
    themes: [...themesOf(view, appearance.themes), member(asked, 'theme') ?? null],
    zone:
      filledText(member(asked, 'timezone_id')) ?? appearance.timeZone ?? (typeof fixed === 'string' ? fixed : 'UTC'),
    locale: filledText(member(asked, 'locale_id')) ?? appearance.locale ?? 'en',
    currency: appearance.currency,
  };
}

/** Refuses a drawing that would take too much memory. Raises Problem 400. */
function checkSize({ view, widthPx, scale }: Pick<DrawingJob, 'view' | 'widthPx' | 'scale'>): void {
  const heightPx = rowsOf(view) * view.rowPx;
  if (widthPx * scale * heightPx * scale <= mostPixels) return;
  const size = `${widthPx * scale} by ${Math.round(heightPx * scale)} pixels`;
  throw new Problem('validation_failed', {
    validation: {
      'properties.width': [
        `gives a picture of ${size}, more than ${mostPixels / 1_000_000} million in all: ask for a smaller width or scale, or for one item with item_id`,
      ],
    },
  });
}

function columnsOf([only]: readonly ExportItem[], locale: string): readonly FileColumn[] {
  if (only === undefined || only.asked === null) return [];
  const words = wordsFor(locale);
  const headings = [
    ...only.asked.dimensions.map((placed) => labelOf(placed, locale, words)),
    ...measureHeadings(only.asked, locale, words),
  ];
  return fileColumns(only.item, only.asked, headings);
}

/** The paper of a PDF; null where it is one page as large as the drawing, as it is of one item that is no table. */
function paperOf(asked: JsonObject, single: Item | null): Paper | null {
  const isTable = single === null || single.type.endsWith('-table');
  const size = paperSizes.find((name) => name === filledText(member(asked, 'paper'))) ?? (isTable ? 'a4' : 'fit');
  return size === 'fit' ? null : { size, isLandscape: member(asked, 'orientation') === 'landscape' };
}

/** The part that answers `create` on export. */
export function createExportPart(context: ExportContext): Serve {
  return async (request) => {
    const { asked, signal } = request;
    const type = types.find((name) => name === filledText(member(asked, 'type')));
    if (type === undefined) throw new Error('an export of another type passed its check');
    const source = await sourceOf(context, request);
    const { view, record, zone, locale } = source;
    const itemId = filledText(member(asked, 'item_id'));
    const items = view.items.filter(({ id }) => itemId === null || id === itemId);
    if (itemId !== null && items.length === 0)
      throw new Problem('validation_failed', { validation: { 'properties.item_id': ['is no item of this view'] } });
    if (itemId !== null) request.trace.concerns.note('item', itemId);
    if (!isDrawn(type) && items.length !== 1)
      throw new Problem('validation_failed', {
        validation: { 'properties.item_id': [`is required: a ${type} holds the rows of one item`] },
      });
    const single = itemId === null ? null : (items[0] ?? null);
    const placed = (item: Item): Item =>
      single === null ? item : { ...item, position: { ...item.position, col: 0, row: 0, sizeX: view.columns } };
    const drawing = {
      view: { ...view, items: items.map(placed) },
      widthPx: numberIn(asked, 'width', 1200),
      scale: type === 'png' ? numberIn(asked, 'scale', 2) : 1,
    };
    if (isDrawn(type)) checkSize(drawing);
    const parameters = Object.fromEntries(
      byParameter(Object.entries(givenValues(objectOr(member(asked, 'parameters'))))),
    );
    const filters = [
      ...readFilterGroups(view.filterGroups),
      ...readFilterSets(listIn(asked, 'filters')),
      { origin: 'parameters', conditions: [], parameters },
    ];
    const nowMs = Date.now();
    const wanted = await wantedOf(context.reader, request.caller, items, {
      filters,
      steps: listIn(asked, 'steps'),
      locale,
      zone,
      dashboardId: filledText(member(asked, 'dashboard_id')) ?? '',
      nowMs,
    });
    if (!isDrawn(type) && wanted[0]?.asked === null)
      throw new Problem('validation_failed', {
        validation: { 'properties.item_id': [`has no rows, so there is no ${type} of it: ask for a pdf, png or svg`] },
      });
    const body = await context.drawingWorker.withSpool(async (path) => {
      await spool(context.data, request, wanted, path);
      const job: DrawingJob = {
        ...drawing,
        type,
        columns: isDrawn(type) ? [] : columnsOf(wanted, locale),
        title: member(record, 'name') ?? null,
        showsTitle: single === null && view.options['showTitle'] === true,
        contents: controlledParameters(source.contents, parameters),
        items: wanted.map((one) => ({ ...one, item: placed(one.item) })),
        themes: source.themes,
        locale,
        timeZone: zone,
        currency: source.currency,
        nowMs,
        patterns: member(asked, 'patterns') === true,
        fonts: isDrawn(type) ? await ownFontsOf(context.reader, request.caller.organizationId, source.themes) : [],
        paper: paperOf(asked, single),
        picked: pickedIn([...wanted.map(({ item }) => item), ...view.items], readFilterSets(listIn(asked, 'filters'))),
      };
      const { organizationId } = request.caller;
      return within(
        request.trace.span.begin('draw', { file: type }),
        () => context.drawingWorker.draw(organizationId, job, path, signal),
        outcomeOf,
      );
    });
    return { type: exportTypes[type], fileName: fileName(record, locale, type), body };
  };
}

import { newestContents, slotsOf, type Json, type JsonObject } from '@inlay/contract';
import type { DemoEntry, DemoItem } from './definition.ts';
import { sources, type SourceName } from './sources.ts';

export interface ColumnPlace {
  readonly datasetId: string;
  readonly columnId: string;
  readonly type: string;
}
export type Find = (source: SourceName, column: string) => ColumnPlace;

function entryOf(entry: DemoEntry, find: Find): JsonObject {
  const { of: source, column, level, by, bins, formula, part, label, format, currency } = entry;
  const columns: Readonly<Record<string, { readonly name: JsonObject; readonly format?: string }>> =
    sources[source].columns;
  const { datasetId, columnId, type } = find(source, column);
  const place = columns[column];
  const isCount = by === 'count' || by === 'distinctcount';
  const numberFormat = format ?? (isCount ? ',.0f' : place?.format);
  const columnName = isCount ? { en: 'Number', fr: 'Nombre', nl: 'Aantal', ar: 'العدد' } : (place?.name ?? column);
  return {
    ...(formula === undefined
      ? { columnId, type }
      : { formula: formula.replaceAll(/\{(\w+)\}/gu, (_, name: string) => `{${find(source, name).columnId}}`) }),
    datasetId,
    label: label ?? columnName,
    ...(numberFormat === undefined ? {} : { format: numberFormat }),
    ...(level === undefined ? {} : { level }),
    ...(by === undefined ? {} : { aggregationFunc: by }),
    ...(bins === undefined ? {} : { bins: { enabled: true, number: bins } }),
    ...(part === undefined ? {} : { datetimeDisplayMode: part }),
    ...(currency === undefined ? {} : { currency }),
  };
}

function itemOf(item: DemoItem, index: number, find: Find, at = item.at): JsonObject {
  const [col, row, sizeX, sizeY] = at;
  return {
    id: `item-${index + 1}`,
    type: item.type,
    position: { col, row, sizeX, sizeY },
    title: item.title,
    options: item.options ?? {},
    content: {},
    slots: slotsOf(item.type).map(({ name }) => ({
      name,
      content: (item.slots[name] ?? []).map((entry) => entryOf(entry, find)),
    })),
    aichartId: null,
  };
}

/** Returns the contents of a demo dashboard with the ids of its data. */
export function contentsOf(items: readonly DemoItem[], find: Find): JsonObject {
  const wireItems = items.map((item, index) => itemOf(item, index, find));
  const onPhone = items.flatMap((item, index) =>
    item.onPhone === undefined ? [] : [itemOf(item, index, find, item.onPhone)],
  );
  const usedDatasets = [
    ...new Set(
      items.flatMap(({ slots }) => Object.values(slots).flat()).map((entry) => find(entry.of, entry.column).datasetId),
    ),
  ];
  const view = (screenModus: string, viewItems: readonly Json[]): JsonObject => ({
    screenModus,
    options: {
      share: { poweredBy: false },
      theme: { id: 'default' },
      alertingEnabled: false,
      columns: 48,
      rowHeight: 16,
      showTitle: true,
    },
    filterGroups: [],
    items: viewItems,
  });
  return {
    version: newestContents,
    syncScreenModes: true,
    datasetLinks: Object.fromEntries(usedDatasets.map((id) => [id, []])),
    views: [view('desktop', wireItems), view('tablet', []), view('mobile', onPhone)],
    parameters: [],
    timezone: { type: 'fixed', id: 'UTC' },
  };
}

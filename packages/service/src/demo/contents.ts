import { newestContents, slotsOf, type Json, type JsonObject } from '@inlay/contract';
import type { DemoEntry, DemoItem } from './dashboards.ts';
import { sources, type SourceName } from './sources.ts';

/** Where a column of the demo ended up. */
export interface ColumnPlace {
  readonly datasetId: string;
  readonly columnId: string;
  readonly type: string;
}
export type Find = (source: SourceName, column: string) => ColumnPlace;

function entryOf({ of: source, column, level, by, bins }: DemoEntry, find: Find): JsonObject {
  const known: Readonly<Record<string, { readonly name: JsonObject; readonly format?: string }>> =
    sources[source].columns;
  const { datasetId, columnId, type } = find(source, column);
  const told = known[column];
  const counted = by === 'count' || by === 'distinctcount';
  return {
    columnId,
    datasetId,
    type,
    label: counted ? { en: 'Number', fr: 'Nombre', nl: 'Aantal', ar: 'العدد' } : (told?.name ?? column),
    ...(counted ? { format: ',.0f' } : told?.format === undefined ? {} : { format: told.format }),
    ...(level === undefined ? {} : { level }),
    ...(by === undefined ? {} : { aggregationFunc: by }),
    ...(bins === undefined ? {} : { bins: { enabled: true, number: bins } }),
  };
}

function itemOf(item: DemoItem, index: number, find: Find): JsonObject {
  const [col, row, sizeX, sizeY] = item.at;
  return {
    id: `item-${index + 1}`,
    type: item.type,
    position: { col, row, sizeX, sizeY },
    title: item.title,
    options: item.options ?? {},
    content: {},
    slots: slotsOf[item.type].map(({ name }) => ({
      name,
      content: (item.slots[name] ?? []).map((entry) => entryOf(entry, find)),
    })),
    aichartId: null,
  };
}

/** The contents of a dashboard of the demo, with the ids its data got. */
export function contentsOf(items: readonly DemoItem[], find: Find): JsonObject {
  const made = items.map((item, index) => itemOf(item, index, find));
  const used = [
    ...new Set(
      items.flatMap(({ slots }) => Object.values(slots).flat()).map((entry) => find(entry.of, entry.column).datasetId),
    ),
  ];
  const view = (screenModus: string, own: readonly Json[]): JsonObject => ({
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
    items: own,
  });
  return {
    version: newestContents,
    syncScreenModes: true,
    datasetLinks: Object.fromEntries(used.map((id) => [id, []])),
    views: [view('desktop', made), view('tablet', []), view('mobile', [])],
    parameters: [],
    timezone: { type: 'fixed', id: 'UTC' },
  };
}

import { initialFilterOf } from '@inlay/contract/initial-filter';
import {
  isNumberType,
  type Item,
  type ItemQuery,
  type SlotContent,
  comparedQueries,
  drilled,
  filtersOf,
  inLanguage,
  onlyOf,
  queryFor,
  readSteps,
  type FilterSelection,
  type FilterSet,
} from '@inlay/contract';
import type { Caller } from '../access/caller.ts';
import type { Reader } from '../store/store.ts';
import { namesOf } from './column-names.ts';
import type { DashboardExport } from './export-spec.ts';

/** What the queries of items depend on besides the items. */
export interface ExportViewer extends Pick<DashboardExport, 'dashboardId' | 'steps'> {
  /** All filters in effect, including those of the view and of parameters. */
  readonly filters: readonly FilterSet[];
  readonly locale: string;
  readonly zone: string;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

const isUnnamed = ({ label }: SlotContent): boolean => inLanguage(label, 'en') === '';

/** Labels entries that have no label with the names of their columns and formulas that the caller may see. */
async function labelledItems(reader: Reader, caller: Caller, items: readonly Item[]): Promise<readonly Item[]> {
  const contents = items.flatMap(({ slots }) => slots.flatMap(({ content }) => content)).filter(isUnnamed);
  const names = await namesOf(
    reader,
    caller,
    contents.flatMap(({ columnId, formulaId }) => columnId ?? formulaId ?? []),
  );
  const withName = (content: SlotContent): SlotContent =>
    isUnnamed(content)
      ? { ...content, label: names.get(content.columnId ?? content.formulaId ?? '') ?? content.label }
      : content;
  return items.map((item) => ({
    ...item,
    slots: item.slots.map(({ name, content }) => ({ name, content: content.map(withName) })),
  }));
}

/** Returns an item at its drill level with the drill path in its title, and the filters that the drill path adds. */
function openedItem(
  item: Item,
  { steps, locale }: ExportViewer,
): { readonly item: Item; readonly own: readonly FilterSet[] } {
  const takenSteps = readSteps(steps, item.id);
  if (takenSteps.length === 0) return { item: drilled(item, takenSteps), own: [] };
  const path = [inLanguage(item.title, locale), ...takenSteps.map(({ text }) => text)].filter((text) => text !== '');
  return {
    item: { ...drilled(item, takenSteps), title: path.join(' › ') },
    own: [{ origin: onlyOf(item.id), conditions: takenSteps.map(({ filter }) => filter) }],
  };
}

/** An item of a file with its queries. */
export interface ExportItem {
  readonly item: Item;
  /** Null if the item needs no rows. */
  readonly query: ItemQuery | null;
  /** Query of the comparison period of a number; null without a comparison. */
  readonly comparison: ItemQuery | null;
  /** Selection of a viewer in a filter item; null if empty. */
  readonly selection: FilterSelection | null;
}

const selectionIn = (item: Item, { filters, zone }: ExportViewer): FilterSelection | null => {
  const ownConditions = filters.filter(({ origin }) => origin === item.id).flatMap(({ conditions }) => conditions);
  return initialFilterOf(item, ownConditions.flatMap(filtersOf), zone)?.chosen ?? null;
};

/** Returns the queries of items in the order in which they run. */
export const queriesOf = (items: readonly ExportItem[]): readonly ItemQuery[] =>
  items.flatMap(({ query, comparison }) => [query, comparison].filter((query) => query !== null));

/** Builds the items with their queries for a viewer. */
export async function exportItems(
  reader: Reader,
  caller: Caller,
  items: readonly Item[],
  viewer: ExportViewer,
): Promise<readonly ExportItem[]> {
  const { locale: localeId, zone: timezoneId, dashboardId } = viewer;
  const context = { localeId, timezoneId, dashboardId };
  return (await labelledItems(reader, caller, items)).map((labelledItem) => {
    const { item, own } = openedItem(labelledItem, viewer);
    const { query, compared } = isNumberType(item.type)
      ? comparedQueries({ item, own }, viewer.filters, context, viewer.nowMs)
      : { query: queryFor({ item, own }, viewer.filters, context), compared: null };
    return { item, query, comparison: compared, selection: selectionIn(labelledItem, viewer) };
  });
}

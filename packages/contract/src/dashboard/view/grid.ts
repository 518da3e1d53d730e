import { isContentType, isFilterType, isNumberType } from '../../item-types/facts.ts';
import { isObject, listIn, member, objectIn, objectOr, type Json, type JsonObject } from '../../json.ts';
import { readItem, type Item } from '../../item/item.ts';
import { groupsOf, itemIdAt } from '../../item/view-groups.ts';
import { tabsOf } from '../../item/tabs.ts';
import type { screenModes } from '../../contents.ts';

export type ScreenMode = (typeof screenModes)[number];

/** Returns the screen mode for a width in px. */
export const screenModeOf = (widthPx: number): ScreenMode =>
  widthPx < 576 ? 'mobile' : widthPx < 960 ? 'tablet' : 'desktop';

/** A view of a dashboard that can be laid out. */
export interface View {
  readonly mode: ScreenMode;
  readonly columns: number;
  readonly rowPx: number;
  readonly items: readonly Item[];
  readonly options: JsonObject;
  /** Groups of filters of the view and of its items. */
  readonly filterGroups: readonly Json[];
  /** True if the items are stacked, so that items below a hidden item move up. */
  readonly isStacked: boolean;
}

const positive = (value: Json | undefined, fallback: number): number =>
  typeof value === 'number' && value > 0 && value <= 1000 ? value : fallback;

/** Returns the number of grid rows of an item on a phone: at least what its type needs, and at most one screen. */
function rowsOnPhone({ type, position: { sizeY } }: Item): number {
  if (isContentType(type)) return sizeY;
  if (isFilterType(type)) return Math.min(Math.max(sizeY, 4), 12);
  return isNumberType(type) ? Math.min(Math.max(sizeY, 7), 9) : Math.min(Math.max(sizeY, 12), 20);
}

/** Returns the items in reading order. */
export const inOrder = (items: readonly Item[]): readonly Item[] =>
  items.toSorted((a, b) => a.position.row - b.position.row || a.position.col - b.position.col);

/** Returns the items in reading order. The items in the tabs of a tabs item follow that item. */
function inTabOrder(items: readonly Item[]): readonly Item[] {
  const order = inOrder(items);
  const places = new Map(order.map(({ id }, index) => [id, index]));
  const placeOf = ({ id }: Item): number => places.get(id) ?? 0;
  for (const item of order)
    for (const { items: tabItemIds } of tabsOf(item)) for (const id of tabItemIds) places.set(id, placeOf(item) + 0.01);
  return order.toSorted((left, right) => placeOf(left) - placeOf(right));
}

/** Stacks the items in reading order. An item has the full width, but two successive numbers are next to each other. */
export function stackForPhone(items: readonly Item[], columns: number): readonly Item[] {
  const order = inTabOrder(items);
  const halfColumns = Math.floor(columns / 2);
  let [row, isBeside] = [0, false];
  return order.map((item, index) => {
    const isNumber = isNumberType(item.type);
    const nextItem = order[index + 1];
    const isPaired = isNumber && (isBeside || (nextItem !== undefined && isNumberType(nextItem.type)));
    const sizeY = isPaired ? 8 : rowsOnPhone(item);
    const position = { col: isBeside ? halfColumns : 0, row, sizeX: isPaired ? halfColumns : columns, sizeY };
    isBeside = isPaired && !isBeside;
    if (!isBeside) row += sizeY;
    return { ...item, position };
  });
}

/**
 * Returns the items of a view that can be read, with their indexes. An item without an id gets an id from its index.
 */
export function itemsOf(view: JsonObject | undefined): readonly { readonly item: Item; readonly index: number }[] {
  return listIn(view ?? {}, 'items').flatMap((value, index) => {
    const item = readItem(value);
    return item === null ? [] : [{ index, item: { ...item, id: itemIdAt(objectOr(value), index) } }];
  });
}

/**
 * Returns the view for a screen mode. If that view has no items, returns the first of desktop, tablet and mobile that
 * has some. On phones, the items of such a view are stacked. Hidden items are left out unless the whole view is wanted.
 */
export function viewFor(contents: JsonObject, mode: ScreenMode, isWhole = false): View {
  const views = listIn(contents, 'views').filter(isObject);
  const viewOfMode = (name: ScreenMode): JsonObject | undefined =>
    views.find((view) => member(view, 'screenModus') === name);
  const modeView = viewOfMode(mode);
  const usableView =
    itemsOf(modeView).length > 0
      ? modeView
      : (['desktop', 'tablet', 'mobile'] as const).map(viewOfMode).find((view) => itemsOf(view).length > 0);
  const view = usableView ?? modeView ?? views[0] ?? {};
  const settings = objectIn(view, 'options');
  const columns = positive(member(settings, 'columns'), 48);
  const values = listIn(view, 'items');
  const items = itemsOf(view)
    .filter(({ index }) => isWhole || objectOr(values[index])['hidden'] !== true)
    .map(({ item }) => item);
  const isStacked = view !== modeView && mode === 'mobile';
  return {
    mode,
    columns,
    rowPx: positive(member(settings, 'rowHeight'), 16),
    items: isStacked ? stackForPhone(items, columns) : items,
    options: settings,
    filterGroups: groupsOf(view),
    isStacked,
  };
}

/** Returns the number of grid rows that the items of a view take. */
export const rowsOf = ({ items }: Pick<View, 'items'>): number =>
  Math.max(0, ...items.map(({ position }) => position.row + position.sizeY));

/** Returns the time zone that a dashboard sets; null if the time zone of the viewer applies. */
export function fixedZone(contents: JsonObject): string | null {
  const zone = member(contents, 'timezone') ?? null;
  const id = isObject(zone) && member(zone, 'type') === 'fixed' ? member(zone, 'id') : null;
  return typeof id === 'string' ? id : null;
}

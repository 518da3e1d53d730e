import { isContentType, isFilterType, isNumberType } from '../../item-types/facts.ts';
import { isObject, listIn, member, objectIn, type Json, type JsonObject } from '../../json.ts';
import { readItem, type Item } from '../../item/item.ts';
import { tabsOf } from '../../item/tabs.ts';
import type { screenModes } from '../../contents.ts';

export type ScreenMode = (typeof screenModes)[number];

/** Returns the screen mode of a width in px. */
export const screenModeOf = (widthPx: number): ScreenMode =>
  widthPx < 576 ? 'mobile' : widthPx < 960 ? 'tablet' : 'desktop';

/** A view of a dashboard, ready for layout. */
export interface View {
  readonly mode: ScreenMode;
  readonly columns: number;
  readonly rowPx: number;
  readonly items: readonly Item[];
  readonly options: JsonObject;
  readonly filterGroups: Json;
  /** Items are stacked, so those below a hidden item move up. */
  readonly isStacked: boolean;
}

const positive = (value: Json | undefined, fallback: number): number =>
  typeof value === 'number' && value > 0 && value <= 1000 ? value : fallback;

/** Grid rows of an item on a phone: at most a screen, at least what its type needs. */
function rowsOnPhone({ type, position: { sizeY } }: Item): number {
  if (isContentType(type)) return sizeY;
  if (isFilterType(type)) return Math.min(Math.max(sizeY, 4), 12);
  return isNumberType(type) ? Math.min(Math.max(sizeY, 7), 9) : Math.min(Math.max(sizeY, 12), 20);
}

/** Items in reading order. */
export const inOrder = (items: readonly Item[]): readonly Item[] =>
  items.toSorted((a, b) => a.position.row - b.position.row || a.position.col - b.position.col);

/** Reading order with the items of tabs after their tabs item. */
function inTabOrder(items: readonly Item[]): readonly Item[] {
  const order = inOrder(items);
  const places = new Map(order.map(({ id }, index) => [id, index]));
  const placeOf = ({ id }: Item): number => places.get(id) ?? 0;
  for (const item of order)
    for (const { items: tabItemIds } of tabsOf(item)) for (const id of tabItemIds) places.set(id, placeOf(item) + 0.01);
  return order.toSorted((left, right) => placeOf(left) - placeOf(right));
}

/** Stacks items in reading order at full width; numbers are placed in pairs. */
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

/** Returns the items of a view. An item without an id gets its index as id. */
export function itemsOf(view: JsonObject | undefined): readonly { readonly item: Item; readonly index: number }[] {
  return listIn(view ?? {}, 'items').flatMap((value, index) => {
    const item = readItem(value);
    return item === null ? [] : [{ index, item: item.id === '' ? { ...item, id: `item-${index}` } : item }];
  });
}

/** Returns the view for a screen mode. If that has no items, returns the desktop view, stacked on narrow screens. */
export function viewFor(contents: JsonObject, mode: ScreenMode): View {
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
  const items = itemsOf(view).map(({ item }) => item);
  const isStacked = view !== modeView && mode === 'mobile';
  return {
    mode,
    columns,
    rowPx: positive(member(settings, 'rowHeight'), 16),
    items: isStacked ? stackForPhone(items, columns) : items,
    options: settings,
    filterGroups: member(view, 'filterGroups') ?? [],
    isStacked,
  };
}

/** Grid rows of a view. */
export const rowsOf = ({ items }: Pick<View, 'items'>): number =>
  Math.max(0, ...items.map(({ position }) => position.row + position.sizeY));

/** Returns the fixed time zone of a dashboard; null for the viewer's. */
export function fixedZone(contents: JsonObject): string | null {
  const zone = member(contents, 'timezone') ?? null;
  const id = isObject(zone) && member(zone, 'type') === 'fixed' ? member(zone, 'id') : null;
  return typeof id === 'string' ? id : null;
}

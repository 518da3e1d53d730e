import {
  isList,
  isObject,
  member,
  readItem,
  type screenModes,
  type Item,
  type Json,
  type JsonObject,
} from '@inlay/contract';

export type ScreenMode = (typeof screenModes)[number];

/** The screen mode of a width in px. */
export const screenModeOf = (widthPx: number): ScreenMode =>
  widthPx < 576 ? 'mobile' : widthPx < 960 ? 'tablet' : 'desktop';

/** A view of a dashboard, ready to be laid out. */
export interface View {
  readonly mode: ScreenMode;
  readonly columns: number;
  readonly rowPx: number;
  readonly items: readonly Item[];
  readonly options: JsonObject;
  readonly filterGroups: Json;
}

const positive = (value: Json | undefined, fallback: number): number =>
  typeof value === 'number' && value > 0 && value <= 1000 ? value : fallback;

/** One below another, in the order of reading, each as wide as there is. */
function stacked(items: readonly Item[], columns: number): readonly Item[] {
  const order = items.toSorted((a, b) => a.position.row - b.position.row || a.position.col - b.position.col);
  let row = 0;
  return order.map((item) => {
    const sizeY = Math.max(item.position.sizeY, 10);
    const placed = { ...item, position: { col: 0, row, sizeX: columns, sizeY } };
    row += sizeY;
    return placed;
  });
}

/** The items of a view with their places in it. One without an id goes by its place. */
export function itemsOf(view: JsonObject | undefined): readonly { readonly item: Item; readonly index: number }[] {
  const listed = view === undefined ? undefined : member(view, 'items');
  if (listed === undefined || !isList(listed)) return [];
  return listed.flatMap((given, index) => {
    const item = readItem(given);
    return item === null ? [] : [{ index, item: item.id === '' ? { ...item, id: `item-${index}` } : item }];
  });
}

/**
 * The view for a width: that of the screen mode, or where it has no items, those of the desktop, one below another on
 * a narrow screen.
 */
export function viewFor(contents: JsonObject, mode: ScreenMode): View {
  const given = member(contents, 'views');
  const views = given !== undefined && isList(given) ? given.filter(isObject) : [];
  const named = (name: ScreenMode): JsonObject | undefined =>
    views.find((view) => member(view, 'screenModus') === name);
  const own = named(mode);
  const usable =
    itemsOf(own).length > 0
      ? own
      : (['desktop', 'tablet', 'mobile'] as const).map(named).find((view) => itemsOf(view).length > 0);
  const view = usable ?? own ?? views[0] ?? {};
  const options = member(view, 'options');
  const settings = options !== undefined && isObject(options) ? options : {};
  const columns = positive(member(settings, 'columns'), 48);
  const items = itemsOf(view).map(({ item }) => item);
  const borrowed = view !== own;
  return {
    mode,
    columns,
    rowPx: positive(member(settings, 'rowHeight'), 16),
    items: borrowed && mode === 'mobile' ? stacked(items, columns) : items,
    options: settings,
    filterGroups: member(view, 'filterGroups') ?? [],
  };
}

/** Rows that a view needs. */
export const rowsOf = ({ items }: View): number =>
  Math.max(0, ...items.map(({ position }) => position.row + position.sizeY));

import {
  filledText,
  isObject,
  objectOr,
  screenModes,
  type Json,
  type JsonObject,
  type ScreenMode,
} from '@inlay/contract';
import {
  JsonText,
  setMember,
  type Change,
  type DashboardModel,
  type Operation,
  type Part,
} from '@inlay/contract/change';
import { samePosition, type Area, type Position } from '../../layout/area.ts';

const viewAddress = (mode: ScreenMode): string => `view:${mode}`;

/** Returns the items of a view. */
const itemsIn = (view: Part | null): readonly Part[] => view?.parts.filter(({ kind }) => kind === 'item') ?? [];

/** Returns the view that has the items of a screen mode: its own, or the first with items, from which it derives. */
export function sourceOf(model: DashboardModel, mode: ScreenMode): Part | null {
  const modes = [mode, ...screenModes.filter((other) => other !== mode)];
  const views = modes.map((one) => model.find(viewAddress(one)));
  return views.find((view) => itemsIn(view).length > 0) ?? null;
}

/** True if a screen mode shows the items of another view, because it has none itself. */
export const isDerivedView = (model: DashboardModel, mode: ScreenMode): boolean => {
  const source = sourceOf(model, mode);
  return source !== null && source.id !== mode;
};

/** Returns an item of a screen mode, which may come from the view that it derives from; null if there is none. */
export const itemPart = (model: DashboardModel, mode: ScreenMode, id: string): Part | null =>
  itemsIn(sourceOf(model, mode)).find((part) => part.id === id) ?? null;

/** Marks of items that editors set: left out for viewers, and kept at its place. */
export type ItemFlag = 'hidden' | 'locked';

/** Returns the ids of the items of a screen mode that have a mark. */
export const flaggedIds = (model: DashboardModel, mode: ScreenMode, flag: ItemFlag): ReadonlySet<string> =>
  new Set(itemsIn(sourceOf(model, mode)).flatMap(({ id, value }) => (value[flag] === true ? [id] : [])));

/** Returns a position with the other members that it has in the contents. */
const positionJson = (item: JsonObject, { col, row, sizeX, sizeY }: Position): JsonObject => ({
  ...objectOr(item['position']),
  col,
  row,
  sizeX,
  sizeY,
});

/** Returns a part as it is written. */
export const textOf = (model: DashboardModel, { path, value }: Part): string =>
  model.json.at(path) ?? JSON.stringify(value);

/** Returns the text of a part with other members, and everything else as it is written. */
const partText = (model: DashboardModel, part: Part, members: Readonly<Record<string, Json>>): string =>
  JsonText.read(textOf(model, part)).with(Object.entries(members).map(([name, own]) => [[name], own])).text;

/**
 * Returns the change that gives a screen mode items of its own, at the positions where they are shown. Nothing if it has
 * some already.
 */
export function detachment(model: DashboardModel, mode: ScreenMode, areas: readonly Area[]): Change {
  const source = sourceOf(model, mode);
  if (source === null || source.id === mode) return [];
  const byId = new Map(areas.map((area) => [area.id, area]));
  const parts = itemsIn(source);
  const texts = parts.map((part) => {
    const area = byId.get(part.id);
    return partText(model, part, area === undefined ? {} : { position: positionJson(part.value, area) });
  });
  const address = viewAddress(mode);
  const emptyView = JSON.stringify({ screenModus: mode, options: objectOr(source.value['options']), items: [] });
  const view: Change =
    model.find(address) === null
      ? [{ kind: 'insert', parent: '', list: 'views', after: model.views.at(-1)?.id ?? null, text: emptyView }]
      : [];
  const isFiltered = model.find(address)?.parts.some(({ kind }) => kind === 'group') === true;
  const groups = isFiltered ? [] : source.parts.filter(({ kind }) => kind === 'group');
  const inserted = (list: string, ids: readonly string[], ownTexts: readonly string[]): Change =>
    ownTexts.map((text, index) => ({ kind: 'insert', parent: address, list, after: ids[index - 1] ?? null, text }));
  const idsOf = (some: readonly Part[]): readonly string[] => some.map(({ id }) => id);
  return [
    ...view,
    // The items were filtered by the groups of the view that they come from.
    ...inserted(
      'filterGroups',
      idsOf(groups),
      groups.map((group) => partText(model, group, {})),
    ),
    ...inserted('items', idsOf(parts), texts),
  ];
}

/**
 * Returns the change that gives the items of a screen mode new positions. A mode that derives from another one gets
 * items of its own.
 */
export function arrangement(
  model: DashboardModel,
  mode: ScreenMode,
  before: readonly Area[],
  after: readonly Area[],
): Change {
  const previous = new Map(before.map((area) => [area.id, area]));
  const changed = after.filter((area) => {
    const old = previous.get(area.id);
    return old !== undefined && !samePosition(old, area);
  });
  if (changed.length === 0) return [];
  if (isDerivedView(model, mode)) return detachment(model, mode, after);
  return changed.flatMap((area) => {
    const part = itemPart(model, mode, area.id);
    return part === null ? [] : [setMember(part.address, ['position'], positionJson(part.value, area))];
  });
}

/** Returns the change that makes a screen mode derive from another one again: it removes its items. */
export const derivation = (model: DashboardModel, mode: ScreenMode): Change =>
  itemsIn(model.find(viewAddress(mode))).map(({ address }) => ({ kind: 'remove', part: address }));

/** Returns the addresses of an item in all views that have it. Editing its content changes it in each of them. */
export function itemParts(model: DashboardModel, mode: ScreenMode, id: string): readonly Part[] {
  const isSynced = objectOr(model.contents)['syncScreenModes'] !== false;
  const views = isSynced ? model.views : [sourceOf(model, mode)];
  return views.flatMap((view) => itemsIn(view).filter((part) => part.id === id));
}

/** Returns the change that removes items, in all views if the views are in step. */
export const removal = (model: DashboardModel, mode: ScreenMode, ids: Iterable<string>): Change =>
  [...ids].flatMap((id) =>
    itemParts(model, mode, id).map(({ address }) => ({ kind: 'remove', part: address }) as const),
  );

/** Returns the change that sets a member of an item, in all views if the views are in step. */
export const itemMember = (
  model: DashboardModel,
  mode: ScreenMode,
  id: string,
  path: readonly string[],
  value: Json | undefined,
): Change =>
  itemParts(model, mode, id).flatMap(({ address, value: item }): readonly Operation[] => {
    const [name = '', ...inner] = path;
    const has = inner.reduce<Json | undefined>((object, key) => objectOr(object)[key], item[name]) !== undefined;
    if (value === undefined) return has ? [{ kind: 'unset', part: address, path }] : [];
    if (inner.length > 0 && !isObject(item[name]))
      return [
        setMember(
          address,
          [name],
          inner.reduceRight<Json>((own, key) => ({ [key]: own }), value),
        ),
      ];
    return [setMember(address, path, value)];
  });

/** Copies of items, and of which item each is one. */
export interface ItemCopies {
  readonly change: Change;
  /** By id of a copy: the id of its original. */
  readonly originals: ReadonlyMap<string, string>;
}

/** Returns the change that adds copies of items, each at the position in `places`. `newId` returns ids that no part has. */
export function copiesOf(
  model: DashboardModel,
  mode: ScreenMode,
  places: readonly Area[],
  newId: () => string,
): ItemCopies {
  const source = sourceOf(model, mode);
  const originals = new Map<string, string>();
  if (source === null) return { change: [], originals };
  let after = itemsIn(source).at(-1)?.id ?? null;
  const change = places.flatMap((area): Change => {
    const part = itemPart(model, mode, area.id);
    if (part === null) return [];
    const id = newId();
    originals.set(id, part.id);
    const text = partText(model, part, { id, position: positionJson(part.value, area) });
    const previous = after;
    after = id;
    return [{ kind: 'insert', parent: source.address, list: 'items', after: previous, text }];
  });
  return { change, originals };
}

/** Returns the title of an item in the contents, as it is stored. */
export const storedTitle = (part: Part): Json =>
  part.value['title'] ?? filledText(objectOr(part.value['options'])['title']) ?? null;

/** An item that is added; without options and slots, it has none. */
export type NewItem = JsonObject & { readonly id: string; readonly type: string; readonly position: Position };

/** Returns the change that adds an item: to a screen mode at a position, and below the items of the other views. */
export function newItem(model: DashboardModel, mode: ScreenMode, { position, ...item }: NewItem): Change {
  const shared: JsonObject = { options: {}, slots: [], ...item };
  const inserted = (parent: string, items: readonly Part[], { col, row, sizeX, sizeY }: Position): Operation => ({
    kind: 'insert',
    parent,
    list: 'items',
    after: items.at(-1)?.id ?? null,
    text: JSON.stringify({ ...shared, position: { col, row, sizeX, sizeY } }),
  });
  const own = model.find(viewAddress(mode));
  const source = sourceOf(model, mode) ?? own;
  if (source === null) {
    const view = JSON.stringify({ screenModus: mode, options: {}, items: [] });
    const created: Operation = { kind: 'insert', parent: '', list: 'views', after: null, text: view };
    return [created, inserted(viewAddress(mode), [], position)];
  }
  const isSynced = objectOr(model.contents)['syncScreenModes'] !== false;
  const others = isSynced ? model.views.filter((view) => view !== source && itemsIn(view).length > 0) : [];
  return [source, ...others].map((view) => {
    const items = itemsIn(view);
    const bottom = Math.max(0, ...items.map(({ value }) => rowBelow(objectOr(value['position']))));
    return inserted(view.address, items, view === source ? position : { ...position, col: 0, row: bottom });
  });
}

const rowBelow = ({ row, sizeY }: JsonObject): number =>
  (typeof row === 'number' ? row : 0) + (typeof sizeY === 'number' ? sizeY : 0);

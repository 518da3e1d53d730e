import { filledText, isList, isObject, listOr, member, objectOr, type Json, type JsonObject } from '../json.ts';

/** A group of filters and its path within its view, such as `filterGroups[1]` or, for those of an item, `items[2]`. */
export interface PlacedGroup {
  readonly path: string;
  readonly group: Json;
}

/** Returns the id of an item of a view; without one, an id that follows from its index. */
export const itemIdAt = (item: JsonObject, index: number): string => filledText(member(item, 'id')) ?? `item-${index}`;

/** Returns the `filterGroups` of a view. A value that is not a list counts as one group that cannot be read. */
function ownGroups(view: JsonObject): readonly Json[] {
  const groups = member(view, 'filterGroups') ?? [];
  return isList(groups) ? groups : [null];
}

/** Returns, for each item of a view, its `filters` as a group that narrows the item alone; null if it has none. */
const groupsByItem = (view: JsonObject): readonly (JsonObject | null)[] =>
  listOr(member(view, 'items')).map((item, index) => {
    const filters = member(objectOr(item), 'filters') ?? [];
    return !isObject(item) || (isList(filters) && filters.length === 0)
      ? null
      : { origin: 'itemFilter', itemId: itemIdAt(item, index), condition: 'and', filters };
  });

/** Returns all groups of filters that apply in a view: its own, then those of its items. */
export const groupsOf = (view: JsonObject): readonly Json[] => [
  ...ownGroups(view),
  ...groupsByItem(view).filter((group) => group !== null),
];

/** Returns the `filterGroups` of a view with their paths. */
export const viewGroups = (view: JsonObject): readonly PlacedGroup[] =>
  isList(member(view, 'filterGroups') ?? [])
    ? ownGroups(view).map((group, index) => ({ path: `filterGroups[${index}]`, group }))
    : [{ path: 'filterGroups', group: null }];

/** Returns the `filters` of the items of a view with their paths, each as a group that narrows its item alone. */
export const itemGroups = (view: JsonObject): readonly PlacedGroup[] =>
  groupsByItem(view).flatMap((group, index) => (group === null ? [] : [{ path: `items[${index}]`, group }]));

/** Returns the groups of `groupsOf` with their paths. */
export const placedGroups = (view: JsonObject): readonly PlacedGroup[] => [...viewGroups(view), ...itemGroups(view)];

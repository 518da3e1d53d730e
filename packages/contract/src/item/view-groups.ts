import { filledText, isList, isObject, listOr, member, objectOr, type Json, type JsonObject } from '../json.ts';

/** A group of filters and its path within its view, such as `filterGroups[1]` or, for those of an item, `items[2]`. */
export interface PlacedGroup {
  readonly path: string;
  readonly group: Json;
}

/** Returns the id of an item of a view; without one, an id that follows from its index. */
export const itemIdAt = (item: JsonObject, index: number): string => filledText(member(item, 'id')) ?? `item-${index}`;

/** Returns the `filterGroups` of a view. A value that is not a list counts as one group that cannot be read. */
export function viewGroups(view: JsonObject): readonly PlacedGroup[] {
  const groups = member(view, 'filterGroups') ?? [];
  if (!isList(groups)) return [{ path: 'filterGroups', group: null }];
  return groups.map((group, index) => ({ path: `filterGroups[${index}]`, group }));
}

/** Returns the `filters` of the items of a view, each as a group that narrows its item alone. */
export function itemGroups(view: JsonObject): readonly PlacedGroup[] {
  return listOr(member(view, 'items')).flatMap((item, index) => {
    const filters = member(objectOr(item), 'filters') ?? [];
    if (!isObject(item) || (isList(filters) && filters.length === 0)) return [];
    const group = { origin: 'itemFilter', itemId: itemIdAt(item, index), condition: 'and', filters };
    return [{ path: `items[${index}]`, group }];
  });
}

/** Returns all groups of filters that apply in a view: its own, then those of its items. */
export const placedGroups = (view: JsonObject): readonly PlacedGroup[] => [...viewGroups(view), ...itemGroups(view)];

/** Returns the groups of `placedGroups` without their paths. */
export const groupsOf = (view: JsonObject): readonly Json[] => placedGroups(view).map(({ group }) => group);

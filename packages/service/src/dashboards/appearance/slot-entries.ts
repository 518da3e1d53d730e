import { isList, isObject, joinedIn, listOr, type Json, type JsonObject } from '@inlay/contract';

/** The location of an entry: its slot, and the item of the slot. */
export interface EntryPlace {
  readonly item: JsonObject;
  readonly slot: JsonObject;
}

const mapped = (value: Json | undefined, change: (value: JsonObject) => JsonObject): readonly Json[] =>
  listOr(value).map((entry) => (isObject(entry) ? change(entry) : entry));

const within = (name: string, parent: JsonObject, change: (value: JsonObject) => JsonObject): JsonObject =>
  isList(parent[name]) ? { ...parent, [name]: mapped(parent[name], change) } : parent;

/** Maps every filter of the items in contents, joined ones too. */
export function withItemFilters(contents: JsonObject, change: (filter: JsonObject) => JsonObject): JsonObject {
  const inCondition = (condition: JsonObject): JsonObject => {
    const joined = joinedIn(condition);
    return joined === null ? change(condition) : within(joined.join, condition, inCondition);
  };
  return within('views', contents, (view) => within('items', view, (item) => within('filters', item, inCondition)));
}

/** Maps every entry of every slot in contents. */
export function withEntries(
  contents: JsonObject,
  change: (entry: JsonObject, place: EntryPlace) => JsonObject,
): JsonObject {
  const inSlot = (item: JsonObject) => (slot: JsonObject) =>
    within('content', slot, (entry) => change(entry, { item, slot }));
  const inItem = (item: JsonObject): JsonObject => within('slots', item, inSlot(item));
  return within('views', contents, (view) => within('items', view, inItem));
}

import { isList, isObject, listOr, type Json, type JsonObject } from '@inlay/contract';

/** The location of an entry: its slot, and the item of the slot. */
export interface EntryPlace {
  readonly item: JsonObject;
  readonly slot: JsonObject;
}

const mapped = (value: Json | undefined, change: (value: JsonObject) => JsonObject): readonly Json[] =>
  listOr(value).map((entry) => (isObject(entry) ? change(entry) : entry));

/** Maps every entry of every slot in contents. */
export function withEntries(
  contents: JsonObject,
  change: (entry: JsonObject, place: EntryPlace) => JsonObject,
): JsonObject {
  const within = (name: string, parent: JsonObject, changeInner: (value: JsonObject) => JsonObject): JsonObject =>
    isList(parent[name]) ? { ...parent, [name]: mapped(parent[name], changeInner) } : parent;
  const inSlot = (item: JsonObject) => (slot: JsonObject) =>
    within('content', slot, (entry) => change(entry, { item, slot }));
  const inItem = (item: JsonObject): JsonObject => within('slots', item, inSlot(item));
  return within('views', contents, (view) => within('items', view, inItem));
}

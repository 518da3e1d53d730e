import { isList, isObject, listOr, type Json, type JsonObject } from '@inlay/contract';

/** The location of an entry: its slot, and the item of the slot. */
export interface EntryPlace {
  readonly item: JsonObject;
  readonly slot: JsonObject;
}

const mapped = (value: Json | undefined, change: (one: JsonObject) => JsonObject): readonly Json[] =>
  listOr(value).map((one) => (isObject(one) ? change(one) : one));

/** Maps every entry of every slot in contents. */
export function withEntries(
  contents: JsonObject,
  change: (entry: JsonObject, place: EntryPlace) => JsonObject,
): JsonObject {
  const within = (name: string, of: JsonObject, inner: (one: JsonObject) => JsonObject): JsonObject =>
    isList(of[name]) ? { ...of, [name]: mapped(of[name], inner) } : of;
  const inSlot = (item: JsonObject) => (slot: JsonObject) =>
    within('content', slot, (entry) => change(entry, { item, slot }));
  const inItem = (item: JsonObject): JsonObject => within('slots', item, inSlot(item));
  return within('views', contents, (view) => within('items', view, inItem));
}

import {
  declarationOf,
  filledText,
  fitsSlot,
  isItemType,
  listOr,
  objectOr,
  slotsOf,
  type Json,
  type JsonObject,
  type ScreenMode,
  type SlotRule,
} from '@inlay/contract';
import { setMember, type Change, type DashboardModel, type Part } from '@inlay/contract/change';
import { itemParts } from './view-items.ts';

/** Returns the type of a column; null if it is not known. */
export type ColumnType = (columnId: string) => string | null;

/** Returns the slots of an item's type, in the order of their declaration. */
export const slotRules = (type: Json | undefined): readonly SlotRule[] =>
  typeof type === 'string' && isItemType(type) ? slotsOf(type) : [];

const slotPart = (item: Part, name: string): Part | null =>
  item.parts.find((part) => part.kind === 'slot' && part.id === name) ?? null;

/** Returns the entries of a slot of an item. */
export const entriesIn = (item: Part, name: string): readonly Part[] => slotPart(item, name)?.parts ?? [];

const columnIdOf = (entry: JsonObject): string | null => filledText(entry['columnId']) ?? filledText(entry['column']);

/** Returns the type that an entry has: its own, that of its column, or `numeric` for a formula; null if it is not known. */
export function entryType(entry: JsonObject, typeOf: ColumnType): string | null {
  const isFormula = filledText(entry['formula']) !== null || filledText(entry['formulaId']) !== null;
  return isFormula ? 'numeric' : (filledText(entry['type']) ?? typeOf(columnIdOf(entry) ?? ''));
}

/** True if a slot accepts an entry. What a person cannot see may be anything. */
export function accepts(rule: SlotRule, entry: JsonObject, typeOf: ColumnType): boolean {
  const type = entryType(entry, typeOf);
  return type === null || fitsSlot(rule, type, entry);
}

/**
 * Returns the entry by which a column stands in a slot. A number is cut into bins where members are wanted, and members
 * are counted where a number is wanted, so that every column has a meaning in every slot but those of times.
 */
export function entryFor(
  rule: SlotRule,
  { id, datasetId, type }: { id: string; datasetId: string; type: string },
): JsonObject {
  const entry: JsonObject = { columnId: id, datasetId };
  if (fitsSlot(rule, type, entry)) return entry;
  if (rule.takes === 'measure') return { ...entry, aggregationFunc: 'distinctcount' };
  return rule.takes === 'category' ? { ...entry, bins: { enabled: true, number: 10 } } : entry;
}

/** Returns the change that adds an entry at the end of a slot; a slot for one entry gets it instead of its own. */
export function addition(
  model: DashboardModel,
  mode: ScreenMode,
  itemId: string,
  rule: SlotRule,
  entry: JsonObject,
  newId: () => string,
): Change {
  const text = JSON.stringify({ ...entry, id: newId() });
  return itemParts(model, mode, itemId).flatMap((item): Change => {
    const slot = slotPart(item, rule.name);
    if (slot === null) {
      const after = item.parts.findLast(({ kind }) => kind === 'slot')?.id ?? null;
      const value = `{"name":${JSON.stringify(rule.name)},"content":[${text}]}`;
      return [{ kind: 'insert', parent: item.address, list: 'slots', after, text: value }];
    }
    const removed: Change = rule.many ? [] : slot.parts.map(({ address }) => ({ kind: 'remove', part: address }));
    const after = rule.many ? (slot.parts.at(-1)?.id ?? null) : null;
    return [...removed, { kind: 'insert', parent: slot.address, list: 'content', after, text }];
  });
}

/** Returns the change that removes an entry from a slot. */
export const entryRemoval = (
  model: DashboardModel,
  mode: ScreenMode,
  itemId: string,
  slot: string,
  entryId: string,
): Change =>
  itemParts(model, mode, itemId).flatMap((item) =>
    entriesIn(item, slot).flatMap(({ id, address }) =>
      id === entryId ? [{ kind: 'remove', part: address } as const] : [],
    ),
  );

/** Returns the change that moves an entry of a slot by one place, up or down. */
export const entryShift = (
  model: DashboardModel,
  mode: ScreenMode,
  itemId: string,
  slot: string,
  entryId: string,
  by: -1 | 1,
): Change =>
  itemParts(model, mode, itemId).flatMap((item): Change => {
    const entries = entriesIn(item, slot);
    const index = entries.findIndex(({ id }) => id === entryId);
    const [entry, parent] = [entries[index], slotPart(item, slot)];
    if (entry === undefined || parent === null || entries[index + by] === undefined) return [];
    const after = entries[by === 1 ? index + 1 : index - 2]?.id ?? null;
    return [{ kind: 'move', part: entry.address, parent: parent.address, list: 'content', after }];
  });

/** Returns the change that sets a member of an entry; without a value, the column decides again. */
export const entryMember = (
  model: DashboardModel,
  mode: ScreenMode,
  itemId: string,
  slot: string,
  entryId: string,
  member: string,
  value: Json | undefined,
): Change =>
  itemParts(model, mode, itemId).flatMap((item) =>
    entriesIn(item, slot).flatMap(({ id, address, value: entry }): Change => {
      if (id !== entryId) return [];
      if (value !== undefined) return [setMember(address, [member], value)];
      return entry[member] === undefined ? [] : [{ kind: 'unset', part: address, path: [member] }];
    }),
  );

/** Returns the change that gives an item other slots. */
export const slotsReplacement = ({ address, parts }: Part, slots: readonly JsonObject[]): Change => [
  ...parts.flatMap((part): Change => (part.kind === 'slot' ? [{ kind: 'remove', part: part.address }] : [])),
  ...slots.map(
    (slot, index) =>
      ({
        kind: 'insert',
        parent: address,
        list: 'slots',
        after: filledText(slots[index - 1]?.['name']),
        text: JSON.stringify(slot),
      }) as const,
  ),
];

/** Slots after a change of type, and the entries that no slot takes. */
export interface SwitchedSlots {
  readonly slots: readonly JsonObject[];
  readonly left: readonly JsonObject[];
}

/**
 * Distributes the entries of an item over the slots of another type: first to slots of the same name, then to those of
 * the same role, then wherever they fit.
 */
export function switchedSlots(item: JsonObject, type: string, typeOf: ColumnType): SwitchedSlots {
  const before = listOr(item['slots']).map(objectOr);
  const rolesBefore = new Map(slotRules(item['type']).map(({ name, role }) => [name, role]));
  const entries = before.flatMap((slot) =>
    listOr(slot['content']).map((entry) => ({ entry: objectOr(entry), from: filledText(slot['name']) ?? '' })),
  );
  const rules = slotRules(type);
  const contents = new Map<string, JsonObject[]>(rules.map((rule) => [rule.name, []]));
  const placed = new Set<JsonObject>();
  const offer = (matches: (rule: SlotRule, from: string) => boolean): void => {
    for (const { entry, from } of entries) {
      if (placed.has(entry)) continue;
      const rule = rules.find((one) => {
        const content = contents.get(one.name) ?? [];
        return (one.many || content.length === 0) && matches(one, from) && accepts(one, entry, typeOf);
      });
      if (rule === undefined) continue;
      contents.get(rule.name)?.push(entry);
      placed.add(entry);
    }
  };
  offer((rule, from) => rule.name === from);
  offer((rule, from) => rule.role === rolesBefore.get(from));
  offer((rule) => rule.required);
  offer((rule) => !rule.many || rule.takes === 'measure' || rule.takes === 'either');
  offer(() => true);
  return {
    slots: rules.map(({ name }) => ({ name, content: contents.get(name) ?? [] })),
    left: entries.flatMap(({ entry }) => (placed.has(entry) ? [] : [entry])),
  };
}

/** Returns the size of a new item of a type, in columns and rows. */
export function sizeOf(type: string): { readonly sizeX: number; readonly sizeY: number } {
  const declaration = isItemType(type) ? declarationOf(type) : null;
  const size = declaration === null || declaration.kind === 'content' ? undefined : declaration.size;
  const [sizeX, sizeY] = size ?? (declaration?.kind === 'content' ? [24, 4] : [24, 16]);
  return { sizeX, sizeY };
}

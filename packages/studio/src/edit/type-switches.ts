import { listOr, objectOr, sameJson, type Json, type JsonObject, type ScreenMode } from '@inlay/contract';
import { setMember, type Change, type DashboardModel } from '@inlay/contract/change';
import { slotsReplacement, switchedSlots, type ColumnType } from './changes/slots.ts';
import { itemParts } from './changes/view-items.ts';

/** The type of an item, and the slots that it had with it. */
interface Visit {
  readonly type: Json;
  readonly slots: Json;
}

interface Trail {
  /** The types that the item had, with the slots it had then. */
  readonly visits: readonly Visit[];
  /** What the last switch made of the item. */
  readonly result: Visit;
  /** Entries that no slot of the present type takes. */
  readonly left: readonly JsonObject[];
}

const visitOf = ({ type = null, slots = [] }: JsonObject): Visit => ({ type, slots });
const isAt = (item: JsonObject, visit: Visit): boolean => sameJson({ ...visitOf(item) }, { ...visit });

/** Remembers the slots that an item had with its earlier types, so that switching back restores them exactly. */
export class TypeSwitches {
  readonly #trails = new Map<string, Trail>();

  /** Returns the trail of an item; undefined if its slots were edited since. */
  #trail(id: string, item: JsonObject): Trail | undefined {
    const trail = this.#trails.get(id);
    return trail !== undefined && isAt(item, trail.result) ? trail : undefined;
  }

  /** Returns the entries that were left over when the type of an item was switched. */
  left(id: string, item: JsonObject): readonly JsonObject[] {
    return this.#trail(id, item)?.left ?? [];
  }

  /** Returns the change that gives an item another type. Its entries keep their slots by name, role or what fits. */
  change(model: DashboardModel, mode: ScreenMode, id: string, type: string, typeOf: ColumnType): Change {
    const parts = itemParts(model, mode, id);
    const item = parts.find(({ address }) => address.startsWith(`view:${mode}/`))?.value ?? parts[0]?.value;
    if (item === undefined || item['type'] === type) return [];
    const trail = this.#trail(id, item);
    const before = trail?.visits.find((visit) => visit.type === type);
    const slots = listOr(item['slots']);
    const tray = (trail?.left ?? []).map((entry): JsonObject => ({ name: '', content: [entry] }));
    const mapped = switchedSlots({ ...item, slots: [...slots, ...tray] }, type, typeOf);
    const after = before === undefined ? mapped.slots : listOr(before.slots);
    this.#trails.set(id, {
      visits: [...(trail?.visits ?? []).filter((visit) => visit.type !== item['type']), visitOf(item)],
      result: { type, slots: after },
      left: before === undefined ? mapped.left : [],
    });
    return parts.flatMap((part): Change => [
      setMember(part.address, ['type'], type),
      ...slotsReplacement(part, after.map(objectOr)),
    ]);
  }
}

import {
  filledText,
  isList,
  isObject,
  conditionsFor,
  datasetsOf,
  groupsOf,
  itemIdAt,
  itemQuery,
  itemsOf,
  listIn,
  objectOr,
  readFilterGroups,
  writeCondition,
  type Json,
  type JsonObject,
} from '@inlay/contract';
import type { DashboardModel, Part } from '@inlay/contract/change';

/** What the service filled in for an item: names, formats and types of its columns. */
interface FilledItem {
  readonly slots: Json | undefined;
  readonly filters: Json | undefined;
  /** What the item shows by, as it was when the service filled it in. */
  readonly shownBy: string;
}

/** Returns what decides which rows an item shows, as text. */
const shownBy = ({ type = null, slots = null, filters = null }: JsonObject): string =>
  JSON.stringify([type, slots, filters]);

/** True if a filled-in value says what a written one says. The service fills in only what is unset. */
function saysSame(shown: Json | undefined, written: Json): boolean {
  if (written === null || written === '') return true;
  if (isList(written))
    return (
      isList(shown) && shown.length === written.length && written.every((value, index) => saysSame(shown[index], value))
    );
  if (isObject(written))
    return isObject(shown) && Object.entries(written).every(([name, value]) => saysSame(shown[name], value));
  return shown === written;
}

const viewIn = (shown: JsonObject, mode: string): JsonObject =>
  listIn(shown, 'views')
    .filter(isObject)
    .find((view) => view['screenModus'] === mode) ?? {};

/** Returns the shown item of a part: the one with its id, or the one without an id in its place. */
function shownItemOf(items: readonly JsonObject[], { id, path }: Part): JsonObject | undefined {
  const item = items[Number(path.at(-1))];
  return items.find((one) => one['id'] === id) ?? (filledText(item?.['id']) === null ? item : undefined);
}

const itemPartsOf = (view: Part): readonly Part[] => view.parts.filter(({ kind }) => kind === 'item');

/**
 * What the items of edited contents show. The service fills in what columns say about their entries; an edit of position,
 * look or text changes none of it.
 */
export class ShownContents {
  readonly #byAddress = new Map<string, FilledItem>();
  readonly #byId = new Map<string, FilledItem>();

  /**
   * `shown` is what the service answered: to contents that were sent (`isAnswer`), or for the stored ones, which somebody
   * else may have changed in the meantime. Items that say something else are then left out.
   */
  constructor(model: DashboardModel, shown: JsonObject, isAnswer: boolean) {
    for (const view of model.views) {
      const shownItems = listIn(viewIn(shown, view.id), 'items').map(objectOr);
      for (const part of itemPartsOf(view)) {
        const shownItem = isAnswer ? shownItems[Number(part.path.at(-1))] : shownItemOf(shownItems, part);
        if (shownItem === undefined) continue;
        const { type = null, slots, filters } = shownItem;
        const { type: ownType = null, slots: ownSlots = null, filters: ownFilters = null } = part.value;
        if (!isAnswer && !saysSame([type, slots ?? null, filters ?? null], [ownType, ownSlots, ownFilters])) continue;
        const filledItem = { slots, filters, shownBy: shownBy(part.value) };
        this.#byAddress.set(part.address, filledItem);
        if (!this.#byId.has(part.id)) this.#byId.set(part.id, filledItem);
      }
    }
  }

  #of({ address, id }: Part, originals: ReadonlyMap<string, string>): FilledItem | undefined {
    const originalId = originals.get(id);
    return this.#byAddress.get(address) ?? this.#byId.get(id) ?? this.#byId.get(originalId ?? '');
  }

  /** Returns contents to show. `originals` has the original of each copy. */
  contents(model: DashboardModel, originals: ReadonlyMap<string, string>): JsonObject {
    const views = model.views.map((view): JsonObject => ({
      ...view.value,
      items: itemPartsOf(view).map((part): JsonObject => {
        const found = this.#of(part, originals);
        // Until the service has filled in an edited item, it is shown as it is written.
        const { slots, filters } = found?.shownBy === shownBy(part.value) ? found : {};
        return {
          ...part.value,
          id: part.id,
          ...(slots === undefined ? {} : { slots }),
          ...(filters === undefined ? {} : { filters }),
        };
      }),
    }));
    return { ...objectOr(model.contents), views };
  }

  /** True if the service has filled in every item as it is now. */
  covers(model: DashboardModel, originals: ReadonlyMap<string, string>): boolean {
    return model.views.every((view) =>
      itemPartsOf(view).every((part) => this.#of(part, originals)?.shownBy === shownBy(part.value)),
    );
  }
}

/** Returns what decides which rows the items of a view of shown contents have, as text by id of the item. */
export function rowKeysIn(view: JsonObject): ReadonlyMap<string, string> {
  const sets = readFilterGroups(groupsOf(view));
  return new Map(
    itemsOf(view).map(({ item }) => {
      const { sparkline = null, comparison = null } = item.options;
      const conditions = conditionsFor(item.id, datasetsOf(item), sets).map(writeCondition);
      return [item.id, JSON.stringify([itemQuery(item), conditions, sparkline, comparison])];
    }),
  );
}

/** Items as the service stores them. */
export class StoredItems {
  readonly #byId = new Map<string, { readonly id: string; readonly key: string }>();

  /** `shown` is what the service answered to show the stored contents, whose items have ids in `start`. */
  constructor(start: DashboardModel, shown: JsonObject) {
    for (const view of start.views) {
      const shownView = viewIn(shown, view.id);
      const [shownItems, keys] = [listIn(shownView, 'items').map(objectOr), rowKeysIn(shownView)];
      for (const part of itemPartsOf(view)) {
        const item = shownItemOf(shownItems, part);
        if (item === undefined || this.#byId.has(part.id)) continue;
        const id = itemIdAt(item, Number(part.path.at(-1)));
        this.#byId.set(part.id, { id, key: keys.get(id) ?? '' });
      }
    }
  }

  /**
   * Returns the id of a stored item whose rows are those that an item of shown contents has by its `key`: the item
   * itself, or the original of a copy. Null if there is none.
   */
  idOf(id: string, key: string, originals: ReadonlyMap<string, string>): string | null {
    const stored = this.#byId.get(id) ?? this.#byId.get(originals.get(id) ?? '');
    return stored !== undefined && stored.key === key ? stored.id : null;
  }
}

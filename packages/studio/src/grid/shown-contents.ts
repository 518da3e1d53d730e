import { isObject, itemIdAt, listIn, listOr, objectOr, type Json, type JsonObject } from '@inlay/contract';
import type { DashboardModel, Part } from '@inlay/contract/change';

/** What the service filled in for an item: names, formats and types of its columns. */
interface FilledItem {
  /** Id by which the service knows the item. */
  readonly storedId: string;
  readonly slots: Json | undefined;
  readonly filters: Json | undefined;
}

const itemsOf = (view: Part): readonly Part[] => view.parts.filter(({ kind }) => kind === 'item');

/**
 * What the items of edited contents show. The service fills in what columns say about their entries when contents are
 * loaded; an edit of position, look or text changes none of it.
 */
export class ShownContents {
  readonly #byAddress = new Map<string, FilledItem>();
  readonly #byId = new Map<string, FilledItem>();

  /** `stored` are the contents with ids; `shown` is what the service answered to show them, in the same order. */
  constructor(stored: DashboardModel, shown: JsonObject) {
    const shownViews = listIn(shown, 'views').filter(isObject);
    for (const view of stored.views) {
      const shownItems = listOr(shownViews.find((one) => one['screenModus'] === view.id)?.['items']);
      for (const part of itemsOf(view)) {
        const index = Number(part.path.at(-1));
        const shownItem = objectOr(shownItems[index]);
        const { slots, filters } = shownItem;
        const filledItem = { storedId: itemIdAt(shownItem, index), slots, filters };
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
      items: itemsOf(view).map((part): JsonObject => {
        const { slots, filters } = this.#of(part, originals) ?? {};
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

  /** Returns, for each item that the service knows by another id, that id. */
  storedIds(model: DashboardModel, originals: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
    return new Map(
      model.views.flatMap((view) =>
        itemsOf(view).flatMap((part) => {
          const storedId = this.#of(part, originals)?.storedId;
          return storedId === undefined || storedId === part.id ? [] : [[part.id, storedId] as const];
        }),
      ),
    );
  }
}

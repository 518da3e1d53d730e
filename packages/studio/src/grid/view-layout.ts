import { tabsOf, type Item, type View } from '@inlay/contract';
import type { Layout } from '../layout/area.ts';

/** Returns, by item id, the tabs item and the index of the tab on which the item is. */
const tabsByItem = (items: readonly Item[]): ReadonlyMap<string, readonly [tabsItemId: string, index: number]> =>
  new Map(
    items.flatMap((item) =>
      tabsOf(item).flatMap((tab, index) => tab.items.map((id) => [id, [item.id, index] as const] as const)),
    ),
  );

/** Returns the layout of a view, in which locked items keep their places. Items on different tabs of one tabs item are never shown together. */
export function layoutOf({ columns, items }: View, lockedIds: ReadonlySet<string>): Layout {
  const tabs = tabsByItem(items);
  return {
    columns,
    areas: items.map(({ id, position }) => ({ ...position, id, isLocked: lockedIds.has(id) })),
    areApart: (id, otherId) => {
      const [tab, otherTab] = [tabs.get(id), tabs.get(otherId)];
      return tab !== undefined && otherTab !== undefined && tab[0] === otherTab[0] && tab[1] !== otherTab[1];
    },
  };
}

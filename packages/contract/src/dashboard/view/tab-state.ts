import { tabsOf, type Tab } from '../../item/tabs.ts';
import type { Item } from '../../item/item.ts';

/** Which items the selected tabs show and hide. */
export interface TabState {
  /** Ids of the items on unselected tabs. */
  readonly hidden: ReadonlySet<string>;
  /** Tabs by the id of an item on them. */
  readonly tabs: ReadonlyMap<string, Tab>;
}

/** Resolves the selected tabs; the first tab if `chosen` has no known id. */
export function tabState(items: readonly Item[], chosen: (itemId: string) => string | undefined): TabState {
  const hidden = new Set<string>();
  const tabs = new Map<string, Tab>();
  const hide = (id: string): void => {
    if (hidden.has(id)) return;
    hidden.add(id);
    for (const item of items) if (item.id === id) for (const tab of tabsOf(item)) tab.items.forEach(hide);
  };
  for (const item of items) {
    const all = tabsOf(item);
    const chosenId = chosen(item.id);
    const open = all.find(({ id }) => id === chosenId) ?? all[0];
    for (const id of all.flatMap((tab) => tab.items)) {
      if (open?.items.includes(id) === true) tabs.set(id, open);
      else hide(id);
    }
  }
  return { hidden, tabs };
}

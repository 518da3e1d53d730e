import { tabsOf, type Tab } from '../../item/tabs.ts';
import type { Item } from '../../item/item.ts';

/** Which items the tabs that are chosen show. */
export interface TabState {
  /** Ids of the items of other tabs. */
  readonly hidden: ReadonlySet<string>;
  /** The tab by the id of an item in it. */
  readonly tabs: ReadonlyMap<string, Tab>;
}

/** Which items tabs show; the first tab is chosen where `chosen` gives the id of none. */
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
    const wanted = chosen(item.id);
    const open = all.find(({ id }) => id === wanted) ?? all[0];
    for (const id of all.flatMap((tab) => tab.items)) {
      if (open?.items.includes(id) === true) tabs.set(id, open);
      else hide(id);
    }
  }
  return { hidden, tabs };
}

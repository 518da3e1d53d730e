import { tabsOf, type Tab } from '../../item/tabs.ts';
import type { Item } from '../../item/item.ts';

/** Which items are hidden, and on which selected tab the other items are. */
export interface TabState {
  /** Ids of the items on tabs that are not selected. */
  readonly hidden: ReadonlySet<string>;
  /** Selected tabs by the ids of the items on them. */
  readonly tabs: ReadonlyMap<string, Tab>;
}

/** Returns the state of all tabs. If `chosenTab` returns no known id for a tabs item, its first tab is selected. */
export function tabState(items: readonly Item[], chosenTab: (itemId: string) => string | undefined): TabState {
  const hiddenIds = new Set<string>();
  const tabs = new Map<string, Tab>();
  const hide = (id: string): void => {
    if (hiddenIds.has(id)) return;
    hiddenIds.add(id);
    for (const item of items) if (item.id === id) for (const tab of tabsOf(item)) tab.items.forEach(hide);
  };
  for (const item of items) {
    const itemTabs = tabsOf(item);
    const chosenId = chosenTab(item.id);
    const openTab = itemTabs.find(({ id }) => id === chosenId) ?? itemTabs[0];
    for (const id of itemTabs.flatMap((tab) => tab.items)) {
      if (openTab?.items.includes(id) === true) tabs.set(id, openTab);
      else hide(id);
    }
  }
  return { hidden: hiddenIds, tabs };
}

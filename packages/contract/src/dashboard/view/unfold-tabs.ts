import { tabsOf, type Tab } from '../../item/tabs.ts';
import type { Item } from '../../item/item.ts';
import { stackForPhone, type View } from './grid.ts';
import { tabState } from './tab-state.ts';

const movedItem = (item: Item, by: number): Item => ({
  ...item,
  position: { ...item.position, row: item.position.row + by },
});
const belowOf = ({ position: { row, sizeY } }: Item): number => row + sizeY;

/** Places the tabs of a tabs item below each other, each under a heading. Moves the items below the tabs item down. */
function unfoldedBy(items: readonly Item[], owner: Item, tabs: readonly Tab[]): readonly Item[] {
  const tabOf = ({ id }: Item): number => tabs.findIndex((tab) => tab.items.includes(id));
  const tabItems = items.filter((item) => tabOf(item) !== -1);
  const top = Math.min(belowOf(owner), ...tabItems.map(({ position }) => position.row));
  const bottom = Math.max(belowOf(owner), ...tabItems.map(belowOf));
  const heights = tabs.map((_, tab) =>
    Math.max(0, ...tabItems.filter((item) => tabOf(item) === tab).map((item) => belowOf(item) - top)),
  );
  /** Returns the number of grid rows from the first tab to another tab, or to the items below the tabs. */
  const rowsTo = (tab: number): number =>
    heights.slice(0, tab).reduce((sum, rows) => sum + rows + owner.position.sizeY, 0);
  const addedRows = rowsTo(tabs.length) - owner.position.sizeY - (bottom - top);
  const headedTabs = tabs.map((tab, index): Item => {
    const heading = { ...owner, options: { ...owner.options, tabs: [{ id: tab.id, title: tab.title, items: [] }] } };
    const row = index === 0 ? owner.position.row : top + rowsTo(index) - owner.position.sizeY;
    return { ...heading, id: index === 0 ? owner.id : `${owner.id}/${index}`, position: { ...owner.position, row } };
  });
  const others = items
    .filter(({ id }) => id !== owner.id)
    .map((item) => {
      const tab = tabOf(item);
      if (tab !== -1) return movedItem(item, rowsTo(tab));
      return item.position.row >= bottom ? movedItem(item, addedRows) : item;
    });
  return [...others, ...headedTabs];
}

/**
 * Returns a view for paper, on which no tab can be selected: all tabs are below each other. Of tabs within a tab, only
 * the first is shown.
 */
export function unfolded(view: View): View {
  const nestedIds = new Set(view.items.flatMap((item) => tabsOf(item).flatMap(({ items }) => items)));
  const { hidden } = tabState(
    view.items.filter(({ id }) => nestedIds.has(id)),
    () => undefined,
  );
  const shownItems = view.items.filter(({ id }) => !hidden.has(id));
  const owners = shownItems.filter((item) => item.type === 'tabs' && !nestedIds.has(item.id));
  const items = owners.reduce<readonly Item[]>((unfoldedItems, { id }) => {
    const owner = unfoldedItems.find((entry) => entry.id === id);
    const tabs = owner === undefined ? [] : tabsOf(owner);
    return owner === undefined || tabs.length < 2 ? unfoldedItems : unfoldedBy(unfoldedItems, owner, tabs);
  }, shownItems);
  return { ...view, items: view.isStacked ? stackForPhone(items, view.columns) : items };
}

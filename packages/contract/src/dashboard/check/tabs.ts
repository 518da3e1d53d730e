import { tabsOf, type Tab } from '../../item/tabs.ts';
import { filledText, listOr, objectOr, type JsonObject } from '../../json.ts';
import type { ContentsWarning } from './warning.ts';

type Unknown = (word: string, known: readonly string[]) => string;

/** Returns the tabs of a stored item. */
const tabsIn = (item: JsonObject): readonly Tab[] =>
  tabsOf({
    id: filledText(item['id']) ?? '',
    type: filledText(item['type']) ?? '',
    options: objectOr(item['options']),
  });

/** Returns, by item id, the index of the tab that contains the item. If several tabs contain it, returns the first. */
export function tabPlaces(view: JsonObject): ReadonlyMap<string, number> {
  const tabsWithPlace = listOr(view['items']).map(objectOr).flatMap(tabsWithPlaces).toReversed();
  return new Map(tabsWithPlace.flatMap(({ tab, place }) => tab.items.map((id) => [id, place] as const)));
}

const tabsWithPlaces = (item: JsonObject): readonly { readonly tab: Tab; readonly place: number }[] =>
  tabsIn(item).map((tab, place) => ({ tab, place }));

/** Warns about tabs of a view: tabs items without tabs, duplicate ids, unknown items, and items in two tabs. */
export function tabsWarnings(view: JsonObject, path: string, describeUnknown: Unknown): readonly ContentsWarning[] {
  const items = listOr(view['items']).map(objectOr);
  const ids = items.flatMap(({ id }) => filledText(id) ?? []);
  const knownIds = new Set(ids);
  const pathsById = new Map<string, string>();
  return items.flatMap((item, index): readonly ContentsWarning[] => {
    if (item['type'] !== 'tabs') return [];
    const at = `${path}.items[${index}].options.tabs`;
    const tabs = listOr(objectOr(item['options'])['tabs']).map(objectOr);
    if (tabs.length === 0) return [{ path: at, code: 'missing', message: 'has no tabs, so nothing is shown' }];
    const tabIds = tabs.map(({ id }) => filledText(id));
    return tabs.flatMap((tab, place): readonly ContentsWarning[] => {
      const id = tabIds[place] ?? null;
      const isTwice = id !== null && tabIds.indexOf(id) < place;
      const duplicateWarnings: readonly ContentsWarning[] = isTwice
        ? [{ path: `${at}[${place}].id`, code: 'duplicate_id', message: 'is the id of another tab of the item too' }]
        : [];
      const ofItems = listOr(tab['items']).flatMap((entry, nth): readonly ContentsWarning[] => {
        const name = filledText(entry);
        const tabItemPath = `${at}[${place}].items[${nth}]`;
        if (name === null) return [];
        if (!knownIds.has(name))
          return [{ path: tabItemPath, code: 'unknown_value', message: describeUnknown(name, ids) }];
        if (name === item['id'])
          return [{ path: tabItemPath, code: 'no_effect', message: 'is the item of the tabs itself' }];
        const other = pathsById.get(name);
        pathsById.set(name, other ?? tabItemPath);
        return other === undefined
          ? []
          : [
              {
                path: tabItemPath,
                code: 'no_effect',
                message: `is in another tab too, ${other}; an item is in one tab`,
              },
            ];
      });
      return [...duplicateWarnings, ...ofItems];
    });
  });
}

import { isList, isObject, listOr, member, textOr, type Json } from '../json.ts';
import type { Item } from './item.ts';

/** A tab of a `tabs` item. */
export interface Tab {
  readonly id: string;
  readonly title: Json;
  /** Ids of the items on the tab. */
  readonly items: readonly string[];
}

const textsIn = (value: Json | undefined): readonly string[] =>
  listOr(value).filter((entry) => typeof entry === 'string');

/** Returns the tabs of an item. Items that are no tabs items have none. A tab without an id gets its index as id. */
export function tabsOf({ id, type, options }: Pick<Item, 'id' | 'type' | 'options'>): readonly Tab[] {
  const tabs = type === 'tabs' ? member(options, 'tabs') : undefined;
  if (tabs === undefined || !isList(tabs)) return [];
  return tabs.filter(isObject).map((tab, index) => ({
    id: textOr(tab['id'], String(index)),
    title: tab['title'] ?? null,
    items: textsIn(tab['items']).filter((item) => item !== id),
  }));
}

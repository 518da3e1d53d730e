import { isList, isObject, listOr, member, textOr, type Json } from '../json.ts';
import type { Item } from './item.ts';

/** One tab of an item of type `tabs`. */
export interface Tab {
  readonly id: string;
  readonly title: Json;
  /** Ids of the items that are shown while it is chosen. */
  readonly items: readonly string[];
}

const textsIn = (value: Json | undefined): readonly string[] => listOr(value).filter((one) => typeof one === 'string');

/** The tabs of an item, read tolerantly: one without an id goes by its place. None where it is of another type. */
export function tabsOf({ id, type, options }: Pick<Item, 'id' | 'type' | 'options'>): readonly Tab[] {
  const given = type === 'tabs' ? member(options, 'tabs') : undefined;
  if (given === undefined || !isList(given)) return [];
  return given.filter(isObject).map((tab, index) => ({
    id: textOr(tab['id'], String(index)),
    title: tab['title'] ?? null,
    items: textsIn(tab['items']).filter((item) => item !== id),
  }));
}

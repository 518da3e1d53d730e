import { filledText, listOr, objectOr, type Json, type JsonObject } from '../../json.ts';
import type { ContentsWarning } from './warning.ts';

/** Warns about filter groups that are for unknown items. */
export function groupWarnings(
  view: JsonObject,
  path: string,
  describeUnknown: (word: string, known: readonly string[]) => string,
): readonly ContentsWarning[] {
  const idsOf = (items: Json | undefined): readonly string[] =>
    listOr(items).flatMap((item) => filledText(objectOr(item)['id']) ?? []);
  const ids = idsOf(view['items']);
  return listOr(view['filterGroups']).flatMap((group, index): readonly ContentsWarning[] => {
    const { origin, itemId } = objectOr(group);
    if (origin !== 'itemFilter') return [];
    const at = `${path}.filterGroups[${index}].itemId`;
    const id = filledText(itemId);
    if (id === null)
      return [
        { path: at, code: 'missing', message: 'is required beside "itemFilter"; without it every item is narrowed' },
      ];
    const message = `${describeUnknown(id, ids)}; the group narrows nothing`;
    return ids.includes(id) ? [] : [{ path: at, code: 'unknown_value', message }];
  });
}

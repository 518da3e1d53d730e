import { filterTerms } from '../../filter/terms.ts';
import { filledText, isObject, listOr, objectOr, type Json, type JsonObject } from '../../json.ts';
import type { JsonPath } from './json-text.ts';

export type PartKind = 'view' | 'item' | 'slot' | 'entry' | 'group' | 'filter';

/** An addressable part of contents. */
export interface Part {
  readonly kind: PartKind;
  /** Unique among its siblings. */
  readonly id: string;
  /** True if the contents have no id and it was derived. */
  readonly isDerived: boolean;
  /** Kinds and ids from the outside in, such as `view:desktop/item:sales/slot:measure`. */
  readonly address: string;
  /** Current path of the part, such as `['views', 0, 'items', 2]`. */
  readonly path: JsonPath;
  readonly value: JsonObject;
  readonly parts: readonly Part[];
}

interface PartRule {
  /** Returns the id in the contents; null if missing. */
  readonly idOf: (part: JsonObject) => string | null;
  /** Derives an id from the content of the part, independent of its position. */
  readonly derive: (part: JsonObject) => string;
  /** Kinds of its child parts, by member. */
  readonly lists: Readonly<Record<string, PartKind>>;
}

const ownId = ({ id }: JsonObject): string | null => filledText(id);
const joinWords = (...words: readonly (Json | undefined)[]): string =>
  words.flatMap((word) => (typeof word === 'string' || typeof word === 'number' ? [String(word)] : [])).join('-');

const rules: Readonly<Record<PartKind, PartRule>> = {
  view: {
    idOf: ({ screenModus }) => filledText(screenModus),
    derive: () => 'view',
    lists: { items: 'item', filterGroups: 'group' },
  },
  item: {
    idOf: ownId,
    derive: ({ type, position }) => {
      const { col, row } = objectOr(position);
      return joinWords(filledText(type) ?? 'item', col, row);
    },
    lists: { slots: 'slot' },
  },
  slot: { idOf: ({ name }) => filledText(name), derive: () => 'slot', lists: { content: 'entry' } },
  entry: {
    idOf: ownId,
    derive: ({ columnId, column, formulaId }) =>
      filledText(columnId) ?? filledText(column) ?? filledText(formulaId) ?? 'formula',
    lists: {},
  },
  group: {
    idOf: ownId,
    derive: ({ origin, itemId }) => joinWords(filledText(origin) ?? 'global', itemId),
    lists: { filters: 'filter', subGroups: 'group' },
  },
  filter: {
    idOf: (filter) => ownId(filter) ?? ownId(objectOr(filter['properties'])),
    derive: (filter) => filledText(filterTerms(filter).columnId) ?? 'filter',
    lists: {},
  },
};

/** Reserves and returns the first free id of `id`, `id-2`, `id-3` … */
function claim(id: string, takenIds: Set<string>): string {
  let freeId = id;
  for (let count = 2; takenIds.has(freeId); count += 1) freeId = `${id}-${count}`;
  takenIds.add(freeId);
  return freeId;
}

/**
 * Returns the parts in a list. Of siblings with the same id, the first has it; derived ids are assigned after stored
 * ones.
 */
function partsOf(kind: PartKind, list: Json | undefined, path: JsonPath, parentAddress: string): readonly Part[] {
  const { idOf, derive, lists } = rules[kind];
  const takenIds = new Set<string>();
  const siblings = [...listOr(list).entries()].flatMap(([index, value]) => {
    if (!isObject(value)) return [];
    const writtenId = idOf(value)?.toWellFormed() ?? null;
    const id = writtenId === null || takenIds.has(writtenId) ? null : claim(writtenId, takenIds);
    return [{ index, value, written: writtenId, id }];
  });
  return siblings.map(({ index, value, written, id: uniqueId }) => {
    const id = uniqueId ?? claim(written ?? derive(value).toWellFormed(), takenIds);
    const address = `${parentAddress}${kind}:${encodeURIComponent(id)}`;
    const partPath = [...path, index];
    return {
      kind,
      id,
      isDerived: written === null,
      address,
      path: partPath,
      value,
      parts: Object.entries(lists).flatMap(([member, innerKind]) =>
        partsOf(innerKind, value[member], [...partPath, member], `${address}/`),
      ),
    };
  });
}

/** Returns the parts of contents: views and their items, slots, entries and filters. */
export const partsOfContents = (contents: Json): readonly Part[] =>
  partsOf('view', objectOr(contents)['views'], ['views'], '');

/** Returns a part and all its descendants. */
export const withInner = (part: Part): readonly Part[] => [part, ...part.parts.flatMap(withInner)];

/** Formats a path as in warnings: `views[0].items[2]`. */
export const pathText = (path: JsonPath): string =>
  path.map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? key : `.${key}`)).join('');

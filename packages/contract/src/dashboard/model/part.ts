import { filterTerms } from '../../filter/terms.ts';
import { filledText, isObject, listOr, objectOr, type Json, type JsonObject } from '../../json.ts';
import type { JsonPath } from './json-text.ts';

export type PartKind = 'view' | 'item' | 'slot' | 'entry' | 'group' | 'filter';

/** A part of contents that has an address of its own. */
export interface Part {
  readonly kind: PartKind;
  /** Unique among its siblings. */
  readonly id: string;
  /** The id is not in the contents: it follows from what the part is. */
  readonly isDerived: boolean;
  /** Kinds and ids from the outside in, such as `view:desktop/item:sales/slot:measure`. */
  readonly address: string;
  /** Where the part is now, such as `['views', 0, 'items', 2]`. */
  readonly path: JsonPath;
  readonly value: JsonObject;
  readonly parts: readonly Part[];
}

interface PartRule {
  /** The id in the contents; null if it is missing. */
  readonly idOf: (part: JsonObject) => string | null;
  /** An id of what the part is, however it is ordered among others. */
  readonly derive: (part: JsonObject) => string;
  /** The lists of parts in it, by member. */
  readonly lists: Readonly<Record<string, PartKind>>;
}

const ownId = ({ id }: JsonObject): string | null => filledText(id);
const joined = (...words: readonly (Json | undefined)[]): string =>
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
      return joined(filledText(type) ?? 'item', col, row);
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
    derive: ({ origin, itemId }) => joined(filledText(origin) ?? 'global', itemId),
    lists: { filters: 'filter', subGroups: 'group' },
  },
  filter: {
    idOf: (filter) => ownId(filter) ?? ownId(objectOr(filter['properties'])),
    derive: (filter) => filledText(filterTerms(filter).columnId) ?? 'filter',
    lists: {},
  },
};

/** The first of `id`, `id-2`, `id-3` … that is free, and no longer is. */
function claim(id: string, taken: Set<string>): string {
  let free = id;
  for (let count = 2; taken.has(free); count += 1) free = `${id}-${count}`;
  taken.add(free);
  return free;
}

/** The parts in a list. The first of siblings with one id has it; derived ids come after those of the contents. */
function partsOf(kind: PartKind, list: Json | undefined, path: JsonPath, around: string): readonly Part[] {
  const { idOf, derive, lists } = rules[kind];
  const taken = new Set<string>();
  const siblings = [...listOr(list).entries()].flatMap(([index, value]) => {
    if (!isObject(value)) return [];
    const written = idOf(value)?.toWellFormed() ?? null;
    const id = written === null || taken.has(written) ? null : claim(written, taken);
    return [{ index, value, written, id }];
  });
  return siblings.map(({ index, value, written, id: first }) => {
    const id = first ?? claim(written ?? derive(value).toWellFormed(), taken);
    const address = `${around}${kind}:${encodeURIComponent(id)}`;
    const here = [...path, index];
    return {
      kind,
      id,
      isDerived: written === null,
      address,
      path: here,
      value,
      parts: Object.entries(lists).flatMap(([member, inner]) =>
        partsOf(inner, value[member], [...here, member], `${address}/`),
      ),
    };
  });
}

/** The parts of contents: views and their items, slots, entries and filters. */
export const partsOfContents = (contents: Json): readonly Part[] =>
  partsOf('view', objectOr(contents)['views'], ['views'], '');

/** A part and all that are in it. */
export const withInner = (part: Part): readonly Part[] => [part, ...part.parts.flatMap(withInner)];

/** A path as warnings write it: `views[0].items[2]`. */
export const pathText = (path: JsonPath): string =>
  path.map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? key : `.${key}`)).join('');

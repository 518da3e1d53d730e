import { filterTerms, flatFilterMembers } from '../../filter/terms.ts';
import { filledText, isObject, listOr, objectOr, type Json, type JsonObject } from '../../json.ts';
import type { JsonPath } from './json-text.ts';

/** Kinds of parts. `contents` is the whole, which has the views. */
export type PartKind = 'contents' | 'view' | 'item' | 'slot' | 'entry' | 'group' | 'filter';

/** A part of contents that has an address. */
export interface Part {
  readonly kind: PartKind;
  /** Id of the part. It is unique among its siblings. */
  readonly id: string;
  /** True if the contents have no id for this part, so that its id was derived. */
  readonly isDerived: boolean;
  /** True if an earlier sibling has the same id, so that a number was added to it. */
  readonly isRepeated: boolean;
  /**
   * Kinds and ids of the part and the parts around it, outermost first, such as `view:desktop/item:sales/slot:measure`.
   */
  readonly address: string;
  /** Current path of the part, such as `['views', 0, 'items', 2]`. */
  readonly path: JsonPath;
  readonly value: JsonObject;
  readonly parts: readonly Part[];
}

interface PartRule {
  /** Paths of the members that `idOf` reads. */
  readonly idMembers: readonly (readonly string[])[];
  /** Members that `derive` reads. */
  readonly derivedFrom: readonly string[];
  /** Returns the id that the contents have for a part; null if there is none. */
  readonly idOf: (part: JsonObject) => string | null;
  /** Derives an id from the content of a part. The id does not depend on the position of the part in its list. */
  readonly derive: (part: JsonObject) => string;
  /** The members that have child parts, and the kind of these parts. */
  readonly lists: Readonly<Record<string, PartKind>>;
}

const idMember = ({ id }: JsonObject): string | null => filledText(id);
const joinWords = (...words: readonly (Json | undefined)[]): string =>
  words.flatMap((word) => (typeof word === 'string' || typeof word === 'number' ? [String(word)] : [])).join('-');

const rules: Readonly<Record<PartKind, PartRule>> = {
  contents: { idMembers: [], derivedFrom: [], idOf: () => '', derive: () => '', lists: { views: 'view' } },
  view: {
    idMembers: [['screenModus']],
    derivedFrom: [],
    idOf: ({ screenModus }) => filledText(screenModus),
    derive: () => 'view',
    lists: { items: 'item', filterGroups: 'group' },
  },
  item: {
    idMembers: [['id']],
    derivedFrom: ['type', 'position'],
    idOf: idMember,
    derive: ({ type, position }) => {
      const { col, row } = objectOr(position);
      return joinWords(filledText(type) ?? 'item', col, row);
    },
    lists: { slots: 'slot', filters: 'filter' },
  },
  slot: {
    idMembers: [['name']],
    derivedFrom: [],
    idOf: ({ name }) => filledText(name),
    derive: () => 'slot',
    lists: { content: 'entry' },
  },
  entry: {
    idMembers: [['id']],
    derivedFrom: ['columnId', 'column', 'formulaId'],
    idOf: idMember,
    derive: ({ columnId, column, formulaId }) =>
      filledText(columnId) ?? filledText(column) ?? filledText(formulaId) ?? 'formula',
    lists: {},
  },
  group: {
    idMembers: [['id']],
    derivedFrom: ['origin', 'itemId'],
    idOf: idMember,
    derive: ({ origin, itemId }) => joinWords(filledText(origin) ?? 'global', itemId),
    lists: { filters: 'filter', subGroups: 'group' },
  },
  filter: {
    idMembers: [['id'], ['properties', 'id']],
    derivedFrom: ['parameters', ...flatFilterMembers],
    idOf: (filter) => idMember(filter) ?? idMember(objectOr(filter['properties'])),
    derive: (filter) => filledText(filterTerms(filter).columnId) ?? 'filter',
    lists: {},
  },
};

/** Returns the rule of a kind. */
export const partRule = (kind: PartKind): PartRule => rules[kind];

/** Ids of siblings. */
class TakenIds {
  readonly #ids = new Set<string>();
  readonly #counts = new Map<string, number>();

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Returns the first free id among `id`, `id-2`, `id-3` … and marks it as taken. */
  claim(id: string): string {
    let freeId = id;
    let count = this.#counts.get(id) ?? 2;
    for (; this.#ids.has(freeId); count += 1) freeId = `${id}-${count}`;
    this.#counts.set(id, count);
    this.#ids.add(freeId);
    return freeId;
  }
}

/**
 * Returns the parts in a list. If siblings have the same id, the first one keeps it. Stored ids are assigned before
 * derived ids.
 */
function partsOf(kind: PartKind, list: Json | undefined, path: JsonPath, parentAddress: string): readonly Part[] {
  const { idOf, derive, lists } = rules[kind];
  const takenIds = new TakenIds();
  const siblings = [...listOr(list).entries()].flatMap(([index, value]) => {
    if (!isObject(value)) return [];
    const writtenId = idOf(value)?.toWellFormed() ?? null;
    const id = writtenId === null || takenIds.has(writtenId) ? null : takenIds.claim(writtenId);
    return [{ index, value, written: writtenId, id }];
  });
  return siblings.map(({ index, value, written, id: uniqueId }) => {
    const ownId = written ?? derive(value).toWellFormed();
    const id = uniqueId ?? takenIds.claim(ownId);
    const address = `${parentAddress}${kind}:${encodeURIComponent(id)}`;
    const partPath = [...path, index];
    return {
      kind,
      id,
      isDerived: written === null,
      isRepeated: id !== ownId,
      address,
      path: partPath,
      value,
      parts: Object.entries(lists).flatMap(([member, innerKind]) =>
        partsOf(innerKind, value[member], [...partPath, member], `${address}/`),
      ),
    };
  });
}

/** Returns contents as a part, which contains the views with their items, slots, entries, groups and filters. */
export const contentsPart = (contents: Json): Part => ({
  kind: 'contents',
  id: '',
  isDerived: false,
  isRepeated: false,
  address: '',
  path: [],
  value: objectOr(contents),
  parts: partsOf('view', objectOr(contents)['views'], ['views'], ''),
});

/** Returns a part and all parts within it. */
export const withInner = (part: Part): readonly Part[] => [part, ...part.parts.flatMap(withInner)];

/** Formats a path as warnings do: `views[0].items[2]`. */
export const pathText = (path: JsonPath): string =>
  path.map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? key : `.${key}`)).join('');

import type { JsonPath } from '../../model/json-text.ts';
import type { DashboardModel } from '../../model/model.ts';
import { partRule, type Part } from '../../model/part.ts';
import type { Operation, SetOperation, UnsetOperation } from '../operation.ts';
import { stayingIds } from './order.ts';

/** Operations within parts. Their addresses are those before the change. */
export type Edit = SetOperation | UnsetOperation;

/** How a list of parts differs. Ids are those of the parts in it. */
export interface ListDifference {
  /** Address of the part that has the list, before the change. */
  readonly parent: string;
  readonly list: string;
  readonly beforeIds: readonly string[];
  readonly afterIds: readonly string[];
  /** Addresses of the parts that are removed, by id. */
  readonly removed: ReadonlyMap<string, string>;
  /** Addresses of the parts that go to another list, by id. */
  readonly movedOut: ReadonlyMap<string, string>;
  /** The parts that are put in their place, by id and in the order of the list. */
  readonly placed: ReadonlyMap<string, Placement>;
}

/** The text of a new part, or the address of a moved one before the change. */
export type Placement =
  | { readonly kind: 'insert'; readonly text: string }
  | { readonly kind: 'move'; readonly part: string };

/** What differs between two models. Applied in this order, each address is still that before the change. */
export interface Comparison {
  readonly edits: readonly Edit[];
  readonly lists: readonly ListDifference[];
}

/** Members whose inner values mean something together only, so that they are set as one. */
const wholeMembers: ReadonlySet<string> = new Set([
  'position',
  'sort',
  'bins',
  'aggregationWeight',
  'sparkline',
  'link',
  'timezone',
]);

/** Two lists with the same address, whose parts can be matched by id. */
interface ListPair {
  readonly before: Part;
  readonly after: Part;
  readonly list: string;
  readonly beforeParts: readonly Part[];
  readonly afterParts: readonly Part[];
  /** True if the parent and all parts around it keep their addresses. */
  readonly isInPlace: boolean;
}

/** Returns the parts in a list; null if it cannot be compared by ids. */
function partsIn({ json }: DashboardModel, part: Part, list: string): readonly Part[] | null {
  const path = [...part.path, list];
  const kind = partRule(part.kind).lists[list];
  const parts = part.parts.filter((inner) => inner.kind === kind);
  const isList = json.at(path)?.startsWith('[') === true;
  return isList && parts.length === json.keys(path)?.length && !parts.some(({ isRepeated }) => isRepeated)
    ? parts
    : null;
}

const byId = (parts: readonly Part[]): ReadonlyMap<string, Part> => new Map(parts.map((part) => [part.id, part]));

/** Compares two models. Collects the edits and pairs of lists of parts, then finds the parts that went to another list. */
class Comparer {
  readonly #before: DashboardModel;
  readonly #after: DashboardModel;
  readonly #edits: Edit[] = [];
  readonly #lists: ListPair[] = [];

  constructor(before: DashboardModel, after: DashboardModel) {
    this.#before = before;
    this.#after = after;
  }

  compare(): Comparison {
    this.#comparePart(this.#before.root, this.#after.root, true);
    const fromElsewhere = this.#partsFromElsewhere();
    for (const [after, before] of fromElsewhere) this.#comparePart(before, after, false);
    const innerFirst = this.#lists.toSorted((left, right) => Number(left.isInPlace) - Number(right.isInPlace));
    return {
      edits: this.#edits,
      lists: innerFirst.flatMap((pair) => this.#listDifference(pair, fromElsewhere) ?? []),
    };
  }

  #comparePart(before: Part, after: Part, isInPlace: boolean): void {
    if (this.#before.json.meaning(before.path) === this.#after.json.meaning(after.path)) return;
    if (this.#mustBeWhole(before, after)) {
      this.#edits.push(this.#set(before.address, [], after.path));
      return;
    }
    const listNames = Object.keys(partRule(before.kind).lists);
    const pairs = listNames.flatMap((list) => this.#listPair(before, after, list, isInPlace) ?? []);
    this.#edits.push(...this.#memberEdits(before, after, new Set(pairs.map(({ list }) => list))));
    this.#lists.push(...pairs);
    for (const { beforeParts, afterParts } of pairs) {
      const afterById = byId(afterParts);
      for (const part of beforeParts) {
        const match = afterById.get(part.id);
        if (match !== undefined) this.#comparePart(part, match, isInPlace);
      }
    }
  }

  /** True if a change member by member could give the part another address in between. */
  #mustBeWhole(before: Part, after: Part): boolean {
    const { idMembers, derivedFrom } = partRule(before.kind);
    const differs = (path: readonly string[]): boolean =>
      this.#before.json.meaning([...before.path, ...path]) !== this.#after.json.meaning([...after.path, ...path]);
    if (!this.#isPlainObject(this.#before, before.path) || !this.#isPlainObject(this.#after, after.path)) return true;
    const changedIds = idMembers.filter(differs);
    if (after.isDerived) return !before.isDerived || derivedFrom.filter((name) => differs([name])).length > 1;
    return before.isDerived ? changedIds.some((path) => path.join('.') !== 'id') : changedIds.length > 0;
  }

  /** True for an object that has each name once. */
  #isPlainObject({ json }: DashboardModel, path: JsonPath): boolean {
    const names = json.keys(path) ?? [];
    return json.at(path)?.startsWith('{') === true && new Set(names).size === names.length;
  }

  #set(part: string, path: readonly string[], afterPath: JsonPath): SetOperation {
    return { kind: 'set', part, path, text: this.#after.json.at(afterPath) ?? '' };
  }

  /** Returns the edits of members, that of an id first, so that a derived id is written before it could change. */
  #memberEdits(before: Part, after: Part, exceptLists: ReadonlySet<string>): readonly Edit[] {
    const edits = this.#objectEdits(before, after, [], exceptLists);
    return edits.toSorted((left, right) => Number(right.path[0] === 'id') - Number(left.path[0] === 'id'));
  }

  #objectEdits(before: Part, after: Part, path: readonly string[], except?: ReadonlySet<string>): readonly Edit[] {
    const [beforePath, afterPath] = [
      [...before.path, ...path],
      [...after.path, ...path],
    ];
    const [beforeNames, afterNames] = [
      (this.#before.json.keys(beforePath) ?? []).map(String),
      (this.#after.json.keys(afterPath) ?? []).map(String),
    ];
    const setEdits = afterNames.flatMap((name) =>
      except?.has(name) === true ? [] : this.#valueEdits(before, after, [...path, name]),
    );
    const unsetEdits = beforeNames.flatMap((name): Edit[] =>
      except?.has(name) === true || afterNames.includes(name)
        ? []
        : [{ kind: 'unset', part: before.address, path: [...path, name] }],
    );
    return [...setEdits, ...unsetEdits];
  }

  #valueEdits(before: Part, after: Part, path: readonly string[]): readonly Edit[] {
    const [beforePath, afterPath] = [
      [...before.path, ...path],
      [...after.path, ...path],
    ];
    if (this.#before.json.meaning(beforePath) === this.#after.json.meaning(afterPath)) return [];
    const isInner =
      !wholeMembers.has(path.at(-1) ?? '') &&
      this.#isPlainObject(this.#before, beforePath) &&
      this.#isPlainObject(this.#after, afterPath);
    return isInner ? this.#objectEdits(before, after, path) : [this.#set(before.address, path, afterPath)];
  }

  #listPair(before: Part, after: Part, list: string, isInPlace: boolean): ListPair | null {
    const afterParts = partsIn(this.#after, after, list);
    const isNew = this.#before.json.at([...before.path, list]) === null && (afterParts?.length ?? 0) > 0;
    const beforeParts = isNew ? [] : partsIn(this.#before, before, list);
    return beforeParts === null || afterParts === null
      ? null
      : { before, after, list, beforeParts, afterParts, isInPlace };
  }

  /** Returns the parts that come from another list, with what they were. Kind and id must be clear on both sides. */
  #partsFromElsewhere(): ReadonlyMap<Part, Part> {
    const inPlace = this.#lists.filter((pair) => pair.isInPlace);
    const missingIn = (parts: readonly Part[], others: readonly Part[]): readonly Part[] => {
      const otherIds = byId(others);
      return parts.filter(({ id }) => !otherIds.has(id));
    };
    const gone = inPlace.flatMap(({ beforeParts, afterParts }) => missingIn(beforeParts, afterParts));
    const come = inPlace.flatMap(({ beforeParts, afterParts }) => missingIn(afterParts, beforeParts));
    const key = ({ kind, id }: Part): string => `${kind}:${id}`;
    const [goneByKey, comeByKey] = [Map.groupBy(gone, key), Map.groupBy(come, key)];
    return new Map(
      [...comeByKey].flatMap(([name, parts]) => {
        const [before, ...otherGone] = goneByKey.get(name) ?? [];
        const [after, ...otherCome] = parts;
        const isClear = before !== undefined && after !== undefined && otherGone.length + otherCome.length === 0;
        return isClear ? [[after, before] as const] : [];
      }),
    );
  }

  #listDifference(pair: ListPair, fromElsewhere: ReadonlyMap<Part, Part>): ListDifference | null {
    const { before, list, beforeParts, afterParts } = pair;
    const [beforeById, afterById] = [byId(beforeParts), byId(afterParts)];
    const elsewhere = new Set(fromElsewhere.values());
    const goneParts = beforeParts.filter(({ id }) => !afterById.has(id));
    const [beforeIds, afterIds] = [[...beforeById.keys()], [...afterById.keys()]];
    const staying = stayingIds(beforeIds, afterIds);
    const placed = afterParts.flatMap((part): [string, Placement][] => {
      if (staying.has(part.id)) return [];
      const moved = beforeById.get(part.id) ?? fromElsewhere.get(part);
      if (moved !== undefined) return [[part.id, { kind: 'move', part: moved.address }]];
      return [[part.id, { kind: 'insert', text: this.#after.json.at(part.path) ?? '' }]];
    });
    if (goneParts.length === 0 && placed.length === 0) return null;
    const addresses = (parts: readonly Part[]): ReadonlyMap<string, string> =>
      new Map(parts.map(({ id, address }) => [id, address]));
    return {
      parent: before.address,
      list,
      beforeIds,
      afterIds,
      removed: addresses(goneParts.filter((part) => !elsewhere.has(part))),
      movedOut: addresses(goneParts.filter((part) => elsewhere.has(part))),
      placed: new Map(placed),
    };
  }
}

/** Compares two models part by part. Parts are matched by their addresses, and those that moved by kind and id. */
export const compare = (before: DashboardModel, after: DashboardModel): Comparison =>
  new Comparer(before, after).compare();

/** Returns the operation that brings a part of a list behind the one before it in `order`. */
export function placingOperation(
  { parent, list }: Pick<ListDifference, 'parent' | 'list'>,
  order: readonly string[],
  id: string,
  placement: Placement,
): Operation {
  const at = { parent, list, after: order[order.indexOf(id) - 1] ?? null };
  return placement.kind === 'insert'
    ? { kind: 'insert', ...at, text: placement.text }
    : { kind: 'move', part: placement.part, ...at };
}

import {
  filledText,
  isObject,
  joinedIn,
  listOr,
  member,
  objectOr,
  type Json,
  type JsonObject,
  type ScreenMode,
} from '@inlay/contract';
import { setMember, type Change, type DashboardModel, type Part } from '@inlay/contract/change';
import { itemPart, itemParts, sourceOf } from './view-items.ts';

/** A filter in contents: a test, or several conditions that `and` or `or` joins. */
export interface FilterNode {
  /** Address of the filter or group that has it. */
  readonly part: string;
  /** Indexes that lead to it through the conditions that the filter joins; empty if it is the filter itself. */
  readonly path: readonly number[];
  readonly value: JsonObject;
  /** How the conditions in `of` are joined; null if it is a test. */
  readonly join: 'and' | 'or' | null;
  readonly of: readonly FilterNode[];
}

function nodeOf(part: string, value: JsonObject, path: readonly number[] = []): FilterNode {
  const joined = joinedIn(value);
  const of = (joined?.of ?? []).flatMap((inner, index) =>
    isObject(inner) ? [nodeOf(part, inner, [...path, index])] : [],
  );
  return { part, path, value, join: joined?.join ?? null, of };
}

/** True if two conditions stand in the same place. */
export const isSameFilter = (left: FilterNode | null, right: FilterNode): boolean =>
  left !== null && left.part === right.part && left.path.join('.') === right.path.join('.');

const groupNode = ({ address, value, parts }: Part): FilterNode => ({
  part: address,
  path: [],
  value,
  join: value['condition'] === 'or' ? 'or' : 'and',
  of: parts.map((part) => (part.kind === 'group' ? groupNode(part) : nodeOf(part.address, part.value))),
});

/** Returns the id of the only item that a group narrows; null if it narrows all items. */
const narrowedItem = ({ value }: Part): string | null =>
  value['origin'] === 'itemFilter' ? filledText(value['itemId']) : null;

const groupsIn = (view: Part | null): readonly Part[] => view?.parts.filter(({ kind }) => kind === 'group') ?? [];

/** Returns the view whose groups narrow the items of a screen mode; null if there are no views. */
export const filteredView = (model: DashboardModel, mode: ScreenMode): Part | null =>
  sourceOf(model, mode) ?? model.find(`view:${mode}`) ?? model.views[0] ?? null;

/** Returns the filters of one item, those of groups that narrow it alone among them. */
export function itemFilters(model: DashboardModel, mode: ScreenMode, itemId: string): readonly FilterNode[] {
  const own = itemPart(model, mode, itemId)?.parts.filter(({ kind }) => kind === 'filter') ?? [];
  const groups = groupsIn(filteredView(model, mode)).filter((group) => narrowedItem(group) === itemId);
  return [...own.map(({ address, value }) => nodeOf(address, value)), ...unwrapped(groups)];
}

/** Returns the filters of a view that narrow each of its items. */
export const dashboardFilters = (model: DashboardModel, mode: ScreenMode): readonly FilterNode[] =>
  unwrapped(groupsIn(filteredView(model, mode)).filter((group) => narrowedItem(group) === null));

/** Returns groups as conditions that must all hold: those of `and` groups one by one. */
const unwrapped = (groups: readonly Part[]): readonly FilterNode[] =>
  groups.map(groupNode).flatMap((node) => (node.join === 'and' ? node.of : node.of.length === 0 ? [] : [node]));

const isSynced = (model: DashboardModel): boolean => objectOr(model.contents)['syncScreenModes'] !== false;

/** Returns a part of a view, and those of the same place in the other views if the views are in step. */
function counterparts(model: DashboardModel, address: string): readonly Part[] {
  const place = address.slice(address.indexOf('/'));
  const addresses = isSynced(model) ? model.views.map((view) => `${view.address}${place}`) : [address];
  return addresses.map((one) => model.find(one)).filter((part) => part !== null);
}

/** Returns a condition with another one at a path, or without it; null if nothing is left. */
function withInner(
  value: JsonObject,
  [index, ...path]: readonly number[],
  inner: JsonObject | null,
): JsonObject | null {
  const joined = joinedIn(value);
  if (index === undefined || joined === null) return inner;
  const of = joined.of.flatMap((one, at): readonly Json[] => {
    if (at !== index) return [one];
    const changed = withInner(objectOr(one), path, inner);
    return changed === null ? [] : [changed];
  });
  const [only, ...others] = of;
  if (only === undefined) return null;
  return others.length === 0 && isObject(only) ? only : { ...value, [joined.join]: of };
}

/** Returns a filter with the id that it has in the contents. */
function withIdOf(value: JsonObject, before: JsonObject): JsonObject {
  const { id } = before;
  return id === undefined || value['id'] !== undefined ? value : { ...value, id };
}

/** Returns the change that removes a filter, and its group if that is empty then. What cannot be read stays. */
const partRemoval = (model: DashboardModel, { address }: Part): Change => {
  const parent = model.find(address.slice(0, address.lastIndexOf('/')));
  const { filters, subGroups } = parent?.value ?? {};
  return parent?.kind === 'group' && listOr(filters).length + listOr(subGroups).length === 1
    ? partRemoval(model, parent)
    : [{ kind: 'remove', part: address }];
};

/** Returns the change that puts another condition in the place of one, or removes it if `value` is null. */
export const filterReplacement = (model: DashboardModel, node: FilterNode, value: JsonObject | null): Change =>
  counterparts(model, node.part).flatMap((part): Change => {
    const changed = node.path.length === 0 ? value : withInner(part.value, node.path, value);
    return changed === null ? partRemoval(model, part) : [setMember(part.address, [], withIdOf(changed, part.value))];
  });

/** Returns the change that adds an alternative to a condition, so that one of them must hold. */
export function alternative(model: DashboardModel, node: FilterNode, filter: JsonObject, newId: () => string): Change {
  const { id, ...value } = node.value;
  const text = JSON.stringify({ ...filter, id: newId() });
  if (model.find(node.part)?.kind === 'group')
    return counterparts(model, node.part).flatMap(({ address, parts }): Change => [
      {
        kind: 'insert',
        parent: address,
        list: 'filters',
        after: parts.findLast(({ kind }) => kind === 'filter')?.id ?? null,
        text,
      },
    ]);
  const of = node.join === 'or' ? listOr(member(node.value, 'or')) : [value];
  return filterReplacement(model, node, { ...(id === undefined ? {} : { id }), or: [...of, filter] });
}

/** Returns the change that adds a filter to an item. */
export const itemFilterAddition = (
  model: DashboardModel,
  mode: ScreenMode,
  itemId: string,
  filter: JsonObject,
  newId: () => string,
): Change => {
  const text = JSON.stringify({ ...filter, id: newId() });
  return itemParts(model, mode, itemId).map(({ address, parts }) => {
    const after = parts.findLast(({ kind }) => kind === 'filter')?.id ?? null;
    return { kind: 'insert', parent: address, list: 'filters', after, text } as const;
  });
};

/** True if filters of a group narrow every item, all of them. */
const takesFilters = ({ value }: Part): boolean =>
  value['condition'] !== 'or' && [undefined, null, 'global'].some((origin) => origin === value['origin']);

/** Returns the change that adds a filter to the dashboard: in each view that has items, if the views are in step. */
export function dashboardFilterAddition(
  model: DashboardModel,
  mode: ScreenMode,
  filter: JsonObject,
  newId: () => string,
): Change {
  const shown = filteredView(model, mode);
  const others = isSynced(model)
    ? model.views.filter((view) => view.address !== shown?.address && view.parts.length > 0)
    : [];
  const [id, groupId] = [newId(), newId()];
  const text = JSON.stringify({ ...filter, id });
  return [...(shown === null ? [] : [shown]), ...others].map((view) => {
    const groups = groupsIn(view);
    const group = groups.find(takesFilters);
    if (group !== undefined) {
      const after = group.parts.findLast(({ kind }) => kind === 'filter')?.id ?? null;
      return { kind: 'insert', parent: group.address, list: 'filters', after, text } as const;
    }
    const after = groups.at(-1)?.id ?? null;
    const newGroup = `{"id":${JSON.stringify(groupId)},"origin":"global","condition":"and","filters":[${text}]}`;
    return { kind: 'insert', parent: view.address, list: 'filterGroups', after, text: newGroup } as const;
  });
}

import type { JsonPath } from '../../model/json-text.ts';
import { DashboardModel } from '../../model/model.ts';
import { partRule, type Part } from '../../model/part.ts';
import { insertMember, type Step } from './member-step.ts';
import type { InsertOperation, MoveOperation, RemoveOperation } from '../operation.ts';
import { indexAfter, listIn, partAt, partText, placeText, refuse } from './place.ts';

const addressAt = (model: DashboardModel, path: JsonPath): string => model.partAt(path)?.address ?? '';
const startsWith = (path: JsonPath, start: JsonPath): boolean => start.every((key, index) => path[index] === key);

/** Returns where a path leads after an element was removed from its list (-1) or inserted into it (1). */
function shifted(path: JsonPath, elementPath: JsonPath, by: 1 | -1): JsonPath {
  const depth = elementPath.length - 1;
  const [index, elementIndex] = [Number(path[depth]), Number(elementPath[depth])];
  const isBehind = by === 1 ? index >= elementIndex : index > elementIndex;
  return path.length > depth && startsWith(path, elementPath.slice(0, -1)) && isBehind
    ? path.with(depth, index + by)
    : path;
}

/** The list that contains a part, and the part before it. */
interface ListPlace {
  readonly parent: Part;
  readonly list: string;
  readonly before: Part | null;
}

/** Returns where a part stands. Raises ChangeError for the contents, and if not all entries of the list are parts. */
function placeInList(model: DashboardModel, part: Part): ListPlace {
  const parent = part.kind === 'contents' ? null : model.partAt(part.path.slice(0, -2));
  if (parent === null) return refuse('part_unknown', part.address);
  const list = String(part.path.at(-2));
  const siblings = listIn(model, parent, list).parts ?? [];
  return { parent, list, before: siblings[siblings.indexOf(part) - 1] ?? null };
}

/** Carries out an `insert`. Raises ChangeError if the parent or the sibling is missing. */
export function insertStep(model: DashboardModel, operation: InsertOperation): Step {
  const { after, list, spacing } = operation;
  const parent = partAt(model, operation.parent);
  const place = placeText(parent.address, [list]);
  const text = partText(operation.text, place);
  const { path, parts } = listIn(model, parent, list);
  const index = indexAfter(parts ?? [], after, place);
  if (parts === null) {
    const { json, gap } = insertMember(model.json, { path, text: `[${text}]` }, place);
    return {
      model: DashboardModel.of(json),
      undo: [{ kind: 'unset', part: parent.address, path: [list], gap }],
    };
  }
  const changed = DashboardModel.of(model.json.insert(path, index, text, spacing));
  const inserted = addressAt(changed, [...path, index]);
  return { model: changed, undo: [{ kind: 'remove', part: inserted, gap: model.json.gap(path, index) }] };
}

/** Carries out a `remove`. Raises ChangeError if the part is missing. */
export function removeStep(model: DashboardModel, { part: address, gap }: RemoveOperation): Step {
  const part = partAt(model, address);
  const { parent, list, before } = placeInList(model, part);
  const changed = DashboardModel.of(model.json.remove(part.path, gap));
  const restored: InsertOperation = {
    kind: 'insert',
    parent: parent.address,
    list,
    after: before === null ? null : (changed.partAt(before.path)?.id ?? null),
    text: model.json.at(part.path) ?? '',
    spacing: model.json.spacing(part.path),
  };
  return { model: changed, undo: [restored] };
}

/** Carries out a `move`. Raises ChangeError if the part, its new parent or the sibling is missing. */
export function moveStep(model: DashboardModel, operation: MoveOperation): Step {
  const { after, list, gap, spacing } = operation;
  const part = partAt(model, operation.part);
  const from = placeInList(model, part);
  const parent = partAt(model, operation.parent);
  const place = placeText(parent.address, [list]);
  if (startsWith(parent.path, part.path)) return refuse('within_itself', part.address);
  if (partRule(parent.kind).lists[list] !== part.kind) return refuse('list_unknown', place);
  const target = listIn(model, parent, list);
  const index = indexAfter(target.parts?.filter((sibling) => sibling !== part) ?? [], after, place);

  const removed = model.json.remove(part.path, gap);
  const listPath = shifted(target.path, part.path, -1);
  const withList = target.parts === null ? insertMember(removed, { path: listPath, text: '[]' }, place) : null;
  const listed = withList?.json ?? removed;
  const newPath = [...listPath, index];
  const changed = DashboardModel.of(listed.insert(listPath, index, model.json.at(part.path) ?? '', spacing));

  const addressNow = ({ path }: Part): string => addressAt(changed, shifted(shifted(path, part.path, -1), newPath, 1));
  const restored: MoveOperation = {
    kind: 'move',
    part: addressAt(changed, newPath),
    parent: addressNow(from.parent),
    list: from.list,
    after: from.before === null ? null : (changed.find(addressNow(from.before))?.id ?? null),
    gap: listed.gap(listPath, index),
    spacing: model.json.spacing(part.path),
  };
  if (withList === null) return { model: changed, undo: [restored] };
  return {
    model: changed,
    undo: [restored, { kind: 'unset', part: parent.address, path: [list], gap: withList.gap }],
  };
}

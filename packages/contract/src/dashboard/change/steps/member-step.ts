import type { JsonPath, JsonText, ChildSpacing } from '../../model/json-text.ts';
import { DashboardModel } from '../../model/model.ts';
import { namesIn, partAt, partText, placeText, refuse, valueText } from './place.ts';
import type { Operation, SetOperation, UnsetOperation } from '../operation.ts';

/** The model after an operation, and the operations that restore the text before it. */
export interface Step {
  readonly model: DashboardModel;
  readonly undo: readonly Operation[];
}

/** A new member, and how its text should look. */
interface NewMember {
  readonly path: JsonPath;
  readonly text: string;
  readonly after?: string | null;
  readonly name?: string;
  readonly spacing?: ChildSpacing;
}

const writtenName = /^("(?:[^"\\]|\\.)*")[ \t\n\r]*:[ \t\n\r]*$/u;

function isNameOf(key: string, text: string): boolean {
  const quoted = writtenName.exec(text)?.[1];
  try {
    return quoted !== undefined && JSON.parse(quoted) === key;
  } catch {
    return false;
  }
}

/** Inserts a member, and returns the text that was in its place. Raises ChangeError if there is no object for it. */
export function insertMember(
  json: JsonText,
  { path, text, after, name = '', spacing }: NewMember,
  place: string,
): { readonly json: JsonText; readonly gap: string } {
  const parentPath = path.slice(0, -1);
  const names = namesIn(json, parentPath, place);
  const key = String(path.at(-1));
  const indexBefore = after === undefined ? -1 : names.findIndex((sibling) => sibling === after);
  const index = after === null ? 0 : indexBefore === -1 ? names.length : indexBefore + 1;
  const [firstName] = names;
  const firstWritten = firstName === undefined ? ':' : json.nameAt([...parentPath, firstName]);
  const usualName = `${JSON.stringify(key)}${firstWritten.slice(firstWritten.lastIndexOf('"') + 1)}`;
  return {
    json: json.insert(parentPath, index, `${isNameOf(key, name) ? name : usualName}${text}`, spacing),
    gap: json.gap(parentPath, index),
  };
}

/** Carries out a `set`. Raises ChangeError if the part or the object for a new member is missing. */
export function setStep(model: DashboardModel, { part: address, path: innerPath, ...rest }: SetOperation): Step {
  const part = partAt(model, address);
  const place = placeText(address, innerPath);
  const isPart = innerPath.length === 0 && part.kind !== 'contents';
  const text = isPart ? partText(rest.text, place) : valueText(rest.text, place);
  const path = [...part.path, ...innerPath];
  const previousText = model.json.at(path);
  // The address of a part without an id can follow from the new value.
  const undone = (changed: DashboardModel): { part: string; path: readonly string[] } => ({
    part: changed.partAt(part.path)?.address ?? '',
    path: innerPath,
  });
  if (previousText !== null) {
    const changed = DashboardModel.of(model.json.replace(path, text));
    return { model: changed, undo: [{ kind: 'set', ...undone(changed), text: previousText }] };
  }
  const { json, gap } = insertMember(model.json, { ...rest, path, text }, place);
  const changed = DashboardModel.of(json);
  return { model: changed, undo: [{ kind: 'unset', ...undone(changed), gap }] };
}

/** Carries out an `unset`. Raises ChangeError if the part or the member is missing. */
export function unsetStep(model: DashboardModel, { part: address, path: innerPath, gap }: UnsetOperation): Step {
  const part = partAt(model, address);
  const place = placeText(address, innerPath);
  const path = [...part.path, ...innerPath];
  const text = innerPath.length === 0 ? null : model.json.at(path);
  if (text === null) return refuse('member_unknown', place);
  const names = namesIn(model.json, path.slice(0, -1), place);
  const nameBefore = names[names.indexOf(path.at(-1) ?? '') - 1];
  const changed = DashboardModel.of(model.json.remove(path, gap));
  const restored: SetOperation = {
    kind: 'set',
    part: changed.partAt(part.path)?.address ?? '',
    path: innerPath,
    text,
    after: nameBefore === undefined ? null : String(nameBefore),
    name: model.json.nameAt(path),
    spacing: model.json.spacing(path),
  };
  return { model: changed, undo: [restored] };
}

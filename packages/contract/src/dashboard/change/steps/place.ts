import { isObject } from '../../../json.ts';
import { JsonText, type JsonPath } from '../../model/json-text.ts';
import type { DashboardModel } from '../../model/model.ts';
import { partRule, type Part } from '../../model/part.ts';
import { ChangeError, changeFault, type ChangeFaultCode } from '../fault.ts';

/** A list of parts. `path` leads to the list; `parts` is null if the parent does not have it. */
export interface PartList {
  readonly path: JsonPath;
  readonly parts: readonly Part[] | null;
}

/** Formats the place of a member for faults: `view:desktop/item:sales.options.title`. */
export const placeText = (part: string, path: readonly string[] = []): string =>
  [part, ...path].filter((word) => word !== '').join('.');

/** Raises ChangeError with one fault. */
export function refuse(code: ChangeFaultCode, place: string): never {
  throw new ChangeError([changeFault(code, place)]);
}

/** Returns the part at an address. Positions such as `views[0]` are no addresses here. */
export function partAt(model: DashboardModel, address: string): Part {
  const part = model.find(address);
  return part?.address === address ? part : refuse('part_unknown', placeText(address));
}

/** Checks a JSON text and returns it without white space around it. */
export function valueText(text: string, place: string): string {
  try {
    JsonText.read(text);
  } catch {
    refuse('text_unreadable', place);
  }
  return text.trim();
}

/** The same for the text of a part, which must be an object. */
export function partText(text: string, place: string): string {
  const trimmedText = valueText(text, place);
  return isObject(JSON.parse(trimmedText)) ? trimmedText : refuse('part_not_object', place);
}

/** Returns the names in an object. Raises ChangeError if it is none, or if two of its members have one name. */
export function namesIn(json: JsonText, path: JsonPath, place: string): readonly (string | number)[] {
  const names = json.keys(path);
  if (names === null || json.at(path)?.startsWith('{') !== true) return refuse('parent_unknown', place);
  return new Set(names).size === names.length ? names : refuse('name_repeated', place);
}

/** Returns a list of a part. Raises ChangeError if the part cannot have it, or if not all its entries are parts. */
export function listIn(model: DashboardModel, parent: Part, name: string): PartList {
  const place = placeText(parent.address, [name]);
  const { lists } = partRule(parent.kind);
  const path = [...parent.path, name];
  const text = model.json.at(path);
  if (!Object.hasOwn(lists, name) || (text !== null && !text.startsWith('['))) return refuse('list_unknown', place);
  if (text === null) return { path, parts: null };
  const parts = parent.parts.filter(({ kind }) => kind === lists[name]);
  return parts.length === model.json.keys(path)?.length ? { path, parts } : refuse('list_mixed', place);
}

/** Returns the index behind the sibling with an id; 0 for null. */
export function indexAfter(siblings: readonly Part[], after: string | null, place: string): number {
  const index = siblings.findIndex(({ id }) => id === after);
  return after === null || index >= 0 ? index + 1 : refuse('sibling_unknown', `${place} after ${after}`);
}

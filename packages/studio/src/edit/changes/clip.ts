import { isList, isObject, objectOr, type Json, type JsonObject, type ScreenMode } from '@inlay/contract';
import { JsonText, type Change, type DashboardModel } from '@inlay/contract/change';
import type { Position } from '../../layout/area.ts';
import { itemPart, sourceOf, textOf } from './view-items.ts';

/** Member by which copied items are recognised. */
const clipMember = 'inlayItems';
const maxCharacters = 2_000_000;
const maxItems = 200;

/** Returns items as text for the clipboard. */
export const clipOf = (model: DashboardModel, mode: ScreenMode, ids: Iterable<string>): string => {
  const texts = [...ids].flatMap((id) => {
    const part = itemPart(model, mode, id);
    return part === null ? [] : [textOf(model, part)];
  });
  return `{"${clipMember}":[${texts.join(',')}]}`;
};

/** Returns the texts of the items in a text of the clipboard; null if it has none. */
export function itemsInClip(text: string): readonly string[] | null {
  if (text.length > maxCharacters || !text.includes(clipMember)) return null;
  try {
    const clip = JsonText.read(text);
    const items: Json = objectOr(clip.value)[clipMember] ?? null;
    if (!isList(items) || items.length > maxItems || !items.every(isItem)) return null;
    return items.map((_, index) => clip.at([clipMember, index]) ?? '{}');
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return null;
  }
}

const isItem = (value: Json): value is JsonObject => isObject(value) && typeof value['type'] === 'string';

/** An item to paste: its text, and the id and the position that it gets. */
export interface PastedItem {
  readonly text: string;
  readonly id: string;
  readonly position: Position;
}

/** Returns the change that adds pasted items to a screen mode that has items of its own, or none yet. */
export function pasting(model: DashboardModel, mode: ScreenMode, items: readonly PastedItem[]): Change {
  const parent = (sourceOf(model, mode) ?? model.find(`view:${mode}`))?.address;
  if (parent === undefined) return [];
  const last = model.find(parent)?.parts.findLast(({ kind }) => kind === 'item')?.id ?? null;
  return items.map(({ text, id, position }, index) => ({
    kind: 'insert',
    parent,
    list: 'items',
    after: items[index - 1]?.id ?? last,
    text: JsonText.read(text).with([
      [['id'], id],
      [['position'], { ...position }],
    ]).text,
  }));
}

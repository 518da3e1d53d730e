import { isObject, listOr, objectOr, type Json, type JsonObject, type ScreenMode } from '@inlay/contract';
import { setMember, type Change, type DashboardModel, type Part } from '@inlay/contract/change';
import {
  filterMembers,
  itemMembers,
  slotContentMembers,
  type MemberKind,
  type Members,
} from '@inlay/contract/dashboard';
import { itemParts, sourceOf } from '../edit/changes/view-items.ts';

/** A text of an item that may be in several languages. */
export interface ItemText {
  readonly itemId: string;
  /** Address of the part that has it, behind that of the item; empty for the item itself. */
  readonly within: string;
  /** Member of the part that holds it, and the way from there to the text. */
  readonly path: readonly string[];
  readonly inner: readonly (string | number)[];
  /** A text, or one per language. */
  readonly value: string | JsonObject;
}

/** Members of the parts that have texts. */
const membersOfParts: Readonly<Partial<Record<Part['kind'], Members>>> = {
  item: itemMembers,
  entry: slotContentMembers,
  filter: filterMembers,
};

interface FoundText {
  readonly path: readonly (string | number)[];
  readonly value: string | JsonObject;
}

const isFilled = (value: Json): value is string | JsonObject =>
  (typeof value === 'string' && value !== '') || (isObject(value) && Object.keys(value).length > 0);

function* textsIn(kind: MemberKind, value: Json, path: readonly (string | number)[]): Iterable<FoundText> {
  if (kind === 'words') {
    if (isFilled(value)) yield { path, value };
  } else if (typeof kind === 'string') return;
  else if ('members' in kind) {
    const object = objectOr(value);
    for (const [name, member] of Object.entries(kind.members))
      if (Object.hasOwn(object, name)) yield* textsIn(member.kind, object[name] ?? null, [...path, name]);
  } else if (typeof kind.each !== 'string')
    for (const [index, entry] of listOr(value).entries()) yield* textsIn(kind.each, entry, [...path, index]);
}

/** Lists are set as a whole: returns the names that lead to the first one, and the rest of the way. */
function splitPath(path: readonly (string | number)[]): Pick<ItemText, 'path' | 'inner'> {
  const first = path.findIndex((key) => typeof key === 'number');
  const names = (first === -1 ? path : path.slice(0, first)).map(String);
  return { path: names, inner: path.slice(names.length) };
}

const textsOfPart = (part: Part, item: Part): readonly ItemText[] => {
  const members = membersOfParts[part.kind];
  // Parts inside have their texts themselves.
  const own = Object.fromEntries(Object.entries(part.value).filter(([name]) => name !== 'slots' && name !== 'filters'));
  const found = members === undefined ? [] : [...textsIn(members, own, [])];
  return [
    ...found.map(({ path, value }) => ({
      itemId: item.id,
      within: part.address.slice(item.address.length),
      ...splitPath(path),
      value,
    })),
    ...part.parts.flatMap((inner) => textsOfPart(inner, item)),
  ];
};

/** Returns the texts of the items of a view, in the order of the contents. */
export const textsOf = (model: DashboardModel, mode: ScreenMode): readonly ItemText[] =>
  (sourceOf(model, mode)?.parts ?? []).flatMap((part) => (part.kind === 'item' ? textsOfPart(part, part) : []));

/** Returns a value in which another one stands at the end of a way. */
function withInner(value: Json, [key, ...rest]: readonly (string | number)[], text: Json): Json {
  if (key === undefined) return text;
  if (typeof key === 'number')
    return listOr(value).map((entry, index) => (index === key ? withInner(entry, rest, text) : entry));
  const object = objectOr(value);
  return { ...object, [key]: withInner(object[key] ?? null, rest, text) };
}

/** Returns a text with that of a language; without it if the text is empty. */
function withLanguage(value: ItemText['value'], from: string, language: string, text: string): Json {
  const { [language]: _, ...others } = typeof value === 'string' ? { [from]: value } : value;
  return text === '' ? others : { ...others, [language]: text };
}

/**
 * Returns the change that sets a text in a language, in all views if the views are in step. `from` is the language in
 * which a text without languages is written.
 */
export const translation = (
  model: DashboardModel,
  mode: ScreenMode,
  { itemId, within, path, inner, value }: ItemText,
  from: string,
  language: string,
  text: string,
): Change =>
  itemParts(model, mode, itemId).flatMap(({ address }): Change => {
    const part = model.find(`${address}${within}`);
    if (part === null) return [];
    const held = path.reduce<Json>((object, name) => objectOr(object)[name] ?? null, part.value);
    if (inner.length === 0 && isObject(held) && typeof value !== 'string') {
      // One language alone, so that two people may translate into two languages at once.
      if (text !== '') return [setMember(part.address, [...path, language], text)];
      return Object.hasOwn(held, language) ? [{ kind: 'unset', part: part.address, path: [...path, language] }] : [];
    }
    return [setMember(part.address, path, withInner(held, inner, withLanguage(value, from, language, text)))];
  });

/** Returns the text in exactly this language; null if there is none. */
export const textIn = ({ value }: ItemText, language: string): string | null => {
  const text = typeof value === 'string' || !Object.hasOwn(value, language) ? null : value[language];
  return typeof text === 'string' && text !== '' ? text : null;
};

/** Returns the languages of texts, in the order in which they occur. */
export const languagesOf = (texts: readonly ItemText[]): readonly string[] => [
  ...new Set(texts.flatMap(({ value }) => (typeof value === 'string' ? [] : Object.keys(value)))),
];

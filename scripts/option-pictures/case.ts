import { join } from 'node:path';
import { isObject, type Json, type JsonObject } from '@inlay/contract';
import { optionMembers, slotContentMembers, type Members } from '@inlay/contract/dashboard';
import { completed } from './columns.ts';

/** The folder of the pictures. */
export const picturesFolder = join(import.meta.dirname, '../../docs/pictures/options');

/** Entries of slots by the name of their slot. */
export type Slots = Readonly<Record<string, JsonObject | readonly JsonObject[]>>;

/** Two pictures of one item, which differ by an option. */
export interface OptionCase {
  /** The members that the pictures show, as the reference names them: `axis.value.min`. */
  readonly shows: readonly string[];
  readonly type: string;
  readonly slots: Slots;
  /** The options of both pictures, or the members of the entry of both. */
  readonly shots: readonly [JsonObject, JsonObject];
  /** What both pictures show, for those who do not see them. */
  readonly seen: readonly [string, string];
  /** Where the shots are members of the first entry of a slot: its name. */
  readonly entryOf?: string;
  /** Options that both pictures have. */
  readonly options?: JsonObject;
  /** Height of its pictures in px; 190 where it does not say. */
  readonly heightPx?: number;
}

/** Cases under one heading of the reference. */
export interface CaseGroup {
  readonly title: string;
  readonly cases: readonly OptionCase[];
}

/** Returns the name of the file of a picture: its type, what it shows, and whether it is the first or the second. */
export const fileName = ({ type, shows, entryOf }: OptionCase, shot: 0 | 1): string =>
  `${type}.${entryOf === undefined ? '' : 'entry.'}${(shows[0] ?? '').replaceAll('[]', '')}.${shot + 1}.png`;

/** Returns the item of a picture as contents have it. */
export function itemOf({ type, slots, shots, entryOf, options = {} }: OptionCase, shot: 0 | 1): JsonObject {
  const changed = (slot: string, content: readonly JsonObject[]): readonly JsonObject[] =>
    content.map((entry, place) => completed(slot === entryOf && place === 0 ? { ...entry, ...shots[shot] } : entry));
  return {
    id: type,
    type,
    options: entryOf === undefined ? { ...options, ...shots[shot] } : options,
    slots: Object.entries(slots).map(([name, content]) => ({ name, content: changed(name, [content].flat()) })),
  };
}

const shortened = (value: Json): Json => {
  if (typeof value === 'string') return value.replace(/^(?<head>data:[^,]*,).*$/u, '$<head>…');
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shortened(one)]));
};

/** JSON in one line that may be broken at its spaces. */
const spaced = (value: Json): string => JSON.stringify(value, null, 1).replaceAll(/\n */gu, ' ');

/** Returns the JSON that makes a picture: all of its options, or the members of the entry that it is about. */
export const captionOf = ({ shots, entryOf, options = {} }: OptionCase, shot: 0 | 1): string =>
  spaced(shortened(entryOf === undefined ? { ...options, ...shots[shot] } : shots[shot]));

/** Returns the paths of all members of a table, those of objects inside too, as the reference writes them. */
function pathsOf({ members }: Members, prefix = ''): readonly string[] {
  return Object.entries(members).flatMap(([name, { kind }]) => {
    const path = `${prefix}${name}`;
    if (typeof kind !== 'object') return [path];
    if (!('each' in kind)) return [path, ...pathsOf(kind, `${path}.`)];
    return [path, ...(typeof kind.each === 'object' ? pathsOf(kind.each, `${path}[].`) : [])];
  });
}

/** The members that need a picture or a reason, by the table that has them. */
export const paths = { options: pathsOf(optionMembers), entries: pathsOf(slotContentMembers) } as const;

/** The tables that have pictures. */
export type PicturedTable = keyof typeof paths;

/** True if a member is another or inside it. */
export const isWithin = (path: string, outer: string): boolean =>
  path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[].`);

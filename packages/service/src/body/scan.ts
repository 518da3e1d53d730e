import { Problem } from '../problems/problem.ts';
import { deepest, refuse, sign, tooDeep, tooMany, type ListPlace } from './read-json.ts';

/** A list and the items in it, by their places in bytes. */
export interface FoundList {
  /** Behind the bracket that opens it, and before the one that closes it. */
  readonly start: number;
  readonly end: number;
  /** However many there are; only the first have their places. */
  readonly count: number;
  /** Start and end of each item. */
  readonly items: readonly number[];
}

/** What a body says about itself before anything is made of it. */
export interface BodyScan {
  /** Texts of the members of that name; undefined where there is none. */
  readonly key: string | undefined;
  readonly token: string | undefined;
  readonly list: FoundList | null;
}

export interface Scan {
  /** Takes the next bytes. Raises Problem `json_invalid`. */
  readonly feed: (bytes: Uint8Array) => void;
  readonly end: () => BodyScan;
}

/** Names and credentials are no longer than this, as they are written. */
const longestText = 65_536;
/** Items of the list whose places are kept. */
export const mostItems = 10_002;

const decoded = (raw: readonly number[]): string => {
  try {
    const value: unknown = JSON.parse(`"${Buffer.from(raw).toString('utf8')}"`);
    return typeof value === 'string' ? value : '';
  } catch {
    return refuse('The body is not valid JSON in UTF-8.');
  }
};

/**
 * Reads a body without making values of it, in pieces of any size: counts its values and its depth, finds the credentials and
 * a list. What it finds in a text that is no JSON means nothing, since that text is refused when it is read. Raises Problem
 * `json_invalid` where a member is there twice that may be there once.
 */
export function createScan(mostValues: number, place: ListPlace | null): Scan {
  let offset = 0;
  let depth = 0;
  let values = 0;
  let isFresh = false;
  let isText = false;
  let isEscaped = false;
  let raw: number[] | null = null;
  /** Whether the next text on the first and on the second level is the name of a member. */
  const isName = [false, false, false];
  const isObject = new Uint8Array(deepest + 2);
  const names = ['', '', ''];
  const seen = new Set<string>();
  const credentials = new Map<string, string>();
  const found = { start: -1, end: -1, count: 0, items: new Array<number>() };
  let itemStart = -1;
  let hasItem = false;

  const once = (name: string): void => {
    if (seen.has(name)) throw new Problem('json_invalid', { message: `The body has the member "${name}" twice.` });
    seen.add(name);
  };
  const named = (name: string): void => {
    isName[depth] = false;
    names[depth] = name;
    if (depth === 1 && (name === 'key' || name === 'token' || name === place?.[0])) once(name);
    if (depth === 2 && names[1] === place?.[0] && name === place?.[1]) once(`${names[1]}.${name}`);
  };
  const item = (end: number): void => {
    found.count += 1;
    if (found.count <= mostItems) found.items.push(itemStart, end);
  };
  const isListOpen = (): boolean => itemStart >= 0;
  const textEnds = (): void => {
    if (raw === null) return;
    const text = decoded(raw);
    raw = null;
    if (isName[depth] === true) named(text);
    else credentials.set(names[1] ?? '', text);
  };
  const textBegins = (): void => {
    isText = true;
    const isCredential = depth === 1 && isName[1] === false && (names[1] === 'key' || names[1] === 'token');
    raw = (depth <= 2 && isName[depth] === true) || (isCredential && isObject[1] === 1) ? [] : null;
  };
  const opens = (isMembers: boolean, at: number): void => {
    const isList =
      !isMembers &&
      depth === 2 &&
      isObject[1] === 1 &&
      isObject[2] === 1 &&
      names[1] === place?.[0] &&
      names[2] === place?.[1];
    depth += 1;
    if (depth > deepest) refuse(tooDeep);
    isFresh = true;
    isObject[depth] = isMembers ? 1 : 0;
    if (depth <= 2) {
      isName[depth] = isMembers;
      names[depth] = '';
    }
    if (!isList) return;
    itemStart = at + 1;
    hasItem = false;
    found.start = itemStart;
  };
  const closes = (at: number): void => {
    if (depth === 3 && isListOpen()) {
      if (hasItem || found.count > 0) item(at);
      found.end = at;
      itemStart = -1;
    }
    if (depth > 0) depth -= 1;
  };
  const separates = (at: number): void => {
    values += 1;
    if (depth <= 2 && isObject[depth] === 1) isName[depth] = true;
    if (depth !== 3 || !isListOpen()) return;
    item(at);
    itemStart = at + 1;
    hasItem = false;
  };

  return {
    feed: (bytes) => {
      for (let at = 0; at < bytes.length; at += 1) {
        const byte = bytes[at] ?? 0;
        if (isText) {
          if (isEscaped) isEscaped = false;
          else if (byte === sign.backslash) isEscaped = true;
          else if (byte === sign.quote) {
            isText = false;
            textEnds();
            continue;
          }
          if (raw !== null && raw.push(byte) > longestText) raw = [];
          continue;
        }
        if (byte <= sign.space) continue;
        if (isFresh) {
          isFresh = false;
          if (byte !== sign.close && byte !== sign.closeObject) values += 1;
        }
        if (byte === sign.quote) textBegins();
        else if (byte === sign.comma) separates(offset + at);
        else if (byte === sign.open || byte === sign.openObject) opens(byte === sign.openObject, offset + at);
        else if (byte === sign.close || byte === sign.closeObject) closes(offset + at);
        if (depth >= 3 && byte !== sign.comma && itemStart <= offset + at) hasItem = true;
      }
      offset += bytes.length;
      if (values > mostValues) refuse(tooMany(mostValues));
    },
    end: () => ({
      key: credentials.get('key'),
      token: credentials.get('token'),
      list: found.end >= 0 ? found : null,
    }),
  };
}

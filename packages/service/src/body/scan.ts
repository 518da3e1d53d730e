import { Problem } from '../problems/problem.ts';
import { deepest, refuse, sign, tooDeep, tooMany, type ListPlace } from './read-json.ts';

/** A list in a body with the byte offsets of its items. */
export interface ItemList {
  /** Offset of the byte after the opening bracket. `end` is the offset of the closing bracket. */
  readonly start: number;
  readonly end: number;
  /** Number of all items. `items` has the offsets of only the first ones. */
  readonly count: number;
  /** Start and end offset of each item, alternating. */
  readonly items: readonly number[];
}

/** Members of a body that the service needs before it parses the body. */
export interface BodyScan {
  /** Values of the members `key` and `token`; undefined if absent or not a string. */
  readonly key: string | undefined;
  readonly token: string | undefined;
  readonly list: ItemList | null;
}

/** Maximum size of a name or credential, in bytes as written. */
const maxTextBytes = 65_536;
/** Maximum number of items whose offsets are recorded. */
export const maxItems = 10_002;

const decodeText = (rawBytes: readonly number[]): string => {
  try {
    const value: unknown = JSON.parse(`"${Buffer.from(rawBytes).toString('utf8')}"`);
    return typeof value === 'string' ? value : '';
  } catch {
    return refuse('The body is not valid JSON in UTF-8.');
  }
};

/**
 * Scans a body in chunks of any size without parsing it: counts values and depth, and finds the credentials and a list.
 * For invalid JSON the result is meaningless; the parser refuses such a body later. Raises Problem `json_invalid` if a
 * member that must be unique is repeated.
 */
export class Scan {
  readonly #maxValues: number;
  readonly #place: ListPlace | null;
  /** Number of bytes of all earlier chunks. */
  #offset = 0;
  #depth = 0;
  #values = 0;
  /** True directly after an opening bracket. */
  #isFresh = false;
  #isText = false;
  #isEscaped = false;
  /** Bytes of the current string if it is a name or a credential; otherwise null. */
  #raw: number[] | null = null;
  /** True if the next string is a member name, by depth. */
  readonly #isName = [false, false, false];
  readonly #isObject = new Uint8Array(deepest + 2);
  /** The last member name, by depth. */
  readonly #names = ['', '', ''];
  readonly #unique = new Set<string>();
  readonly #credentials = new Map<string, string>();
  readonly #list = { start: -1, end: -1, count: 0, items: new Array<number>() };
  /** Start offset of the current list item; -1 outside the list. */
  #itemStart = -1;
  #hasItem = false;

  constructor(maxValues: number, place: ListPlace | null) {
    this.#maxValues = maxValues;
    this.#place = place;
  }

  /** Scans the next chunk. Raises Problem `json_invalid`. */
  feed(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += 1) {
      if (this.#isText) at = this.#skipText(bytes, at);
      else this.#structure(bytes[at] ?? 0, this.#offset + at);
    }
    this.#offset += bytes.length;
    if (this.#values > this.#maxValues) refuse(tooMany(this.#maxValues));
  }

  end(): BodyScan {
    return {
      key: this.#credentials.get('key'),
      token: this.#credentials.get('token'),
      list: this.#list.end >= 0 ? this.#list : null,
    };
  }

  /** Skips a string up to its closing quote or the end of the chunk. Returns the offset of the last byte read. */
  #skipText(bytes: Uint8Array, start: number): number {
    for (let at = start; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === sign.backslash) this.#isEscaped = true;
      else if (byte === sign.quote) {
        this.#isText = false;
        this.#endText();
        return at;
      }
      if (this.#raw !== null && this.#raw.push(byte) > maxTextBytes) this.#raw = [];
    }
    return bytes.length;
  }

  /** Handles a byte outside strings. */
  #structure(byte: number, place: number): void {
    if (byte <= sign.space) return;
    if (this.#isFresh) {
      this.#isFresh = false;
      if (byte !== sign.close && byte !== sign.closeObject) this.#values += 1;
    }
    switch (byte) {
      case sign.quote:
        this.#beginText();
        break;
      case sign.comma:
        this.#separate(place);
        break;
      case sign.open:
      case sign.openObject:
        this.#open(byte === sign.openObject, place);
        break;
      case sign.close:
      case sign.closeObject:
        this.#close(place);
    }
    if (this.#depth >= 3 && byte !== sign.comma && this.#itemStart <= place) this.#hasItem = true;
  }

  #beginText(): void {
    const depth = this.#depth;
    const name = this.#names[1];
    this.#isText = true;
    const isCredential =
      depth === 1 && this.#isObject[1] === 1 && this.#isName[1] === false && (name === 'key' || name === 'token');
    this.#raw = (depth <= 2 && this.#isName[depth] === true) || isCredential ? [] : null;
  }

  #endText(): void {
    if (this.#raw === null) return;
    const text = decodeText(this.#raw);
    this.#raw = null;
    if (this.#isName[this.#depth] === true) this.#name(text);
    else this.#credentials.set(this.#names[1] ?? '', text);
  }

  #name(name: string): void {
    const [list, rows] = this.#place ?? [];
    this.#isName[this.#depth] = false;
    this.#names[this.#depth] = name;
    if (this.#depth === 1 && (name === 'key' || name === 'token' || name === list)) this.#refuseTwice(name);
    if (this.#depth === 2 && this.#names[1] === list && name === rows) this.#refuseTwice(`${list}.${name}`);
  }

  #refuseTwice(name: string): void {
    if (this.#unique.has(name))
      throw new Problem('json_invalid', { message: `The body has the member "${name}" twice.` });
    this.#unique.add(name);
  }

  #open(isObject: boolean, place: number): void {
    const isList = !isObject && this.#isAtList();
    this.#depth += 1;
    if (this.#depth > deepest) refuse(tooDeep);
    this.#isFresh = true;
    this.#isObject[this.#depth] = isObject ? 1 : 0;
    if (this.#depth <= 2) {
      this.#isName[this.#depth] = isObject;
      this.#names[this.#depth] = '';
    }
    if (!isList) return;
    this.#itemStart = place + 1;
    this.#hasItem = false;
    this.#list.start = this.#itemStart;
  }

  /** True if the next value is the list to extract. */
  #isAtList(): boolean {
    return (
      this.#depth === 2 &&
      this.#isObject[1] === 1 &&
      this.#isObject[2] === 1 &&
      this.#names[1] === this.#place?.[0] &&
      this.#names[2] === this.#place?.[1]
    );
  }

  #isInList(): boolean {
    return this.#depth === 3 && this.#itemStart >= 0;
  }

  #close(place: number): void {
    if (this.#isInList()) {
      if (this.#hasItem || this.#list.count > 0) this.#addItem(place);
      this.#list.end = place;
      this.#itemStart = -1;
    }
    if (this.#depth > 0) this.#depth -= 1;
  }

  #separate(place: number): void {
    this.#values += 1;
    if (this.#depth <= 2 && this.#isObject[this.#depth] === 1) this.#isName[this.#depth] = true;
    if (!this.#isInList()) return;
    this.#addItem(place);
    this.#itemStart = place + 1;
    this.#hasItem = false;
  }

  #addItem(end: number): void {
    this.#list.count += 1;
    if (this.#list.count <= maxItems) this.#list.items.push(this.#itemStart, end);
  }
}

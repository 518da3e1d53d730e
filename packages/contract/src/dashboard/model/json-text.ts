import type { Json } from '../../json.ts';

/** The member names and list indexes that lead to a value, outermost first. */
export type JsonPath = readonly (string | number)[];

/** A value in a text: its start, its end, and its children in the order of the text. */
interface JsonNode {
  readonly start: number;
  readonly end: number;
  readonly kind: 'object' | 'list' | 'plain';
  readonly inside: readonly JsonChild[];
}

/** A member or an element. A member starts with its name. */
interface JsonChild {
  readonly key: string | number;
  readonly start: number;
  readonly node: JsonNode;
}

/** The texts between a child and what stands next to it: white space, with a comma if that is another child. */
export interface ChildSpacing {
  readonly before: string;
  readonly behind: string;
}

interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly written: string;
}

/** How deep objects and lists may be nested, so that no text exhausts the stack. */
const deepest = 256;

const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);

/** Finds the positions of values in a text that is known to be JSON. */
class JsonScanner {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  scan(): JsonNode {
    this.#skipSpace();
    const start = this.#at;
    const firstCharacter = this.#text[start];
    if (firstCharacter !== '{' && firstCharacter !== '[') {
      if (firstCharacter === '"') this.#skipQuoted();
      else this.#skip(/[^\s,\]}]+/uy);
      return { start, end: this.#at, kind: 'plain', inside: [] };
    }
    this.#at += 1;
    this.#depth += 1;
    if (this.#depth > deepest) throw new SyntaxError(`JSON is nested more than ${deepest} deep`);
    const children: JsonChild[] = [];
    while (!this.#isClosed()) {
      const childStart = this.#at;
      const key = firstCharacter === '{' ? this.#name() : children.length;
      children.push({ key, start: childStart, node: this.scan() });
      this.#skipSpace();
      if (this.#text[this.#at] === ',') this.#at += 1;
    }
    this.#at += 1;
    this.#depth -= 1;
    return { start, end: this.#at, kind: firstCharacter === '{' ? 'object' : 'list', inside: children };
  }

  #isClosed(): boolean {
    this.#skipSpace();
    return this.#text[this.#at] === '}' || this.#text[this.#at] === ']';
  }

  #name(): string {
    const start = this.#at;
    this.#skipQuoted();
    const quoted = this.#text.slice(start, this.#at);
    this.#skipSpace();
    this.#at += 1;
    return quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
  }

  #skipSpace(): void {
    while (isSpace(this.#text.charCodeAt(this.#at))) this.#at += 1;
  }

  #skipQuoted(): void {
    let end = this.#text.indexOf('"', this.#at + 1);
    while (this.#isEscaped(end)) end = this.#text.indexOf('"', end + 1);
    this.#at = end + 1;
  }

  /** True if an odd number of backslashes stands before an index. */
  #isEscaped(index: number): boolean {
    let start = index;
    while (this.#text[start - 1] === '\\') start -= 1;
    return (index - start) % 2 === 1;
  }

  #skip(pattern: RegExp): void {
    pattern.lastIndex = this.#at;
    this.#at += pattern.exec(this.#text)?.[0].length ?? 0;
  }
}

const blank = /^[ \t\n\r]*$/u;
const comma = /^[ \t\n\r]*,[ \t\n\r]*$/u;
/** Returns a text between children, or at an edge of their parent, if it may stand there, else the usual one. */
const fitting = (text: string | undefined, isEdge: boolean, usual: string): string =>
  text !== undefined && (isEdge ? blank : comma).test(text) ? text : usual;

/**
 * A JSON text whose values can be replaced. The rest of the text is preserved, including whitespace, the order of
 * members and the digits of numbers.
 */
export class JsonText {
  readonly text: string;
  readonly value: Json;
  readonly #root: JsonNode;
  readonly #meanings = new Map<JsonNode, string>();

  private constructor(text: string, value: Json) {
    this.text = text;
    this.value = value;
    this.#root = new JsonScanner(text).scan();
  }

  /** Parses a text. Raises SyntaxError if the text is not JSON, or nested more than 256 deep. */
  static read(text: string): JsonText {
    const value: Json = JSON.parse(text);
    return new JsonText(text, value);
  }

  /**
   * Returns the text with some values replaced. A value whose path does not exist yet is appended to its parent. No
   * path may be within another path. Raises RangeError if the parent of a path does not exist.
   */
  with(values: readonly (readonly [path: JsonPath, value: Json])[]): JsonText {
    const edits = values.map(([path, value]) => this.#edit(path, JSON.stringify(value)));
    const fromTheEnd = edits.toSorted((left, right) => right.start - left.start);
    const pieces: string[] = [];
    let pieceEnd = this.text.length;
    for (const { start, end, written } of fromTheEnd) {
      pieces.push(this.text.slice(end, pieceEnd), written);
      pieceEnd = start;
    }
    return JsonText.read([...pieces, this.text.slice(0, pieceEnd)].toReversed().join(''));
  }

  /** Returns the text of the value at a path; null if there is none. */
  at(path: JsonPath): string | null {
    const node = this.#find(path);
    return node === null ? null : this.#slice(node);
  }

  /** Returns the names or indexes in an object or list in the order of the text; null if the path has neither. */
  keys(path: JsonPath): readonly (string | number)[] | null {
    const node = this.#find(path);
    return node === null || node.kind === 'plain' ? null : node.inside.map(({ key }) => key);
  }

  /**
   * Returns the value at a path in one spelling, so that two texts mean the same if they are equal. White space, the
   * order of members and escapes do not matter, digits do. An empty text if there is no value.
   */
  meaning(path: JsonPath): string {
    const node = this.#find(path);
    return node === null ? '' : this.#meaning(node);
  }

  /** Returns the name of a member as it is written, with the colon; empty for an element of a list. */
  nameAt(path: JsonPath): string {
    const { child } = this.#child(path);
    return this.text.slice(child.start, child.node.start);
  }

  /** Returns the spacing of a child. Raises RangeError if the path does not exist. */
  spacing(path: JsonPath): ChildSpacing {
    const { parent, index } = this.#child(path);
    return { before: this.#gap(parent, index), behind: this.#gap(parent, index + 1) };
  }

  /** Returns the text between the child at `index` of an object or list and the child before it. */
  gap(parentPath: JsonPath, index: number): string {
    return this.#gap(this.#parent(parentPath), index);
  }

  /** Returns a copy with the text of a value replaced. Raises RangeError if the path does not exist. */
  replace(path: JsonPath, newText: string): JsonText {
    const node = this.#find(path);
    if (node === null) throw new RangeError(`contents have no place ${path.join('.')}`);
    return this.#cut(node.start, node.end, newText);
  }

  /**
   * Returns a copy with a child inserted as the one at `index`. The text of a member starts with its name. Spacing that
   * does not fit there is replaced by that of the other children.
   */
  insert(parentPath: JsonPath, index: number, childText: string, spacing?: ChildSpacing): JsonText {
    const parent = this.#parent(parentPath);
    const count = parent.inside.length;
    const between = count > 1 ? this.#gap(parent, 1) : `,${this.#gap(parent, 0)}`;
    const own = count === 0 ? '' : this.#gap(parent, index);
    const usual: ChildSpacing = {
      before: index > 0 && index === count ? between : own,
      behind: index === 0 && count > 0 ? between : own,
    };
    const before = fitting(spacing?.before, index === 0, usual.before);
    const behind = fitting(spacing?.behind, index === count, usual.behind);
    const { start, end } = this.#gapPlace(parent, index);
    return this.#cut(start, end, `${before}${childText}${behind}`);
  }

  /** Returns a copy without a child. `gap` is left between its neighbours, if it fits there. */
  remove(path: JsonPath, gap?: string): JsonText {
    const { parent, index } = this.#child(path);
    const [before, behind] = [this.#gap(parent, index), this.#gap(parent, index + 1)];
    const isLast = index === parent.inside.length - 1;
    const usual = parent.inside.length === 1 ? '' : isLast ? behind : before;
    const newGap = fitting(gap, index === 0 || isLast, usual);
    return this.#cut(this.#gapPlace(parent, index).start, this.#gapPlace(parent, index + 1).end, newGap);
  }

  #meaning(node: JsonNode): string {
    const knownMeaning = this.#meanings.get(node);
    if (knownMeaning !== undefined) return knownMeaning;
    const meaning = this.#meaningOf(node);
    this.#meanings.set(node, meaning);
    return meaning;
  }

  #meaningOf(node: JsonNode): string {
    const text = this.#slice(node);
    if (node.kind === 'plain') return text.includes('\\') ? JSON.stringify(JSON.parse(text)) : text;
    if (node.kind === 'list') return `[${node.inside.map((child) => this.#meaning(child.node)).join(',')}]`;
    const members = new Map(node.inside.map((child) => [String(child.key), this.#meaning(child.node)]));
    const named = [...members].map(([name, value]) => `${JSON.stringify(name)}:${value}`);
    return `{${named.toSorted().join(',')}}`;
  }

  #slice({ start, end }: JsonNode): string {
    return this.text.slice(start, end);
  }

  #cut(start: number, end: number, newText: string): JsonText {
    return JsonText.read(this.text.slice(0, start) + newText + this.text.slice(end));
  }

  #gapPlace({ start, end, inside }: JsonNode, index: number): { readonly start: number; readonly end: number } {
    return { start: inside[index - 1]?.node.end ?? start + 1, end: inside[index]?.start ?? end - 1 };
  }

  #gap(parent: JsonNode, index: number): string {
    const { start, end } = this.#gapPlace(parent, index);
    return this.text.slice(start, end);
  }

  #parent(path: JsonPath): JsonNode {
    const node = this.#find(path);
    if (node === null || node.kind === 'plain') throw new RangeError(`${path.join('.')} has no children`);
    return node;
  }

  #child(path: JsonPath): { readonly parent: JsonNode; readonly index: number; readonly child: JsonChild } {
    const parent = this.#parent(path.slice(0, -1));
    const index = parent.inside.findLastIndex(({ key }) => key === path.at(-1));
    const child = parent.inside[index];
    if (child === undefined) throw new RangeError(`contents have no place ${path.join('.')}`);
    return { parent, index, child };
  }

  #edit(path: JsonPath, newText: string): TextEdit {
    const ownNode = this.#find(path);
    if (ownNode !== null) return { start: ownNode.start, end: ownNode.end, written: newText };
    const key = path.at(-1);
    const parentNode = path.length === 0 ? null : this.#find(path.slice(0, -1));
    const isMember = typeof key === 'string' && parentNode?.kind === 'object';
    const isNext = parentNode?.kind === 'list' && key === parentNode.inside.length;
    if (parentNode === null || !(isMember || isNext)) throw new RangeError(`contents have no place ${path.join('.')}`);
    const lastEnd = parentNode.inside.at(-1)?.node.end;
    const start = lastEnd ?? parentNode.start + 1;
    const name = isMember ? `${JSON.stringify(key)}:` : '';
    return { start, end: start, written: `${lastEnd === undefined ? '' : ','}${name}${newText}` };
  }

  /**
   * Finds the value at a path; null if there is none. If an object has duplicate members, the last one counts, as in
   * `JSON.parse`.
   */
  #find(path: JsonPath): JsonNode | null {
    let node: JsonNode | undefined = this.#root;
    for (const key of path) {
      const child: JsonChild | undefined =
        typeof key === 'number' && node?.kind === 'list'
          ? node.inside[key]
          : node?.inside.findLast((entry) => entry.key === key);
      node = child?.node;
    }
    return node ?? null;
  }
}

import type { Json } from '../../json.ts';

/** The member names and list indexes that lead to a value, outermost first. */
export type JsonPath = readonly (string | number)[];

/** A value in a text: its start, its end, and its children in the order of the text. */
interface JsonNode {
  readonly start: number;
  readonly end: number;
  readonly kind: 'object' | 'list' | 'plain';
  readonly inside: readonly { readonly key: string | number; readonly node: JsonNode }[];
}

interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly written: string;
}

/** Finds the positions of values in a text that is known to be JSON. */
class JsonScanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  scan(): JsonNode {
    this.#skip(/\s*/uy);
    const start = this.#at;
    const firstCharacter = this.#text[start];
    if (firstCharacter !== '{' && firstCharacter !== '[') {
      this.#skip(firstCharacter === '"' ? /"(?:[^"\\]|\\.)*"/suy : /[^\s,\]}]+/uy);
      return { start, end: this.#at, kind: 'plain', inside: [] };
    }
    this.#at += 1;
    const children: { key: string | number; node: JsonNode }[] = [];
    while (!this.#isClosed()) {
      const key = firstCharacter === '{' ? this.#name() : children.length;
      children.push({ key, node: this.scan() });
      this.#skip(/\s*,?/uy);
    }
    this.#at += 1;
    return { start, end: this.#at, kind: firstCharacter === '{' ? 'object' : 'list', inside: children };
  }

  #isClosed(): boolean {
    this.#skip(/\s*/uy);
    return this.#text[this.#at] === '}' || this.#text[this.#at] === ']';
  }

  #name(): string {
    const { start, end } = this.scan();
    this.#skip(/\s*:/uy);
    return String(JSON.parse(this.#text.slice(start, end)));
  }

  #skip(pattern: RegExp): void {
    pattern.lastIndex = this.#at;
    this.#at += pattern.exec(this.#text)?.[0].length ?? 0;
  }
}

/**
 * A JSON text whose values can be replaced. The rest of the text is preserved, including whitespace, the order of
 * members and the digits of numbers.
 */
export class JsonText {
  readonly text: string;
  readonly value: Json;
  readonly #root: JsonNode;

  private constructor(text: string, value: Json) {
    this.text = text;
    this.value = value;
    this.#root = new JsonScanner(text).scan();
  }

  /** Parses a text. Raises SyntaxError if the text is not JSON. */
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
    return JsonText.read(
      fromTheEnd.reduce((text, { start, end, written }) => text.slice(0, start) + written + text.slice(end), this.text),
    );
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
    for (const key of path) node = node?.inside.findLast((entry) => entry.key === key)?.node;
    return node ?? null;
  }
}

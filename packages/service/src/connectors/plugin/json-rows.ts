import type { Json } from '@inlay/contract';
import { PluginFault } from './fault.ts';

/** `longestRow`: maximum number of characters of a row. `maxDepth`: maximum nesting depth of lists. */
const longestRow = 1_000_000;
const maxDepth = 16;

const notRows = (): PluginFault => new PluginFault('shape', 'answers with something that is not a JSON list of rows');

function endsInEscape(text: string): boolean {
  let backslashes = 0;
  while (text[text.length - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

function parsed(text: string): readonly Json[] {
  try {
    const rows: Json = JSON.parse(`[${text}]`);
    if (Array.isArray(rows)) return rows;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw notRows();
}

/** Decodes the pieces of a body as UTF-8. */
class Utf8Decoder {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });

  /** Decodes a piece. Without a piece, returns what is left at the end of the body. Raises PluginFault `shape`. */
  decode(piece?: Uint8Array): string {
    try {
      return piece === undefined ? this.#decoder.decode() : this.#decoder.decode(piece, { stream: true });
    } catch (error) {
      throw error instanceof TypeError ? new PluginFault('shape', 'answers with something that is not UTF-8') : error;
    }
  }
}

/** Parses a JSON array of rows incrementally. Buffers only the row that is not complete yet. */
class RowParser {
  readonly #outside = /["[\]{}]/gu;
  readonly #inside = /["\\]/gu;
  /** Text that has not been parsed yet. */
  #rest = '';
  /** Nesting depth: 0 before the array, 1 between rows. */
  #depth = 0;
  #isInText = false;
  #isFirst = true;
  #isOver = false;

  /** True once the end of the array has been parsed. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Parses a piece, and returns the rows that are now complete. Raises PluginFault `shape` or `limit`. */
  take(piece: string): readonly Json[] {
    // If an escape sequence is split between two pieces, scans its backslash again.
    const from = this.#isInText && endsInEscape(this.#rest) ? this.#rest.length - 1 : this.#rest.length;
    this.#rest += piece;
    if (this.#isOver) {
      if (this.#rest.trim() !== '') throw notRows();
      return [];
    }
    if (this.#depth > 0) return this.#complete(from);
    return this.#begin() ? this.#complete(0) : [];
  }

  /** Skips the opening bracket of the array. Returns false if the bracket has not arrived yet. */
  #begin(): boolean {
    const start = this.#rest.search(/\S/u);
    if (start === -1) {
      if (this.#rest.length > longestRow) throw notRows();
      return false;
    }
    if (this.#rest[start] !== '[') throw notRows();
    this.#rest = this.#rest.slice(start + 1);
    this.#depth = 1;
    return true;
  }

  #complete(from: number): readonly Json[] {
    const { rowsEnd, end } = this.#scan(from);
    const rows = rowsEnd === -1 ? [] : this.#rows(this.#rest.slice(0, rowsEnd));
    const endIndex = Math.max(0, rowsEnd);
    if (end !== -1) {
      if (this.#rest.slice(endIndex, end - 1).trim() !== '' || this.#rest.slice(end).trim() !== '') throw notRows();
      this.#isOver = true;
      this.#rest = '';
      return rows;
    }
    this.#rest = this.#rest.slice(endIndex);
    if (this.#rest.length > longestRow)
      throw new PluginFault('limit', `answers with a row of over ${longestRow} characters`);
    return rows;
  }

  /** Parses a text of complete rows. A comma precedes the text, unless it contains the first row of the array. */
  #rows(text: string): readonly Json[] {
    const comma = this.#isFirst ? 0 : (/^\s*,/u.exec(text)?.[0].length ?? -1);
    if (comma === -1) throw notRows();
    this.#isFirst = false;
    return parsed(text.slice(comma));
  }

  /**
   * Returns `rowsEnd`, the offset after the last complete row, and `end`, the offset after the array. An offset is -1
   * if its position has not arrived yet. Scans from the offset `from` on.
   */
  #scan(from: number): { readonly rowsEnd: number; readonly end: number } {
    let rowsEnd = -1;
    for (let at = from; at < this.#rest.length;) {
      const sign = this.#isInText ? this.#inside : this.#outside;
      sign.lastIndex = at;
      const match = sign.exec(this.#rest);
      if (match === null) break;
      at = match.index + 1;
      const [character] = match;
      if (character === '\\') at += 1;
      else if (character === '"') this.#isInText = !this.#isInText;
      else if (character === '[' || character === '{') {
        this.#depth += 1;
        if (this.#depth > maxDepth) throw new PluginFault('limit', `answers with lists more than ${maxDepth} deep`);
      } else {
        this.#depth -= 1;
        if (this.#depth === 1) rowsEnd = at;
        if (this.#depth === 0) return { rowsEnd, end: at };
      }
    }
    return { rowsEnd, end: -1 };
  }
}

/**
 * Parses the JSON array of rows in a body incrementally. Raises PluginFault `shape` or `limit`, for example if text
 * follows the array or the array does not end. Also raises errors of the body.
 */
export async function* readRows(body: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Json[], void, undefined> {
  const decoder = new Utf8Decoder();
  const parser = new RowParser();
  for await (const piece of body) {
    const rows = parser.take(decoder.decode(piece));
    if (rows.length > 0) yield rows;
  }
  parser.take(decoder.decode());
  if (!parser.isOver) throw notRows();
}

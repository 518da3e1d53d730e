import type { Json } from '@inlay/contract';
import { PluginFault } from './fault.ts';

/** Maximum characters of a row, and levels of its lists. */
const longestRow = 1_000_000;
const deepest = 16;

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

/** Decodes pieces of a body. */
class Utf8Decoder {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });

  /** Without a piece, what is left at the end. Raises PluginFault `shape`. */
  decode(piece?: Uint8Array): string {
    try {
      return piece === undefined ? this.#decoder.decode() : this.#decoder.decode(piece, { stream: true });
    } catch (error) {
      throw error instanceof TypeError ? new PluginFault('shape', 'answers with something that is not UTF-8') : error;
    }
  }
}

/** Parses a JSON list of rows piece by piece; holds no more than the row that is incomplete. */
class RowParser {
  readonly #outside = /["[\]{}]/gu;
  readonly #inside = /["\\]/gu;
  /** What was not parsed yet. */
  #rest = '';
  /** 0 before the list, 1 between rows. */
  #depth = 0;
  #isInText = false;
  #isFirst = true;
  #isOver = false;

  /** Whether the list has ended. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The rows that a piece completes. Raises PluginFault `shape` or `limit`. */
  take(piece: string): readonly Json[] {
    // An escape may have been cut in two: then its second half is scanned with the first.
    const from = this.#isInText && endsInEscape(this.#rest) ? this.#rest.length - 1 : this.#rest.length;
    this.#rest += piece;
    if (this.#isOver) {
      if (this.#rest.trim() !== '') throw notRows();
      return [];
    }
    if (this.#depth > 0) return this.#complete(from);
    return this.#begin() ? this.#complete(0) : [];
  }

  /** Skips the start of the list; false if it has not come yet. */
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
    const after = Math.max(0, rowsEnd);
    if (end !== -1) {
      if (this.#rest.slice(after, end - 1).trim() !== '' || this.#rest.slice(end).trim() !== '') throw notRows();
      this.#isOver = true;
      this.#rest = '';
      return rows;
    }
    this.#rest = this.#rest.slice(after);
    if (this.#rest.length > longestRow)
      throw new PluginFault('limit', `answers with a row of over ${longestRow} characters`);
    return rows;
  }

  /** Parses whole rows; all but the first of the list follow a comma. */
  #rows(text: string): readonly Json[] {
    const comma = this.#isFirst ? 0 : (/^\s*,/u.exec(text)?.[0].length ?? -1);
    if (comma === -1) throw notRows();
    this.#isFirst = false;
    return parsed(text.slice(comma));
  }

  /** Finds where the last whole row ends, and the list; -1 if it does not. Scans only what is new from `from` on. */
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
        if (this.#depth > deepest) throw new PluginFault('limit', `answers with lists more than ${deepest} deep`);
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
 * Reads the JSON list of rows in a body, batch by batch, so that no more than a piece of it is in memory. Anything after the list, or a
 * list without end, is a fault. Raises PluginFault `shape` or `limit`, and what the body raises.
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

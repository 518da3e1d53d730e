import type { Json } from '@inlay/contract';
import { PluginFault } from './fault.ts';

/** Most characters that one row may have, and levels that it may be deep. */
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

/**
 * Reads the JSON list that a body is, batch by batch, so that no more than a piece of it is in memory. What comes after
 * the list, or a list without end, is a fault. Raises PluginFault `shape` or `limit`, and what the body raises.
 */
export async function* readRows(body: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Json[], void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (piece?: Uint8Array): string => {
    try {
      return piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true });
    } catch (error) {
      throw error instanceof TypeError ? new PluginFault('shape', 'answers with something that is not UTF-8') : error;
    }
  };
  let rest = '';
  let depth = 0;
  let inText = false;
  let isFirst = true;
  let isOver = false;
  const outside = /["[\]{}]/gu;
  const inside = /["\\]/gu;

  // Where the last whole row of `rest` ends; looks only at what is new from `from` on.
  const scan = (from: number): { readonly rowsEnd: number; readonly end: number } => {
    let rowsEnd = -1;
    for (let at = from; at < rest.length;) {
      const sign = inText ? inside : outside;
      sign.lastIndex = at;
      const found = sign.exec(rest);
      if (found === null) break;
      at = found.index + 1;
      const [character] = found;
      if (character === '\\') at += 1;
      else if (character === '"') inText = !inText;
      else if (character === '[' || character === '{') {
        depth += 1;
        if (depth > deepest) throw new PluginFault('limit', `answers with lists more than ${deepest} deep`);
      } else {
        depth -= 1;
        if (depth === 1) rowsEnd = at;
        if (depth === 0) return { rowsEnd, end: at };
      }
    }
    return { rowsEnd, end: -1 };
  };

  const take = (piece: string): readonly Json[] => {
    // An escape may have been cut in two: then its second half is looked at with the first.
    let from = inText && endsInEscape(rest) ? rest.length - 1 : rest.length;
    rest += piece;
    if (isOver) {
      if (rest.trim() !== '') throw notRows();
      return [];
    }
    if (depth === 0) {
      const start = rest.search(/\S/u);
      if (start === -1) {
        if (rest.length > longestRow) throw notRows();
        return [];
      }
      if (rest[start] !== '[') throw notRows();
      rest = rest.slice(start + 1);
      from = 0;
      depth = 1;
    }
    const { rowsEnd, end } = scan(from);
    let rows: readonly Json[] = [];
    if (rowsEnd !== -1) {
      const text = rest.slice(0, rowsEnd);
      const comma = isFirst ? 0 : (/^\s*,/u.exec(text)?.[0].length ?? -1);
      if (comma === -1) throw notRows();
      rows = parsed(text.slice(comma));
      isFirst = false;
    }
    if (end !== -1) {
      if (rest.slice(Math.max(0, rowsEnd), end - 1).trim() !== '' || rest.slice(end).trim() !== '') throw notRows();
      isOver = true;
      rest = '';
    } else {
      rest = rest.slice(Math.max(0, rowsEnd));
      if (rest.length > longestRow)
        throw new PluginFault('limit', `answers with a row of over ${longestRow} characters`);
    }
    return rows;
  };

  for await (const piece of body) {
    const rows = take(decode(piece));
    if (rows.length > 0) yield rows;
  }
  take(decode());
  if (!isOver) throw notRows();
}

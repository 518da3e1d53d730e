import { createReadStream } from 'node:fs';
import { isObject, type Json, type JsonObject } from '@inlay/contract';
import { addKinds, textOf } from '../../../cells/cells.ts';
import { parseExactly } from '../../../cells/exact-numbers.ts';
import { batchMost, batchRowsOf, EngineProblem } from '../../engine.ts';
import { checkWidth } from '../write/layout.ts';
import { uniqueNames } from './names.ts';
import type { CountedRows } from '../write/stage-rows.ts';

/** Limit of one line in bytes. */
const maxLineBytes = 16 * 1024 * 1024;

const newLine = 0x0a;

const fault = (line: number, message: string): EngineProblem => new EngineProblem('input', `line ${line}: ${message}`);

/** Counts the non-blank lines. It verifies the row count of the reader, so it shares no code with the reader. */
export class LineCounter {
  lines = 0;
  #isBlank = true;

  take(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length) {
      const byte = bytes[at] ?? 0;
      if (byte > 0x20 && this.#isBlank) {
        this.lines += 1;
        this.#isBlank = false;
      }
      if (byte === newLine) this.#isBlank = true;
      else if (!this.#isBlank) {
        // Skip the rest of the line.
        const end = bytes.indexOf(newLine, at);
        if (end < 0) return;
        this.#isBlank = true;
        at = end;
      }
      at += 1;
    }
  }
}

/** Yields the lines of a file without line endings. Passes all bytes that it reads to `onBytes`. */
async function* linesOf(path: string, onBytes: (bytes: Buffer) => void): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let bufferedBytes = 0;
  let line = 1;
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    if (!Buffer.isBuffer(chunk)) continue;
    onBytes(chunk);
    let start = 0;
    for (let end = chunk.indexOf(newLine); end >= 0; end = chunk.indexOf(newLine, start)) {
      const lineEnd = chunk.subarray(start, end);
      yield parts.length === 0 ? lineEnd : Buffer.concat([...parts, lineEnd]);
      parts = [];
      bufferedBytes = 0;
      line += 1;
      start = end + 1;
    }
    parts.push(chunk.subarray(start));
    bufferedBytes += chunk.length - start;
    if (bufferedBytes > maxLineBytes) throw fault(line, `longer than ${maxLineBytes / 1024 ** 2} MB`);
  }
  if (bufferedBytes > 0) yield Buffer.concat(parts);
}

/** True if a database can store a string: no lone surrogates and no NUL. */
const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Yields each object of a file with its line number. Raises EngineProblem `input` that names the line. */
async function* objectsOf(
  path: string,
  onBytes: (bytes: Buffer) => void,
): AsyncGenerator<readonly [JsonObject, number]> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 0;
  const readLine = (bytes: Buffer): Json => {
    try {
      return parseExactly(decoder.decode(bytes));
    } catch {
      throw fault(line, 'it is not JSON in UTF-8');
    }
  };
  for await (const bytes of linesOf(path, onBytes)) {
    line += 1;
    if (bytes.every((byte) => byte <= 0x20)) continue;
    const value = readLine(bytes);
    if (!isObject(value)) throw fault(line, 'it is not a JSON object');
    yield [value, line];
  }
}

/**
 * Reads a file with one JSON object per line in two passes: first the member names, then the rows. Raises EngineProblem
 * `input` that names the line.
 */
export async function jsonLines(path: string): Promise<CountedRows> {
  const places = new Map<string, number>();
  for await (const [object] of objectsOf(path, () => undefined))
    for (const name of Object.keys(object)) {
      if (places.has(name)) continue;
      places.set(name, places.size);
      checkWidth(places.size);
    }
  if (places.size === 0) throw new EngineProblem('input', 'the file has no rows');
  const names = uniqueNames([...places.keys()]);
  const kinds: number[] = [];
  const counter = new LineCounter();
  const objects = objectsOf(path, (bytes) => counter.take(bytes));
  const maxRows = batchRowsOf(names.length);
  const rowOf = (object: JsonObject, line: number): string => {
    const cells = names.map((): Json => null);
    for (const [name, cell] of Object.entries(object)) cells[places.get(name) ?? 0] = cell;
    addKinds(kinds, cells, cells.length);
    try {
      const texts = cells.map(textOf);
      if (texts.some((text) => text !== null && !isStorable(text)))
        throw fault(line, 'a text has the character NUL or half a character');
      return JSON.stringify(texts);
    } catch (error) {
      throw error instanceof RangeError ? fault(line, 'it is nested too deeply') : error;
    }
  };
  return {
    names,
    kinds: () => kinds,
    count: () => counter.lines,
    next: async () => {
      const rows: string[] = [];
      for (let size = 0; rows.length < maxRows && size < batchMost.bytes;) {
        const { value, done } = await objects.next();
        if (done === true) break;
        const row = rowOf(...value);
        size += row.length;
        rows.push(row);
      }
      return rows.length === 0 ? null : `[${rows.join(',')}]`;
    },
    close: async () => {
      await objects.return(undefined);
    },
  };
}

import { createHash } from 'node:crypto';
import { readSync } from 'node:fs';
import { isList, type Json } from '@inlay/contract';
import { addKinds, textOf } from '../cells/cells.ts';
import { maxColumns } from '../engine/engine.ts';
import { nextRound } from '../concurrency/turns.ts';
import type { BodyResults, BodyWork, ScanResult, SurveyResult } from './messages.ts';
import { readJson } from './read-json.ts';
import { Scan } from './scan.ts';

const pieceBytes = 1024 * 1024;
/** Maximum number of values in a row, including values nested in cells. */
const maxRowValues = 100_000;

function read(fd: number, start: number, end: number): Buffer {
  const bytes = Buffer.allocUnsafe(end - start);
  for (let bytesSoFar = 0; bytesSoFar < bytes.length;) {
    const bytesRead = readSync(fd, bytes, bytesSoFar, bytes.length - bytesSoFar, start + bytesSoFar);
    if (bytesRead === 0) throw new Error('a body is shorter than it was');
    bytesSoFar += bytesRead;
  }
  return bytes;
}

async function inPieces(fd: number, start: number, end: number, take: (piece: Buffer) => void): Promise<void> {
  for (let at = start; at < end; at += pieceBytes) {
    take(read(fd, at, Math.min(end, at + pieceBytes)));
    await nextRound();
  }
}

async function scan({ fd, bytes, maxValues, place }: Extract<BodyWork, { op: 'scan' }>): Promise<ScanResult> {
  const scanning = new Scan(maxValues, place);
  await inPieces(fd, 0, bytes, (piece) => scanning.feed(piece));
  const { key, token, list } = scanning.end();
  if (list === null) return { key, token, list };
  const hash = createHash('sha256');
  await inPieces(fd, list.start, list.end, (piece) => void hash.update(piece));
  return { key, token, list: { ...list, items: Float64Array.from(list.items), digest: hash.digest('base64url') } };
}

function text({ fd, bytes, maxValues, cut }: Extract<BodyWork, { op: 'text' }>): string {
  const contents = cut === null ? read(fd, 0, bytes) : Buffer.concat([read(fd, 0, cut[0]), read(fd, cut[1], bytes)]);
  readJson(contents, maxValues);
  return contents.toString('utf8');
}

/** Yields the items of a list. Reads several items at once from the file. */
async function* rowsOf(fd: number, items: Float64Array): AsyncGenerator<Json> {
  for (let at = 0; at < items.length;) {
    const start = items[at] ?? 0;
    let end = items[at + 1] ?? 0;
    let nextIndex = at + 2;
    while (nextIndex < items.length && (items[nextIndex + 1] ?? 0) - start <= pieceBytes) {
      end = items[nextIndex + 1] ?? 0;
      nextIndex += 2;
    }
    const bytes = read(fd, start, end);
    for (; at < nextIndex; at += 2)
      yield readJson(bytes.subarray((items[at] ?? 0) - start, (items[at + 1] ?? 0) - start), maxRowValues, 'all');
    await nextRound();
  }
}

async function survey({ fd, items, header }: Extract<BodyWork, { op: 'survey' }>): Promise<SurveyResult> {
  let names: readonly Json[] | null = null;
  const nonListRows: number[] = [];
  const widths: number[] = [];
  const kinds: number[] = [];
  let at = 0;
  for await (const row of rowsOf(fd, items)) {
    const cells = isList(row) ? row : [];
    if (!isList(row)) nonListRows.push(at);
    if (header && at === 0) names = cells;
    else {
      widths.push(cells.length);
      addKinds(kinds, cells, maxColumns);
    }
    at += 1;
  }
  return { header: names, strangers: nonListRows, widths: Uint32Array.from(widths), kinds };
}

async function batch({ fd, items, places }: Extract<BodyWork, { op: 'batch' }>): Promise<string> {
  const rows: string[] = [];
  for await (const row of rowsOf(fd, items)) {
    const cells = isList(row) ? row : [];
    rows.push(JSON.stringify(places.map((place) => textOf(cells[place] ?? null))));
  }
  return `[${rows.join(',')}]`;
}

/** Processes a request on the file of a body. Raises Problem `json_invalid`. */
export async function workOn(work: BodyWork): Promise<BodyResults[BodyWork['op']]> {
  switch (work.op) {
    case 'scan':
      return scan(work);
    case 'text':
      return text(work);
    case 'survey':
      return survey(work);
    case 'batch':
      return batch(work);
  }
}

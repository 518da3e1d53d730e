import { closeSync, openSync, readSync, statSync, truncateSync } from 'node:fs';
import { EngineProblem } from '../../engine.ts';

/** How a CSV file is written. */
export interface CsvForm {
  readonly delimiter: string;
  /** Blank lines before the first row. */
  readonly skip: number;
  readonly hasHeader: boolean;
  /** As the header has them; null where there is none. */
  readonly names: readonly string[] | null;
  readonly width: number;
}

/** The start of a file says how the rest is written: which delimiter, and whether the first line has names. */
const headBytes = 1024 * 1024;
const headRecords = 1000;

/** The first one wins where two fit alike. */
const delimiters = [',', ';', '\t', '|'];

type Record = readonly string[];

/** Records of a text, which may end within one: that is left out unless the text is `whole`. */
function recordsOf(text: string, delimiter: string, whole: boolean): readonly Record[] {
  const records: Record[] = [];
  let cells: string[] = [];
  let start = 0;
  const cell = (end: number): void => {
    const raw = text.slice(start, end);
    const quoted = /^ *"([\s\S]*)" *$/u.exec(raw)?.[1];
    cells.push(quoted === undefined ? raw : quoted.replaceAll('""', '"'));
    start = end + 1;
  };
  const record = (end: number): void => {
    const isBlank = cells.length === 0 && start === end;
    cell(end);
    if (!isBlank) records.push(cells);
    cells = [];
  };
  let isInside = false;
  for (let at = 0; at < text.length && records.length < headRecords; at += 1) {
    const sign = text[at];
    if (isInside) {
      if (sign === '"' && text[at + 1] === '"') at += 1;
      else if (sign === '"') isInside = false;
    } else if (sign === '"') isInside = text.slice(start, at).trim() === '';
    else if (sign === delimiter) cell(at);
    else if (sign === '\n' || sign === '\r') {
      record(at);
      if (sign === '\r' && text[at + 1] === '\n') start = (at += 1) + 1;
    }
  }
  if (whole && start < text.length && records.length < headRecords) record(text.length);
  return records;
}

/** How many of the records are as wide as the first one, where that has several columns. */
const fit = ([first = [], ...rest]: readonly Record[]): number =>
  first.length < 2 ? 0 : (1 + rest.filter(({ length }) => length === first.length).length) / (1 + rest.length);

const value = /^(?:[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?|true|false|\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.*)?)$/iu;
const isValue = (cell: string): boolean => value.test(cell.trim());

/** Whether the first record has names: of columns that are known, or of others than the values below them. */
function looksNamed([first = [], ...rest]: readonly Record[], known: ReadonlySet<string>): boolean {
  if (first.some((cell) => known.has(cell.trim().toLowerCase()))) return true;
  if (first.some((cell) => cell.trim() === '')) return false;
  if (!first.some(isValue)) return true;
  return first.some((cell, index) => {
    const below = rest.map((cells) => cells[index] ?? '').filter((one) => one !== '');
    return !isValue(cell) && below.length > 0 && below.every(isValue);
  });
}

function headOf(path: string): { readonly text: string; readonly whole: boolean } {
  const fd = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(headBytes);
    const read = readSync(fd, bytes, 0, headBytes, 0);
    return { text: bytes.toString('utf8', 0, read).replace(/^\uFEFF/u, ''), whole: read < headBytes };
  } finally {
    closeSync(fd);
  }
}

/** Cuts blank lines off the end of a file: of a single column, each would be read as a row. */
function cutBlankEnd(path: string): void {
  const { size } = statSync(path);
  const fd = openSync(path, 'r');
  let end = size;
  try {
    const bytes = Buffer.alloc(65_536);
    for (let isBlank = true; isBlank && end > 0;) {
      const from = Math.max(0, end - bytes.length);
      const read = readSync(fd, bytes, 0, end - from, from);
      let at = read;
      while (at > 0 && (bytes[at - 1] === 0x0a || bytes[at - 1] === 0x0d)) at -= 1;
      isBlank = at === 0;
      end = from + at;
    }
  } finally {
    closeSync(fd);
  }
  if (end > 0 && end < size) truncateSync(path, end);
}

/** Finds how a CSV file is written; `known` are columns that its rows may join. Raises EngineProblem `input` where it has no rows. */
export function csvFormOf(path: string, header: boolean | null, known: readonly string[]): CsvForm {
  const { text, whole } = headOf(path);
  let best = { delimiter: ',', records: recordsOf(text, ',', whole) };
  for (const delimiter of delimiters.slice(1)) {
    const records = recordsOf(text, delimiter, whole);
    if (fit(records) > fit(best.records)) best = { delimiter, records };
  }
  const { delimiter, records } = best;
  const [first] = records;
  if (first === undefined)
    throw new EngineProblem('input', whole ? 'the file has no rows' : 'line 1: longer than a row may be');
  if (first.length === 1) cutBlankEnd(path);
  const skip = /^(?:\r\n|\n|\r)*/u.exec(text)?.[0].replaceAll('\r\n', '\n').length ?? 0;
  const names = new Set(known.map((name) => name.toLowerCase()));
  const hasHeader = header ?? looksNamed(records, names);
  return {
    delimiter,
    skip,
    hasHeader,
    names: hasHeader ? first.map((name) => name.trim()) : null,
    width: first.length,
  };
}

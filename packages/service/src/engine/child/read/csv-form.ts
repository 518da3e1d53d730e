import { closeSync, openSync, readSync, statSync, truncateSync } from 'node:fs';
import { EngineProblem } from '../../engine.ts';
import { CsvRecords } from './csv-records.ts';

/** How a CSV file is written. */
export interface CsvForm {
  readonly delimiter: string;
  /** The byte with which the first line begins, behind a byte order mark and a line that names the delimiter for spreadsheets. */
  readonly start: number;
  /** Whether DuckDB reads what comes before `start` as part of the first row: such a line, or a mark before a quote. */
  readonly hasPreamble: boolean;
  /** Blank lines before the first row. */
  readonly skip: number;
  readonly hasHeader: boolean;
  /** Whether a first row without names is a guess that may well be wrong. */
  readonly mayHaveHeader: boolean;
  /** As the header has them; null where there is none. */
  readonly names: readonly string[] | null;
  readonly width: number;
}

/** The start of a file says how the rest is written: which delimiter, and whether the first line has names. */
const headBytes = 1024 * 1024;
const headRecords = 1000;
const pieceLength = 16_384;

/** The first one wins where two fit alike. */
const delimiters = [',', ';', '\t', '|'];

type Record = readonly string[];

/** Records of a text, which may end within one: that is left out unless the text is `whole`. */
function recordsOf(text: string, delimiter: string, whole: boolean): readonly Record[] {
  const records: Record[] = [];
  const reader = new CsvRecords(delimiter, (record) => {
    if (record.length > 0) records.push(record.map((cell) => cell ?? ''));
  });
  for (let at = 0; at < text.length && records.length < headRecords; at += pieceLength)
    reader.take(text.slice(at, at + pieceLength));
  if (whole) reader.finish();
  return records.slice(0, headRecords);
}

/** How many of the records are as wide as the first one, where that has several columns. */
const fit = ([first = [], ...rest]: readonly Record[]): number =>
  first.length < 2 ? 0 : (1 + rest.filter(({ length }) => length === first.length).length) / (1 + rest.length);

const number = String.raw`[+-]?(?:\d+(?:[.,]\d+)?|[.,]\d+|\d{1,3}(?:[.,' ]\d{3})+(?:[.,]\d+)?)(?:[eE][+-]?\d+)?`;
const day = String.raw`(?:\d{4}-\d\d-\d\d|\d{1,2}([./-])\d{1,2}\1\d{4})`;
const date = new RegExp(`^${day}$`, 'u');
const value = new RegExp(`^(?:${number}|true|false|${day}(?:[T ]\\d{1,2}:\\d\\d.*)?)$`, 'iu');
const isValue = (cell: string): boolean => value.test(cell.trim());
const isYear = (cell: string): boolean => /^[12]\d{3}$/u.test(cell.trim());
const isDate = (cell: string): boolean => date.test(cell.trim());

/** Whether years follow each other in equal steps. */
function areInSteps(cells: readonly string[]): boolean {
  const years = cells.map(Number);
  const step = (years[1] ?? 0) - (years[0] ?? 0);
  return step !== 0 && years.every((year, index) => index === 0 || year - (years[index - 1] ?? 0) === step);
}

/** Whether the values in the first record are years or dates of a header, and the rows below have others. */
function hasPeriods([first = [], ...rest]: readonly Record[]): boolean {
  const places = first.flatMap((cell, index) => (isValue(cell) ? [index] : []));
  const cells = places.map((index) => (first[index] ?? '').trim());
  if (cells.length < 2 || cells.length === first.length) return false;
  const isPeriod = cells.every(isYear) && areInSteps(cells) ? isYear : cells.every(isDate) ? isDate : null;
  return (
    isPeriod !== null &&
    new Set(cells).size === cells.length &&
    places.some((index) => !rest.every((row) => isPeriod(row[index] ?? '')))
  );
}

/** Whether the first record has names: of columns that are known, or of others than the values below them. */
function looksNamed(records: readonly Record[], known: ReadonlySet<string>): boolean {
  const [first = [], ...rest] = records;
  if (first.some((cell) => known.has(cell.trim().toLowerCase()))) return true;
  if (first.some((cell) => cell.trim() === '')) return false;
  if (!first.some(isValue) || hasPeriods(records)) return true;
  return first.some((cell, index) => {
    const below = rest.map((cells) => cells[index] ?? '').filter((one) => one !== '');
    return !isValue(cell) && below.length > 0 && below.every(isValue);
  });
}

/** Whether the first record may have names though it does not look so: it has a text, or years alone. */
const mayBeNamed = (first: Record): boolean =>
  first.some((cell) => cell.trim() !== '' && !isValue(cell)) || (first.length > 1 && first.every(isYear));

/** A line in which spreadsheets read the delimiter of the others. */
const delimiterLine = /^"?sep=([\t !#-/:-@[-^`{-~])"?(?:\r\n|\n|\r|$)/iu;

interface Head {
  readonly text: string;
  /** Whether the text is all of the file. */
  readonly whole: boolean;
  /** The byte with which it begins. */
  readonly start: number;
  readonly delimiter: string | null;
}

function headOf(path: string): Head {
  const fd = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(headBytes);
    const read = readSync(fd, bytes, 0, headBytes, 0);
    const whole = read < headBytes;
    const text = bytes.toString('utf8', 0, read);
    const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
    const [line = '', delimiter = null] = delimiterLine.exec(text.slice(mark.length)) ?? [];
    const before = `${mark}${line}`;
    return { text: text.slice(before.length), whole, start: Buffer.byteLength(before), delimiter };
  } finally {
    closeSync(fd);
  }
}

/** Cuts blank lines off the end of a file: of a single column, each would be read as a row. */
export function cutBlankEnd(path: string): void {
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
  const { text, whole, start, delimiter: named } = headOf(path);
  const [likely = ',', ...others] = named === null ? delimiters : [named];
  let best = { delimiter: likely, records: recordsOf(text, likely, whole) };
  for (const delimiter of others) {
    const records = recordsOf(text, delimiter, whole);
    if (fit(records) > fit(best.records)) best = { delimiter, records };
  }
  const { delimiter, records } = best;
  const [first] = records;
  if (first === undefined)
    throw new EngineProblem('input', whole ? 'the file has no rows' : 'line 1: longer than a row may be');
  const skip = /^(?:\r\n|\n|\r)*/u.exec(text)?.[0].replaceAll('\r\n', '\n').length ?? 0;
  const names = new Set(known.map((name) => name.toLowerCase()));
  const hasHeader = header ?? looksNamed(records, names);
  return {
    delimiter,
    start,
    skip,
    hasHeader,
    hasPreamble: named !== null || (start > 0 && text.startsWith('"')),
    mayHaveHeader: header === null && !hasHeader && mayBeNamed(first),
    names: hasHeader ? first.map((name) => name.trim()) : null,
    width: first.length,
  };
}

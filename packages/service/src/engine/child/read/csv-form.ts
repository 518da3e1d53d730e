import { closeSync, openSync, readSync, statSync, truncateSync } from 'node:fs';
import { EngineProblem } from '../../engine.ts';
import { CsvRecords } from './csv-records.ts';

/** Format of a CSV file. */
export interface CsvForm {
  readonly delimiter: string;
  /** Byte offset of the first line, after a byte order mark and a `sep=` line. */
  readonly start: number;
  /**
   * True if DuckDB would read the bytes before `start` as part of the first row: a `sep=` line, or a byte order mark
   * before a quote.
   */
  readonly hasPreamble: boolean;
  /** Number of blank lines before the first row. */
  readonly skip: number;
  readonly hasHeader: boolean;
  /** True if the first row was taken for values but may be a header. */
  readonly mayHaveHeader: boolean;
  /** Names in the header; null if there is none. */
  readonly names: readonly string[] | null;
  readonly width: number;
}

/** Number of bytes from which the delimiter and the header are detected. */
const headBytes = 1024 * 1024;
const headRecords = 1000;
const pieceLength = 16_384;

/** In order of preference: the first one is chosen if several fit equally well. */
const delimiters = [',', ';', '\t', '|'];

type Record = readonly string[];

/** Splits a text into records. Drops an incomplete last record unless `isWhole`. */
function recordsOf(text: string, delimiter: string, isWhole: boolean): readonly Record[] {
  const records: Record[] = [];
  const reader = new CsvRecords(delimiter, (record) => {
    if (record.length > 0) records.push(record.map((cell) => cell ?? ''));
  });
  for (let at = 0; at < text.length && records.length < headRecords; at += pieceLength)
    reader.take(text.slice(at, at + pieceLength));
  if (isWhole) reader.finish();
  return records.slice(0, headRecords);
}

/**
 * Returns the share of records that have as many cells as the first record; 0 if the first record has a single cell.
 */
const fit = ([first = [], ...rest]: readonly Record[]): number =>
  first.length < 2 ? 0 : (1 + rest.filter(({ length }) => length === first.length).length) / (1 + rest.length);

const number = String.raw`[+-]?(?:\d+(?:[.,]\d+)?|[.,]\d+|\d{1,3}(?:[.,' ]\d{3})+(?:[.,]\d+)?)(?:[eE][+-]?\d+)?`;
const day = String.raw`(?:\d{4}-\d\d-\d\d|\d{1,2}([./-])\d{1,2}\1\d{4})`;
const date = new RegExp(`^${day}$`, 'u');
const value = new RegExp(`^(?:${number}|true|false|${day}(?:[T ]\\d{1,2}:\\d\\d.*)?)$`, 'iu');
const isValue = (cell: string): boolean => value.test(cell.trim());
const isYear = (cell: string): boolean => /^[12]\d{3}$/u.test(cell.trim());
const isDate = (cell: string): boolean => date.test(cell.trim());

/** True if all steps between consecutive years are equal and not 0. */
function areInSteps(cells: readonly string[]): boolean {
  const years = cells.map(Number);
  const step = (years[1] ?? 0) - (years[0] ?? 0);
  return step !== 0 && years.every((year, index) => index === 0 || year - (years[index - 1] ?? 0) === step);
}

/** True if the first record has years or dates as column names, and some cells below are not years or dates. */
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

/**
 * True if the first record looks like a header: it names a known column, its cells differ in kind from those below, or
 * no cell is a value.
 */
function looksNamed(records: readonly Record[], knownNames: ReadonlySet<string>): boolean {
  const [first = [], ...rest] = records;
  if (first.some((cell) => knownNames.has(cell.trim().toLowerCase()))) return true;
  if (first.some((cell) => cell.trim() === '')) return false;
  if (!first.some(isValue) || hasPeriods(records)) return true;
  return first.some((cell, index) => {
    const cellsBelow = rest.map((cells) => cells[index] ?? '').filter((entry) => entry !== '');
    return !isValue(cell) && cellsBelow.length > 0 && cellsBelow.every(isValue);
  });
}

/** True if the first record could still be a header: it has a text, or it consists of years only. */
const mayBeNamed = (first: Record): boolean =>
  first.some((cell) => cell.trim() !== '' && !isValue(cell)) || (first.length > 1 && first.every(isYear));

/** The line `sep=`, with which spreadsheets declare the delimiter. */
const delimiterLine = /^"?sep=([\t !#-/:-@[-^`{-~])"?(?:\r\n|\n|\r|$)/iu;

interface Head {
  readonly text: string;
  /** True if the text is the complete file. */
  readonly whole: boolean;
  /** Byte offset of the text. */
  readonly start: number;
  readonly delimiter: string | null;
}

function headOf(path: string): Head {
  const fd = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(headBytes);
    const bytesRead = readSync(fd, bytes, 0, headBytes, 0);
    const isWhole = bytesRead < headBytes;
    const text = bytes.toString('utf8', 0, bytesRead);
    const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
    const [line = '', delimiter = null] = delimiterLine.exec(text.slice(mark.length)) ?? [];
    const preamble = `${mark}${line}`;
    return { text: text.slice(preamble.length), whole: isWhole, start: Buffer.byteLength(preamble), delimiter };
  } finally {
    closeSync(fd);
  }
}

/** Removes blank lines at the end of a file with a single column, which the reader would take for rows. */
export function cutBlankEnd(path: string): void {
  const { size } = statSync(path);
  const fd = openSync(path, 'r');
  let end = size;
  try {
    const bytes = Buffer.alloc(65_536);
    for (let isBlank = true; isBlank && end > 0;) {
      const from = Math.max(0, end - bytes.length);
      const bytesRead = readSync(fd, bytes, 0, end - from, from);
      let at = bytesRead;
      while (at > 0 && (bytes[at - 1] === 0x0a || bytes[at - 1] === 0x0d)) at -= 1;
      isBlank = at === 0;
      end = from + at;
    }
  } finally {
    closeSync(fd);
  }
  if (end > 0 && end < size) truncateSync(path, end);
}

/**
 * Detects the format of a CSV file. `knownNames` are the columns of the dataset that the rows may be added to. Raises
 * EngineProblem `input` if the file has no rows.
 */
export function csvFormOf(path: string, header: boolean | null, knownNames: readonly string[]): CsvForm {
  const { text, whole, start, delimiter: namedDelimiter } = headOf(path);
  const [likelyDelimiter = ',', ...others] = namedDelimiter === null ? delimiters : [namedDelimiter];
  let bestForm = { delimiter: likelyDelimiter, records: recordsOf(text, likelyDelimiter, whole) };
  for (const delimiter of others) {
    const records = recordsOf(text, delimiter, whole);
    if (fit(records) > fit(bestForm.records)) bestForm = { delimiter, records };
  }
  const { delimiter, records } = bestForm;
  const [firstRecord] = records;
  if (firstRecord === undefined)
    throw new EngineProblem('input', whole ? 'the file has no rows' : 'line 1: longer than a row may be');
  const skip = /^(?:\r\n|\n|\r)*/u.exec(text)?.[0].replaceAll('\r\n', '\n').length ?? 0;
  const names = new Set(knownNames.map((name) => name.toLowerCase()));
  const hasHeader = header ?? looksNamed(records, names);
  return {
    delimiter,
    start,
    skip,
    hasHeader,
    hasPreamble: namedDelimiter !== null || (start > 0 && text.startsWith('"')),
    mayHaveHeader: header === null && !hasHeader && mayBeNamed(firstRecord),
    names: hasHeader ? firstRecord.map((name) => name.trim()) : null,
    width: firstRecord.length,
  };
}

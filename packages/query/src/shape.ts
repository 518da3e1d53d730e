import type { Cell, OutColumn } from './cell.ts';
import { assertNever } from './problem.ts';

const day = /^(\d{4})-(\d{2})-(\d{2})$/u;
const time = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(?:Z|\+00(?::?00)?)?$/u;
const wholeTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/u;
const wholeNumber = /^-?\d+$/u;
const decimal = /^-?\d*\.\d+$/u;

function datetime(value: unknown): string {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'null' : `"${value.toISOString()}"`;
  if (typeof value !== 'string') return 'null';
  if (wholeTime.test(value)) return `"${value}"`;
  if (day.test(value)) return `"${value}T00:00:00.000Z"`;
  const [match, date, clock, fraction] = time.exec(value) ?? [];
  return match === undefined ? 'null' : `"${date}T${clock}.${(fraction ?? '').padEnd(3, '0').slice(0, 3)}Z"`;
}

/** Returns the end index of a decimal text without its trailing zeros and decimal point. */
function endOfDigits(text: string): number {
  let end = text.length;
  while (text[end - 1] === '0') end -= 1;
  return text[end - 1] === '.' ? end - 1 : end;
}

/**
 * Formats a number as JSON. Integers beyond 2^53 − 1 and decimals with more than 15 digits become strings with all
 * digits.
 */
function digits(text: string): string {
  if (wholeNumber.test(text)) return Number.isSafeInteger(Number(text)) ? String(Number(text)) : `"${BigInt(text)}"`;
  if (!decimal.test(text)) return finiteJson(Number(text));
  const bareDigits = text.slice(0, endOfDigits(text));
  const significantDigits = bareDigits.replace(/[-.]/gu, '').replace(/^0+/u, '');
  return significantDigits.length <= 15
    ? finiteJson(Number(bareDigits))
    : `"${bareDigits.replace(/^(-?)\./u, '$10.')}"`;
}

const finiteJson = (value: number): string => (Number.isFinite(value) ? JSON.stringify(value) : 'null');

function number(value: unknown, type: string): string {
  if (typeof value === 'number' && (type === 'double' || !Number.isInteger(value) || Number.isSafeInteger(value)))
    return finiteJson(value);
  if (typeof value === 'number') return Number.isFinite(value) ? digits(BigInt(value).toString()) : 'null';
  if (typeof value === 'bigint') return digits(value.toString());
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value !== 'string' || value.trim() === '') return 'null';
  return type === 'double' ? finiteJson(Number(value)) : digits(value);
}

const words = (value: unknown): string =>
  typeof value === 'string' ? value : value instanceof Date ? value.toISOString() : String(value);

/** Converts a boolean of a driver. Some databases return 1 and 0. */
const isTrue = (value: unknown): boolean =>
  value === true || value === 1 || value === '1' || value === 'true' || value === 't';

/** Writes the cell that begins at an index of a driver row as JSON text. */
type CellWriter = (row: readonly unknown[], at: number) => string;

const written =
  (write: (value: unknown) => string): CellWriter =>
  (row, at) => {
    const value = row[at];
    return value === null || value === undefined ? 'null' : write(value);
  };

function memberWriter({ separator, type }: Extract<Cell, { kind: 'member' }>, locale: string | null): CellWriter {
  const idOf = (value: unknown): string => (type === 'boolean' ? String(isTrue(value)) : words(value));
  if (locale === null) return written((value) => JSON.stringify(idOf(value)));
  const localeKey = JSON.stringify(locale);
  return written((value) => {
    const id = idOf(value);
    const idText = JSON.stringify(id);
    const start = separator === null || separator === '' ? -1 : id.lastIndexOf(separator);
    const nameText = start < 0 ? idText : JSON.stringify(id.slice(start + (separator ?? '').length));
    return `{"id":${idText},"name":{${localeKey}:${nameText}}}`;
  });
}

function binText(values: readonly unknown[], bins: number): string {
  const [part, low, high] = values.map(Number);
  if (values[0] === null || part === undefined || low === undefined || high === undefined) return 'null';
  const edge = (index: number): string => finiteJson(index === bins ? high : low + ((high - low) * index) / bins);
  return `[${edge(part)},${edge(part + 1)}]`;
}

const widthOf = ({ kind }: Cell): number => (kind === 'bin' ? 3 : 1);

function cellWriter(cell: Cell, locale: string | null): CellWriter {
  switch (cell.kind) {
    case 'member':
      return memberWriter(cell, locale);
    case 'bin':
      return (row, at) => binText(row.slice(at, at + widthOf(cell)), cell.bins);
    case 'datetime':
      return written(datetime);
    case 'number':
      return written((value) => number(value, cell.type));
    case 'boolean':
      return written((value) => (isTrue(value) ? 'true' : 'false'));
    case 'text':
      return written((value) => JSON.stringify(words(value)));
    default:
      return assertNever(cell);
  }
}

export type ShapedRows = readonly (readonly unknown[])[];

/** Returns a function that writes the cells of a row as JSON texts. If `locale` is null, a member is only its id. */
export function cellTexts(
  columns: readonly OutColumn[],
  locale: string | null,
): (row: readonly unknown[]) => readonly string[] {
  let at = 0;
  const cells = columns.map(({ cell }) => {
    const start = at;
    at += widthOf(cell);
    return { start, write: cellWriter(cell, locale) };
  });
  return (row) => cells.map(({ start, write }) => write(row, start));
}

/**
 * Formats rows of a driver as JSON in wire format: one list of cells per row, separated by commas, without outer
 * brackets. Times may be Date or text in UTC; integers and decimals may be text, bigint or number.
 */
export function shape(rows: ShapedRows, columns: readonly OutColumn[], locale: string): string {
  const textsOf = cellTexts(columns, locale);
  return rows.map((row) => `[${textsOf(row).join(',')}]`).join(',');
}

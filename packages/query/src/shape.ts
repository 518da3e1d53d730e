import type { Cell, OutColumn } from './cell.ts';
import { assertNever } from './problem.ts';

const day = /^(\d{4})-(\d{2})-(\d{2})$/u;
const time = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(?:Z|\+00(?::?00)?)?$/u;
const wholeNumber = /^-?\d+$/u;
const decimal = /^-?\d*\.\d+$/u;

function datetime(value: unknown): string {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'null' : `"${value.toISOString()}"`;
  if (typeof value !== 'string') return 'null';
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

function member(value: unknown, { separator, type }: Extract<Cell, { kind: 'member' }>, locale: string | null): string {
  const id = type === 'boolean' ? String(isTrue(value)) : words(value);
  if (locale === null) return JSON.stringify(id);
  const name = separator === null || separator === '' ? id : (id.split(separator).at(-1) ?? id);
  return `{"id":${JSON.stringify(id)},"name":{${JSON.stringify(locale)}:${JSON.stringify(name)}}}`;
}

function bin(values: readonly unknown[], bins: number): string {
  const [part, low, high] = values.map(Number);
  if (values[0] === null || part === undefined || low === undefined || high === undefined) return 'null';
  const edge = (index: number): string => finiteJson(index === bins ? high : low + ((high - low) * index) / bins);
  return `[${edge(part)},${edge(part + 1)}]`;
}

function writtenCell(cell: Cell, values: readonly unknown[], locale: string | null): string {
  const [value] = values;
  if (value === null || value === undefined) return 'null';
  switch (cell.kind) {
    case 'member':
      return member(value, cell, locale);
    case 'bin':
      return bin(values, cell.bins);
    case 'datetime':
      return datetime(value);
    case 'number':
      return number(value, cell.type);
    case 'boolean':
      return isTrue(value) ? 'true' : 'false';
    case 'text':
      return JSON.stringify(words(value));
    default:
      return assertNever(cell);
  }
}

export type ShapedRows = readonly (readonly unknown[])[];

/** Returns the cells of a row as JSON texts. If `locale` is null, a member is only its id. */
export function cellTexts(row: readonly unknown[], columns: readonly OutColumn[], locale: string | null): string[] {
  let at = 0;
  return columns.map(({ cell }) => {
    const width = cell.kind === 'bin' ? 3 : 1;
    const values = row.slice(at, at + width);
    at += width;
    return writtenCell(cell, values, locale);
  });
}

/**
 * Formats rows of a driver as JSON in wire format: one list of cells per row, separated by commas, without outer
 * brackets. Times may be Date or text in UTC; integers and decimals may be text, bigint or number.
 */
export const shape = (rows: ShapedRows, columns: readonly OutColumn[], locale: string): string =>
  rows.map((row) => `[${cellTexts(row, columns, locale).join(',')}]`).join(',');

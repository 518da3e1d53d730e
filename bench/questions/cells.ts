import { isList, isObject, member, type Json } from '@inlay/contract';

/** A cell that can be compared: a number of six significant digits, a day or another text, or null. */
export type Cell = string | number | null;

const dayLike = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(?:Z|\+00)?$/u;

/** Cuts times at midnight to their day and numbers to six significant digits. */
export function cellOf(value: string | number | boolean | null): Cell {
  if (typeof value === 'number') return Number(value.toPrecision(6));
  if (value === null) return null;
  const text = String(value);
  const [, day, time] = dayLike.exec(text) ?? [];
  return day === undefined ? text : time === '00:00' ? day : `${day} ${time}`;
}

/** Reads a cell of a data answer: a member by its id, a bin by its start. */
export function shownCell(cell: Json): Cell {
  if (isList(cell)) return shownCell(cell[0] ?? null);
  if (!isObject(cell)) return cellOf(cell);
  if (member(cell, 'others') !== undefined) return 'Others';
  return shownCell(member(cell, 'id') ?? null);
}

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
const partNumbers: ReadonlyMap<string, number> = new Map(
  [weekdays, months].flatMap((names) => names.map((name, index): [string, number] => [name, index + 1])),
);

/** What one unit of the last of six significant digits is worth. */
const lastDigit = (number: number): number => (number === 0 ? 0 : 10 ** (Math.floor(Math.log10(Math.abs(number))) - 5));

/** True if a shown cell says the same as an expected one; a weekday or month may be a number or a name. */
export function isSameCell(expected: Cell, shown: Cell): boolean {
  if (expected === shown) return true;
  if (typeof expected !== 'number') return false;
  if (typeof shown === 'number') return Math.abs(expected - shown) <= 1.01 * lastDigit(expected);
  return shown !== null && partNumbers.get(shown.toLowerCase()) === expected;
}

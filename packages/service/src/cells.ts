import { isList, isObject, type Json, type JsonObject } from '@inlay/contract';

declare global {
  /** ECMAScript 2026: raw JSON numbers. */
  interface JSON {
    rawJSON(text: string): unknown;
    parse(
      text: string,
      reviver: (this: unknown, name: string, value: Json, context: { readonly source?: string }) => Json,
    ): Json;
  }
}

/** Kinds of cells as bits: a column combines those of its cells. `any` is text that can be any kind, as in CSV. */
export const cellKinds = { text: 1, number: 2, boolean: 4, json: 8, any: 16 } as const;

const exact: unique symbol = Symbol('exact number');

/** A number that a double cannot represent, as its text. */
interface ExactNumber extends JsonObject {
  readonly number: string;
}

const exactNumber = (text: string): ExactNumber =>
  Object.defineProperties({ number: text }, { [exact]: { value: true }, toJSON: { value: () => JSON.rawJSON(text) } });

export const isExactNumber = (value: Json): value is ExactNumber => isObject(value) && Object.hasOwn(value, exact);

/** Normalizes a decimal to digits and exponent, so that equal values have equal texts. */
function plain(text: string): string {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/u.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/u, '');
  let end = digits.length;
  // No regular expression: it takes quadratic time for many zeros before another digit.
  while (digits[end - 1] === '0') end -= 1;
  const short = digits.slice(0, end);
  return short === '' ? '0' : `${sign}${short}e${Number(power) - fraction.length + digits.length - short.length}`;
}

/** A double represents numbers with at most this many characters exactly. */
const surelyExact = 15;

const isHeld = (value: number, text: string): boolean =>
  Number.isFinite(value) &&
  (Number.isSafeInteger(value) || !Number.isInteger(value)) &&
  ((text.length <= surelyExact && !/e/iu.test(text)) || plain(String(value)) === plain(text));

/** Matches text with a number that a double may not represent: many digits, or an exponent. */
const mayBeInexact = /\d[.\d]{15}|\d[eE][-+\d]/u;

const isJsonNumber = (text: string): boolean => /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/u.test(text);

/**
 * Parses a number of a workbook: spreadsheets write doubles with 17 digits, such as 1.1000000000000001 for 1.1; other
 * programs write more digits than a double has, and these are preserved. Null if the text is no number.
 */
export function sheetNumber(text: string): number | ExactNumber | null {
  const value = Number(text);
  if (!Number.isFinite(value) && !isJsonNumber(text)) return null;
  const isDouble = isHeld(value, text) || plain(value.toPrecision(17)) === plain(text);
  return isDouble || !isJsonNumber(text) ? value : exactNumber(text);
}

/** Parses JSON, preserving the text of numbers that a double cannot represent. Raises SyntaxError. */
export function parseExactly(text: string): Json {
  if (!mayBeInexact.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_name, value, { source }) =>
    typeof value === 'number' && source !== undefined && !isHeld(value, source) ? exactNumber(source) : value,
  );
}

/** The kind of a cell as a bit of `cellKinds`; 0 without a value. */
export function kindOf(cell: Json): number {
  if (cell === null) return 0;
  if (typeof cell === 'string') return cellKinds.text;
  if (typeof cell === 'boolean') return cellKinds.boolean;
  return typeof cell === 'number' || isExactNumber(cell) ? cellKinds.number : cellKinds.json;
}

/** The text of a cell; objects and lists as JSON. Raises RangeError if they are nested too deeply; null for no value. */
export function textOf(cell: Json): string | null {
  if (cell === null) return null;
  if (isExactNumber(cell)) return cell.number;
  return isObject(cell) || isList(cell) ? JSON.stringify(cell) : String(cell);
}

/** Adds the kinds of a row's cells to those of its columns, for at most `most` columns. */
export function addKinds(kinds: number[], cells: readonly Json[], maxColumns: number): void {
  const width = Math.min(cells.length, maxColumns);
  for (let place = 0; place < width; place += 1) kinds[place] = (kinds[place] ?? 0) | kindOf(cells[place] ?? null);
}

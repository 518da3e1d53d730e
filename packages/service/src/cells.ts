import { isList, isObject, type Json, type JsonObject } from '@inlay/contract';

declare global {
  /** What ECMAScript 2026 adds: numbers by their text. */
  interface JSON {
    rawJSON(text: string): unknown;
    parse(
      text: string,
      reviver: (this: unknown, name: string, value: Json, context: { readonly source?: string }) => Json,
    ): Json;
  }
}

/** What cells say of themselves, as bits: a column has those of all its cells. `any` is a text that may stand for each of them, as in CSV. */
export const cellKinds = { text: 1, number: 2, boolean: 4, json: 8, any: 16 } as const;

const exact: unique symbol = Symbol('exact number');

/** A number of a body that a double cannot hold, by its text. */
interface ExactNumber extends JsonObject {
  readonly number: string;
}

const exactNumber = (text: string): ExactNumber =>
  Object.defineProperties({ number: text }, { [exact]: { value: true }, toJSON: { value: () => JSON.rawJSON(text) } });

export const isExactNumber = (value: Json): value is ExactNumber => isObject(value) && Object.hasOwn(value, exact);

/** A decimal as its digits and the place of the last one, so that equal values have equal texts. */
function plain(text: string): string {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/u.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/u, '');
  let end = digits.length;
  // Not by a pattern: that takes quadratic time where many zeros stand before another digit.
  while (digits[end - 1] === '0') end -= 1;
  const short = digits.slice(0, end);
  return short === '' ? '0' : `${sign}${short}e${Number(power) - fraction.length + digits.length - short.length}`;
}

/** Fewer characters hold a double's digits always. */
const surelyExact = 15;

const isHeld = (value: number, text: string): boolean =>
  Number.isFinite(value) &&
  (Number.isSafeInteger(value) || !Number.isInteger(value)) &&
  ((text.length <= surelyExact && !/e/iu.test(text)) || plain(String(value)) === plain(text));

/** A text has a number that a double may not hold: one with many digits, or with an exponent. */
const mayBeInexact = /\d[.\d]{15}|\d[eE][-+\d]/u;

const isJsonNumber = (text: string): boolean => /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/u.test(text);

/**
 * A number of a workbook: spreadsheets write doubles with 17 digits, such as 1.1000000000000001 for 1.1; other programs write more
 * digits than a double holds, and these are kept. Null where the text is no number.
 */
export function sheetNumber(text: string): number | ExactNumber | null {
  const value = Number(text);
  if (!Number.isFinite(value) && !isJsonNumber(text)) return null;
  const isDouble = isHeld(value, text) || plain(value.toPrecision(17)) === plain(text);
  return isDouble || !isJsonNumber(text) ? value : exactNumber(text);
}

/** Reads JSON; numbers that a double cannot hold are kept by their text. Raises SyntaxError. */
export function parseExactly(text: string): Json {
  if (!mayBeInexact.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_name, value, { source }) =>
    typeof value === 'number' && source !== undefined && !isHeld(value, source) ? exactNumber(source) : value,
  );
}

/** What a cell is, as a bit of `cellKinds`; 0 where there is no value. */
export function kindOf(cell: Json): number {
  if (cell === null) return 0;
  if (typeof cell === 'string') return cellKinds.text;
  if (typeof cell === 'boolean') return cellKinds.boolean;
  return typeof cell === 'number' || isExactNumber(cell) ? cellKinds.number : cellKinds.json;
}

/** A cell as its text; objects and lists as JSON. Raises RangeError where they are nested too deeply. */
export function textOf(cell: Json): string | null {
  if (cell === null) return null;
  if (isExactNumber(cell)) return cell.number;
  return isObject(cell) || isList(cell) ? JSON.stringify(cell) : String(cell);
}

/** Adds what the cells of a row are to what their columns have, as far as `most`. */
export function addKinds(kinds: number[], cells: readonly Json[], most: number): void {
  const width = Math.min(cells.length, most);
  for (let place = 0; place < width; place += 1) kinds[place] = (kinds[place] ?? 0) | kindOf(cells[place] ?? null);
}

import { isObject, type Json, type JsonObject } from '@inlay/contract';

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

const exactSymbol: unique symbol = Symbol('exact number');

/** A number that a double cannot represent exactly, kept as text. */
interface ExactNumber extends JsonObject {
  readonly number: string;
}

const exactNumber = (text: string): ExactNumber =>
  Object.defineProperties(
    { number: text },
    { [exactSymbol]: { value: true }, toJSON: { value: () => JSON.rawJSON(text) } },
  );

export const isExactNumber = (value: Json): value is ExactNumber =>
  isObject(value) && Object.hasOwn(value, exactSymbol);

/** Normalizes a decimal to digits and exponent, so that equal values have equal texts. */
function plain(text: string): string {
  const [, sign = '', wholeDigits = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/u.exec(text) ?? [];
  const digits = `${wholeDigits}${fraction}`.replace(/^0+/u, '');
  let end = digits.length;
  // Avoids a regular expression, which would take quadratic time for many zeros before another digit.
  while (digits[end - 1] === '0') end -= 1;
  const significantDigits = digits.slice(0, end);
  return significantDigits === ''
    ? '0'
    : `${sign}${significantDigits}e${Number(power) - fraction.length + digits.length - significantDigits.length}`;
}

/** A double exactly represents every number of at most this many characters. */
const surelyExact = 15;

const isHeld = (value: number, text: string): boolean =>
  Number.isFinite(value) &&
  (Number.isSafeInteger(value) || !Number.isInteger(value)) &&
  ((text.length <= surelyExact && !/e/iu.test(text)) || plain(String(value)) === plain(text));

/** Matches text that contains a number which a double may not represent exactly: with many digits, or an exponent. */
const mayBeInexact = /\d[.\d]{15}|\d[eE][-+\d]/u;

const isJsonNumber = (text: string): boolean => /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/u.test(text);

/**
 * Parses a number of a workbook; null if the text is not a number. Spreadsheets write doubles with 17 digits, such as
 * 1.1000000000000001 for 1.1. Other programs write more digits than a double has; these are preserved.
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

import { isUtf8 } from 'node:buffer';
import { isList, isObject, type Json } from '@inlay/contract';
import { parseExactly } from '../cells/exact-numbers.ts';
import { jsonFaultAt, placeOf } from './json-fault.ts';
import { Problem } from '../problems/problem.ts';

export const deepest = 64;

/** Number of bytes of the body limit per allowed value, if a resource declares no limit of values. */
const bytesAValue = 16;

/** Returns the maximum number of values in a body of at most `limitBytes` bytes. */
export const valuesFor = (limitBytes: number): number => Math.floor(limitBytes / bytesAValue);

/** Bytes that have a meaning in JSON syntax. */
export const sign = {
  space: 0x20,
  quote: 0x22,
  comma: 0x2c,
  point: 0x2e,
  zero: 0x30,
  nine: 0x39,
  colon: 0x3a,
  upperE: 0x45,
  open: 0x5b,
  backslash: 0x5c,
  close: 0x5d,
  lowerE: 0x65,
  unicode: 0x75,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;
/** Maximum number of digits of an integer that a double surely represents exactly. */
const maxDigits = 15;

export const refuse = (message: string): never => {
  throw new Problem('json_invalid', { message });
};

/**
 * Maximum number of distinct member names in a body. V8 interns each name and creates a hidden class for each new
 * shape.
 */
const maxNames = 10_000;

export const tooDeep = `The body is nested more than ${deepest} deep.`;
export const tooMany = (values: number): string => `The body has more than ${values} values.`;

/** Returns the offset of the closing quote of the string that begins at `start`. */
function textEnd(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== sign.quote) at += bytes[at] === sign.backslash ? 2 : 1;
  return at;
}

/** Refuses bodies with too many distinct member names. Names are compared as written. */
function checkNames(bytes: Uint8Array): void {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const names = new Set<string>();
  let text = { start: 0, end: 0 };
  for (let at = 0; at < body.length; at += 1) {
    if (body[at] === sign.quote) {
      text = { start: at, end: textEnd(body, at) };
      at = text.end;
    } else if (body[at] === sign.colon && names.add(body.toString('latin1', text.start, text.end)).size > maxNames)
      refuse(`The body has more than ${maxNames} different names of members.`);
  }
}

/**
 * Counts depth and values (list elements and object members) before parsing and without recursion, because parsing a
 * hostile body costs more than counting. Returns true if the text has a `\u` escape, a long number or a number with an
 * exponent.
 */
function checkShape(bytes: Uint8Array, maxValues: number): boolean {
  let depth = 0;
  let values = 0;
  let members = 0;
  let digits = 0;
  let isOdd = false;
  let isFresh = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    // A list or object that is not empty has one value more than commas.
    if (isFresh && byte > sign.space) {
      isFresh = false;
      if (byte !== sign.close && byte !== sign.closeObject) values += 1;
    }
    if (byte === sign.quote) {
      for (at += 1; at < bytes.length && bytes[at] !== sign.quote; at += 1) {
        if (bytes[at] !== sign.backslash) continue;
        at += 1;
        if (bytes[at] === sign.unicode) isOdd = true;
      }
    } else if (byte >= sign.zero && byte <= sign.nine) {
      digits += 1;
      if (digits > maxDigits) isOdd = true;
      continue;
    } else if (digits > 0 && byte === sign.point) continue;
    else if (byte === sign.open || byte === sign.openObject) {
      depth += 1;
      isFresh = true;
      if (depth > deepest) refuse(tooDeep);
    } else if (byte === sign.close || byte === sign.closeObject) depth -= 1;
    else if (byte === sign.comma) values += 1;
    else if (byte === sign.colon) members += 1;
    else if (digits > 0 && (byte === sign.lowerE || byte === sign.upperE)) isOdd = true;
    digits = 0;
  }
  if (values > maxValues) refuse(tooMany(maxValues));
  if (members > maxNames) checkNames(bytes);
  return isOdd;
}

const forbiddenNames = ['__proto__', 'constructor', 'prototype'];

/** True if a text may contain a forbidden member name without escapes. */
const mayForbid = (text: string): boolean =>
  text.includes('__proto__') || text.includes('"constructor"') || text.includes('"prototype"');

function checkText(text: string): void {
  if (text.includes('\0')) refuse('The body contains the character NUL.');
  if (!text.isWellFormed()) refuse('The body contains half of a surrogate pair.');
}

function checkValues(root: Json): void {
  const pendingValues: Json[] = [root];
  for (let value = pendingValues.pop(); value !== undefined; value = pendingValues.pop()) {
    if (typeof value === 'string') checkText(value);
    else if (typeof value === 'number') {
      const isExact = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
      if (!isExact) refuse('The body contains a number that cannot be kept exactly; send it as a text.');
    } else if (isList(value)) for (const item of value) pendingValues.push(item);
    else if (isObject(value)) {
      for (const [name, item] of Object.entries(value)) {
        if (forbiddenNames.includes(name)) refuse(`The body contains a member named "${name}".`);
        checkText(name);
        pendingValues.push(item);
      }
    }
  }
}

/** Path of the list to extract: a member of a member, such as `data` in `properties`. */
export type ListPlace = readonly [string, string];

/** Parses a text and keeps the text of numbers: of all numbers, or of the numbers in the list at `place`. */
function parseExact(text: string, place: 'all' | ListPlace): Json {
  const parsedValue = parseExactly(text);
  if (place === 'all') return parsedValue;
  const [outerName, innerName] = place;
  const member = (value: Json | undefined, name: string): Json | undefined =>
    value !== undefined && isObject(value) ? value[name] : undefined;
  const list = member(member(parsedValue, outerName), innerName);
  const body: Json = JSON.parse(text);
  const container = member(body, outerName);
  return list !== undefined && isObject(body) && container !== undefined && isObject(container)
    ? { ...body, [outerName]: { ...container, [innerName]: list } }
    : body;
}

/** Maximum number of characters that are searched for a syntax error. */
const searchedLetters = 1_000_000;

/** Describes the syntax error of a body and where it is. */
function faultIn(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, searchedLetters)).toString(
    'utf8',
  );
  if (text.startsWith('\ufeff')) return 'The body begins with a byte order mark; send it without.';
  const offset = jsonFaultAt(text);
  if (offset >= text.length && bytes.byteLength > searchedLetters) return 'The body is not valid JSON.';
  const { line, column } = placeOf(text, offset);
  if (offset >= text.length) return 'The body is not valid JSON: it ends too soon.';
  const [character = ''] = text.slice(offset, offset + 2);
  return `The body is not valid JSON: line ${line}, column ${column}, unexpected ${JSON.stringify(character)}.`;
}

/**
 * Reads a JSON body. It must be UTF-8, at most 64 levels deep, with at most `maxValues` values and 10,000 distinct
 * names. It must not contain NUL, lone surrogates, `__proto__`, or numbers that a double would change. Of duplicate
 * members, the last counts. `exact` keeps the text of numbers, in one list or everywhere. Raises Problem
 * `json_invalid`.
 */
export function readJson(bytes: Uint8Array, maxValues: number, exact: 'all' | ListPlace | null = null): Json {
  const isOdd = checkShape(bytes, maxValues);
  try {
    if (!isUtf8(bytes)) return refuse('The body is not valid JSON in UTF-8.');
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
    const value: Json = !isOdd || exact === null ? JSON.parse(text) : parseExact(text, exact);
    // Checks the other rules, which require reading all parsed values. Most bodies do not need this.
    if (isOdd || mayForbid(text)) checkValues(value);
    return value;
  } catch (error) {
    if (error instanceof Problem) throw error;
    return refuse(faultIn(bytes));
  }
}

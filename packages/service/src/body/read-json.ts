import { isUtf8 } from 'node:buffer';
import { isList, isObject, type Json } from '@inlay/contract';
import { parseExactly } from '../cells/exact-numbers.ts';
import { jsonFaultAt, placeOf } from './json-fault.ts';
import { Problem } from '../problems/problem.ts';

export const deepest = 64;

/** Values of a body, where its resource does not say how many: one for so many bytes that it takes. */
const bytesAValue = 16;

/** How many values a body of at most so many bytes may have. */
export const valuesFor = (limitBytes: number): number => Math.floor(limitBytes / bytesAValue);

/** Bytes that mean something in JSON. */
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
/** A whole number of so many digits is kept exactly. */
const mostDigits = 15;

export const refuse = (message: string): never => {
  throw new Problem('json_invalid', { message });
};

/** Different names of members of a body: each is kept by the engine of JavaScript, and makes an object of another shape. */
const mostNames = 10_000;

export const tooDeep = `The body is nested more than ${deepest} deep.`;
export const tooMany = (values: number): string => `The body has more than ${values} values.`;

/** Where a text ends that begins here: the place of its closing quote. */
function textEnd(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== sign.quote) at += bytes[at] === sign.backslash ? 2 : 1;
  return at;
}

/** Refuses too many different names of members, as they are spelled. */
function checkNames(bytes: Uint8Array): void {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const names = new Set<string>();
  let text = { start: 0, end: 0 };
  for (let at = 0; at < body.length; at += 1) {
    if (body[at] === sign.quote) {
      text = { start: at, end: textEnd(body, at) };
      at = text.end;
    } else if (body[at] === sign.colon && names.add(body.toString('latin1', text.start, text.end)).size > mostNames)
      refuse(`The body has more than ${mostNames} different names of members.`);
  }
}

/**
 * Counts depth and values (elements of lists, members of objects) before parsing, without recursion: parsing a hostile body costs more than
 * counting it. Gives whether there is a character by its number, a long number or one with an exponent.
 */
function checkShape(bytes: Uint8Array, mostValues: number): boolean {
  let depth = 0;
  let values = 0;
  let members = 0;
  let digits = 0;
  let isOdd = false;
  let isFresh = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    // What is not empty has one value more than commas.
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
      if (digits > mostDigits) isOdd = true;
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
  if (values > mostValues) refuse(tooMany(mostValues));
  if (members > mostNames) checkNames(bytes);
  return isOdd;
}

const forbiddenNames = ['__proto__', 'constructor', 'prototype'];

/** Whether a text may have a member of a forbidden name that is written out. */
const mayForbid = (text: string): boolean =>
  text.includes('__proto__') || text.includes('"constructor"') || text.includes('"prototype"');

function checkText(text: string): void {
  if (text.includes('\0')) refuse('The body contains the character NUL.');
  if (!text.isWellFormed()) refuse('The body contains half of a surrogate pair.');
}

function checkValues(root: Json): void {
  const waiting: Json[] = [root];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value === 'string') checkText(value);
    else if (typeof value === 'number') {
      const exact = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
      if (!exact) refuse('The body contains a number that cannot be kept exactly; send it as a text.');
    } else if (isList(value)) for (const item of value) waiting.push(item);
    else if (isObject(value)) {
      for (const [name, item] of Object.entries(value)) {
        if (forbiddenNames.includes(name)) refuse(`The body contains a member named "${name}".`);
        checkText(name);
        waiting.push(item);
      }
    }
  }
}

/** The member of a member whose list is looked for, such as `data` in `properties`. */
export type ListPlace = readonly [string, string];

/** Reads a text whose numbers at a place, or all of them, are kept as they are. */
function exactly(text: string, place: 'all' | ListPlace): Json {
  const exact = parseExactly(text);
  if (place === 'all') return exact;
  const [outer, inner] = place;
  const member = (value: Json | undefined, name: string): Json | undefined =>
    value !== undefined && isObject(value) ? value[name] : undefined;
  const list = member(member(exact, outer), inner);
  const body: Json = JSON.parse(text);
  const held = member(body, outer);
  return list !== undefined && isObject(body) && held !== undefined && isObject(held)
    ? { ...body, [outer]: { ...held, [inner]: list } }
    : body;
}

/** Letters in which the place of a fault is looked for. */
const searchedLetters = 1_000_000;

/** What is wrong with a body that is no JSON, and where. */
function faultIn(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, searchedLetters)).toString(
    'utf8',
  );
  if (text.startsWith('\ufeff')) return 'The body begins with a byte order mark; send it without.';
  const offset = jsonFaultAt(text);
  if (offset >= text.length && bytes.byteLength > searchedLetters) return 'The body is not valid JSON.';
  const { line, column } = placeOf(text, offset);
  if (offset >= text.length) return 'The body is not valid JSON: it ends too soon.';
  const [found = ''] = text.slice(offset, offset + 2);
  return `The body is not valid JSON: line ${line}, column ${column}, unexpected ${JSON.stringify(found)}.`;
}

/**
 * Reads a JSON body: UTF-8, at most 64 deep, with so many values and 10,000 different names at most, no NUL, no half surrogate, no number that would change,
 * no `__proto__`. Of duplicate members the last counts. Numbers are kept by their text where they are `exact`: in one list, or all of them. Raises
 * Problem `json_invalid`.
 */
export function readJson(bytes: Uint8Array, mostValues: number, exact: 'all' | ListPlace | null = null): Json {
  const isOdd = checkShape(bytes, mostValues);
  try {
    if (!isUtf8(bytes)) return refuse('The body is not valid JSON in UTF-8.');
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
    const value: Json = !isOdd || exact === null ? JSON.parse(text) : exactly(text, exact);
    // What cannot be told from the text alone takes a walk through its values, which most bodies do not need.
    if (isOdd || mayForbid(text)) checkValues(value);
    return value;
  } catch (error) {
    if (error instanceof Problem) throw error;
    return refuse(faultIn(bytes));
  }
}

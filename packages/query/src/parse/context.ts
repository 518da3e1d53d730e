import { emptyListAsObject, isObject, member, oneOf, unknownWord, type Json, type JsonObject } from '@inlay/contract';

/** One thing wrong with a query, and where: `find.queries[1].where[0].expression`. */
export interface Fault {
  readonly at: string;
  readonly says: string;
}

/** What reading a query hands from function to function: where faults go, and the values of parameters by `parameterName`. */
export interface ParseContext {
  readonly fault: (at: string, says: string) => void;
  /** Of `{parameter, type, value}`: by name, over the default it carries. */
  readonly parameters: ReadonlyMap<string, Json>;
  /** What may still come of the query and of the request; none for what was stored. */
  readonly left?: readonly Budget[];
}

/** How many parts a request, or one query of it, may still have, and where too many are told. */
export interface Budget {
  readonly at: string;
  readonly of: 'request' | 'query';
  readonly left: Record<CountedPart, number>;
}

const countedParts = ['values', 'filters', 'columns'] as const;
export type CountedPart = (typeof countedParts)[number];

/** So much may all queries of a request have together, and so much one of them: each is planned in one go. specification/data-queries#how-much-may-be-asked */
const most = {
  request: { values: 50_000, filters: 2000, columns: 3000 },
  query: { values: 10_000, filters: 500, columns: 300 },
} as const satisfies Readonly<Record<string, Readonly<Record<CountedPart, number>>>>;

/** A whole budget of a request or a query. */
export const budgetOf = (of: keyof typeof most, at: string): Budget => ({ at, of, left: { ...most[of] } });

/** Takes parts from what may still come. Where too many came that is told once, and the answer is false. */
export function spend({ left = [], fault }: ParseContext, part: CountedPart, count: number): boolean {
  let enough = true;
  for (const budget of left) {
    const before = budget.left[part];
    budget.left[part] = before - count;
    if (before >= count) continue;
    enough = false;
    if (before >= 0) fault(budget.at, `must have at most ${most[budget.of][part]} ${part} in all`);
  }
  return enough;
}

const unknownMost = 100;

/** Members of an object, of which all are known; what is misspelt is never left out silently. */
export function objectWith(
  sent: Json | undefined,
  at: string,
  known: readonly string[],
  { fault }: ParseContext,
): JsonObject | null {
  const json = emptyListAsObject(sent);
  if (!isObject(json)) {
    fault(at, `must be an object {${known.slice(0, 3).join(', ')}${known.length > 3 ? ', …' : ''}}`);
    return null;
  }
  const unknown = Object.keys(json).filter((name) => !known.includes(name));
  // A body can have a million of them, and the nearest word takes a while to find.
  for (const name of unknown.slice(0, unknownMost)) fault(`${at}.${name}`, unknownWord(name, known));
  return json;
}

/** A list of at most so many, each read; what could not be read is left out, its fault told. */
export function listOf<One>(
  json: Json | undefined,
  at: string,
  most: number,
  { fault }: ParseContext,
  read: (json: Json, at: string, index: number) => One | null,
): readonly One[] {
  if (json === undefined || json === null) return [];
  if (!Array.isArray(json)) {
    fault(at, 'must be a list');
    return [];
  }
  if (json.length > most) {
    fault(at, `must have at most ${most} members`);
    return [];
  }
  return json.flatMap((one: Json, index) => {
    const found = read(one, `${at}[${index}]`, index);
    return found === null ? [] : [found];
  });
}

/** A whole number within bounds; null when absent or at fault. */
export function wholeNumber(
  object: JsonObject,
  name: string,
  at: string,
  [least, most]: readonly [number, number],
  { fault }: ParseContext,
): number | null {
  const value = member(object, name);
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
  fault(`${at}.${name}`, `must be a whole number from ${least} to ${most}`);
  return null;
}

/** A text that is not empty; null when absent (at fault when required) or at fault. */
export function text(
  object: JsonObject,
  name: string,
  at: string,
  required: boolean,
  { fault }: ParseContext,
): string | null {
  const value = member(object, name);
  if (value === undefined || value === null) {
    if (required) fault(`${at}.${name}`, 'is required');
    return null;
  }
  if (typeof value === 'string' && value !== '' && value.length <= 10_000 && !value.includes('\0')) return value;
  fault(`${at}.${name}`, value === '' ? 'must not be empty' : 'must be a text');
  return null;
}

/** One of some words; null when absent or at fault. */
export function word<Word extends string>(
  object: JsonObject,
  name: string,
  at: string,
  words: readonly Word[],
  { fault }: ParseContext,
): Word | null {
  const value = member(object, name);
  if (value === undefined || value === null) return null;
  const found = words.find((one) => one === value);
  if (found !== undefined) return found;
  fault(`${at}.${name}`, oneOf(words, value));
  return null;
}

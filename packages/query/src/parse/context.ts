import { emptyListAsObject, isObject, member, oneOf, unknownWord, type Json, type JsonObject } from '@inlay/contract';

/** A fault of a query and its path, such as `find.queries[1].where[0].expression`. */
export interface Fault {
  readonly at: string;
  readonly message: string;
}

/** State of the parser: collected faults, and parameter values by `parameterName`. */
export interface ParseContext {
  readonly fault: (at: string, message: string) => void;
  /** Values of parameters by name. They replace the defaults in the query. */
  readonly parameters: ReadonlyMap<string, Json>;
  /** Remaining budgets of the request and of the query. Undefined for stored filters, which have no budget. */
  readonly left?: readonly Budget[];
}

/** How many parts a request or query may still use. A fault at the path `at` reports that the budget is exceeded. */
export interface Budget {
  readonly at: string;
  readonly of: 'request' | 'query';
  readonly left: Record<CountedPart, number>;
}

const countedParts = ['values', 'filters', 'columns'] as const;
export type CountedPart = (typeof countedParts)[number];

/**
 * Size limits of a request and of each of its queries. specification/data-queries#how-much-may-be-asked
 */
const limits = {
  request: { values: 50_000, filters: 2000, columns: 3000 },
  query: { values: 10_000, filters: 500, columns: 300 },
} as const satisfies Readonly<Record<string, Readonly<Record<CountedPart, number>>>>;

/** Returns a full budget of a request or a query. */
export const budgetOf = (of: keyof typeof limits, at: string): Budget => ({ at, of, left: { ...limits[of] } });

/** Takes parts from all budgets. Returns false if a budget is exceeded. Reports each exceeded budget once. */
export function spend({ left: remaining = [], fault }: ParseContext, part: CountedPart, count: number): boolean {
  let isWithinBudget = true;
  for (const budget of remaining) {
    const previouslyLeft = budget.left[part];
    budget.left[part] = previouslyLeft - count;
    if (previouslyLeft >= count) continue;
    isWithinBudget = false;
    if (previouslyLeft >= 0) fault(budget.at, `must have at most ${limits[budget.of][part]} ${part} in all`);
  }
  return isWithinBudget;
}

const maxUnknown = 100;

/**
 * Returns an object; null if the value is no object. Reports unknown members, so that misspelt names are never ignored.
 */
export function objectWith(
  value: Json | undefined,
  at: string,
  knownNames: readonly string[],
  { fault }: ParseContext,
): JsonObject | null {
  const json = emptyListAsObject(value);
  if (!isObject(json)) {
    fault(at, `must be an object {${knownNames.slice(0, 3).join(', ')}${knownNames.length > 3 ? ', …' : ''}}`);
    return null;
  }
  const unknownNames = Object.keys(json).filter((name) => !knownNames.includes(name));
  // A body can have a million unknown members, and suggestions are slow.
  for (const name of unknownNames.slice(0, maxUnknown)) fault(`${at}.${name}`, unknownWord(name, knownNames));
  return json;
}

/** Reads a list of limited length; skips entries with faults. */
export function listOf<One>(
  json: Json | undefined,
  at: string,
  max: number,
  { fault }: ParseContext,
  readEntry: (json: Json, at: string, index: number) => One | null,
): readonly One[] {
  if (json === undefined || json === null) return [];
  if (!Array.isArray(json)) {
    fault(at, 'must be a list');
    return [];
  }
  if (json.length > max) {
    fault(at, `must have at most ${max} members`);
    return [];
  }
  return json.flatMap((value: Json, index) => {
    const entry = readEntry(value, `${at}[${index}]`, index);
    return entry === null ? [] : [entry];
  });
}

/** Returns a whole number within bounds; null if it is absent or faulty. */
export function wholeNumber(
  object: JsonObject,
  name: string,
  at: string,
  [minimum, maximum]: readonly [number, number],
  { fault }: ParseContext,
): number | null {
  const value = member(object, name);
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= maximum) return value;
  fault(`${at}.${name}`, `must be a whole number from ${minimum} to ${maximum}`);
  return null;
}

/** Returns a non-empty text; null if it is absent or faulty. Absence is a fault only if the text is required. */
export function text(
  object: JsonObject,
  name: string,
  at: string,
  isRequired: boolean,
  { fault }: ParseContext,
): string | null {
  const value = member(object, name);
  if (value === undefined || value === null) {
    if (isRequired) fault(`${at}.${name}`, 'is required');
    return null;
  }
  if (typeof value === 'string' && value !== '' && value.length <= 10_000 && !value.includes('\0')) return value;
  fault(`${at}.${name}`, value === '' ? 'must not be empty' : 'must be a text');
  return null;
}

/** Returns a member that must be one of several words; null if it is absent or faulty. */
export function word<Word extends string>(
  object: JsonObject,
  name: string,
  at: string,
  words: readonly Word[],
  { fault }: ParseContext,
): Word | null {
  const value = member(object, name);
  if (value === undefined || value === null) return null;
  const word = words.find((candidate) => candidate === value);
  if (word !== undefined) return word;
  fault(`${at}.${name}`, oneOf(words, value));
  return null;
}

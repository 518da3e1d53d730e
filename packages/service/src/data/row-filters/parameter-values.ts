import { isObject, parameterName, unknownWord, type Fault, type Json, type JsonObject } from '@inlay/contract';

const valueMembers = ['value', 'sticky', 'sensitive', 'clear'] as const;

/** Values of parameters: a misspelt member would leave a filter without its value. */
export function checkParameterValues(value: Json, at: string, fault: Fault): void {
  for (const [name, given] of Object.entries(isObject(value) ? value : {})) {
    if (!isObject(given)) continue;
    for (const [word, held] of Object.entries(given)) {
      if (!valueMembers.some((known) => known === word))
        fault(`${at}.${name}.${word}`, unknownWord(word, valueMembers));
      else if (word !== 'value' && typeof held !== 'boolean') fault(`${at}.${name}.${word}`, 'must be true or false');
    }
    if (given['value'] === undefined && given['clear'] !== true)
      fault(`${at}.${name}`, 'must be a value, {value, sticky?, sensitive?} or {clear: true}');
  }
}

/** Parameters that one query gives values. */
export const mostNames = 100;
const mostLetters = 255;

/** The same of values that a request gives: their names and their number are bounded. */
export function checkGivenParameters(given: JsonObject, at: string, fault: Fault): void {
  const names = Object.keys(given);
  if (names.length > mostNames) return fault(at, `must have at most ${mostNames} names`);
  for (const name of names)
    if (name === '' || name.length > mostLetters)
      fault(
        `${at}.${name.slice(0, mostLetters)}`,
        `must be the name of a parameter such as "metadata.region", at most ${mostLetters} letters`,
      );
  checkParameterValues(given, at, fault);
}

/** Values by the one name of each parameter. Where both spellings are given, the one with `metadata.` counts. */
export function byParameter<Value>(given: readonly (readonly [string, Value])[]): ReadonlyMap<string, Value> {
  const isFull = ([name]: readonly [string, Value]): boolean => parameterName(name) === name;
  const inOrder = [...given.filter((one) => !isFull(one)), ...given.filter(isFull)];
  return new Map(inOrder.map(([name, value]) => [parameterName(name), value]));
}

/** The values that are given, by name; what is cleared is none. */
export const givenValues = (given: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, one]) => {
      if (!isObject(one)) return [[name, one]];
      return one['clear'] === true ? [] : [[name, one['value'] ?? null]];
    }),
  );

/** The same values, with `null` in place of sensitive ones. */
export const withoutSensitive = (given: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(given).map(([name, one]) => [
      name,
      one !== undefined && isObject(one) && one['sensitive'] === true ? { ...one, value: null } : (one ?? null),
    ]),
  );

/** The names of values that nobody is to be shown. */
export const sensitiveNames = (given: JsonObject): readonly string[] =>
  Object.entries(given).flatMap(([name, one]) =>
    one !== undefined && isObject(one) && one['sensitive'] === true ? [name] : [],
  );

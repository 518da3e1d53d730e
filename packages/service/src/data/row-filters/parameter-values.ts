import { isObject, parameterName, unknownWord, type Fault, type Json, type JsonObject } from '@inlay/contract';

const valueMembers = ['value', 'sticky', 'sensitive', 'clear'] as const;

/**
 * Reports faults of parameter values, including unknown members: because of a misspelled member, a filter would have no
 * value.
 */
export function checkParameterValues(value: Json, at: string, fault: Fault): void {
  for (const [name, entry] of Object.entries(isObject(value) ? value : {})) {
    if (!isObject(entry)) continue;
    for (const [word, memberValue] of Object.entries(entry)) {
      if (!valueMembers.some((member) => member === word))
        fault(`${at}.${name}.${word}`, unknownWord(word, valueMembers));
      else if (word !== 'value' && typeof memberValue !== 'boolean')
        fault(`${at}.${name}.${word}`, 'must be true or false');
    }
    if (entry['value'] === undefined && entry['clear'] !== true)
      fault(`${at}.${name}`, 'must be a value, {value, sticky?, sensitive?} or {clear: true}');
  }
}

/** Maximum number of parameters that have a value in one query. */
export const maxNames = 100;
const maxCharacters = 255;

/** Reports faults of the parameter values in a request, including the length and number of names. */
export function checkGivenParameters(values: JsonObject, at: string, fault: Fault): void {
  const names = Object.keys(values);
  if (names.length > maxNames) return fault(at, `must have at most ${maxNames} names`);
  for (const name of names)
    if (name === '' || name.length > maxCharacters)
      fault(
        `${at}.${name.slice(0, maxCharacters)}`,
        `must be the name of a parameter such as "metadata.region", at most ${maxCharacters} letters`,
      );
  checkParameterValues(values, at, fault);
}

/**
 * Indexes values by the canonical name of their parameter. If both spellings of a name occur, the value of the spelling
 * with `metadata.` is used.
 */
export function byParameter<Value>(values: readonly (readonly [string, Value])[]): ReadonlyMap<string, Value> {
  const isFull = ([name]: readonly [string, Value]): boolean => parameterName(name) === name;
  const inOrder = [...values.filter((value) => !isFull(value)), ...values.filter(isFull)];
  return new Map(inOrder.map(([name, value]) => [parameterName(name), value]));
}

/** Returns parameter values by name. Omits values that have been cleared. */
export const givenValues = (values: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      if (!isObject(value)) return [[name, value]];
      return value['clear'] === true ? [] : [[name, value['value'] ?? null]];
    }),
  );

/** Replaces sensitive values by `null`. */
export const withoutSensitive = (values: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value !== undefined && isObject(value) && value['sensitive'] === true
        ? { ...value, value: null }
        : (value ?? null),
    ]),
  );

/** Returns the names of parameters whose values are sensitive. */
export const sensitiveNames = (values: JsonObject): readonly string[] =>
  Object.entries(values).flatMap(([name, value]) =>
    value !== undefined && isObject(value) && value['sensitive'] === true ? [name] : [],
  );

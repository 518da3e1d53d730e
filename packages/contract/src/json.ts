/** A value as JSON carries it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [member: string]: Json;
}

/** Whether a value is a JSON object: not null, not a list. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value is a JSON list. */
export const isList = (value: unknown): value is readonly Json[] => Array.isArray(value);

/** The member of an object when it has one of its own; never one inherited. */
export const member = (object: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** A value where it is a text (also an empty one), else `fallback`. */
export const textOr = <Fallback>(value: unknown, fallback: Fallback): string | Fallback =>
  typeof value === 'string' ? value : fallback;

/** A value where it is a text of at least one character, else null. */
export const filledText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** A value where it is an object, else an empty one. */
export const objectOr = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** An empty object where an empty list stands for one, as clients of languages with one type for both send it. */
export const emptyListAsObject = <Value>(value: Value): Value | JsonObject =>
  isList(value) && value.length === 0 ? {} : value;

/**
 * A value with an empty object in each place where the JSON Schema expects an object and an empty list was sent; the same
 * value where there is no such place. Only `type`, `properties`, `additionalProperties` and `items` of the schema are read.
 */
export function withEmptyObjects(value: Json, schema: Json | undefined): Json {
  if (!isObject(schema)) return value;
  const { type, properties, items, additionalProperties } = schema;
  const isObjectHere = type === 'object' || (isList(type) && type.includes('object'));
  if (isObjectHere) {
    const given = emptyListAsObject(value);
    if (!isObject(given)) return value;
    const known = objectOr(properties);
    const changed = Object.entries(given).flatMap(([name, held]) => {
      const inner = withEmptyObjects(held, member(known, name) ?? additionalProperties);
      return inner === held ? [] : [[name, inner] as const];
    });
    return changed.length === 0 ? given : { ...given, ...Object.fromEntries(changed) };
  }
  const holdsObjects = isObject(items) && (items['type'] === 'object' || isObject(items['properties']));
  if (!isList(value) || !holdsObjects) return value;
  const inner = value.map((one) => withEmptyObjects(one, items));
  return inner.every((one, index) => one === value[index]) ? value : inner;
}

/** A value where it is a list, else an empty one. */
export const listOr = (value: unknown): readonly Json[] => (isList(value) ? value : []);

/** A member where it is an object, else an empty one. */
export const objectIn = (of: JsonObject, name: string): JsonObject => objectOr(member(of, name));

/** A member where it is a list, else an empty one. */
export const listIn = (of: JsonObject, name: string): readonly Json[] => listOr(member(of, name));

/** The object that JSON text holds; an empty one where it holds anything else. Raises SyntaxError where it is no JSON. */
export const parseObject = (json: string): JsonObject => {
  const parsed: unknown = JSON.parse(json);
  return objectOr(parsed);
};

/** A JSON value in words: a text as it is, anything else as JSON. */
export const inWords = (value: Json | undefined): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null);

/** Whether two JSON values say the same; members in any order. */
export function sameJson(left: Json, right: Json): boolean {
  if (left === right) return true;
  if (isList(left)) {
    return (
      isList(right) && left.length === right.length && left.every((item, index) => sameJson(item, right[index] ?? null))
    );
  }
  if (!isObject(left) || !isObject(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && sameJson(left[name] ?? null, right[name] ?? null))
  );
}

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [member: string]: Json;
}

/** True for a JSON object: neither null nor a list. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isList = (value: unknown): value is readonly Json[] => Array.isArray(value);

/** Returns a member of an object. Inherited members are ignored. */
export const member = (object: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** Returns the value if it is a text, which may be empty; otherwise `fallback`. */
export const textOr = <Fallback>(value: unknown, fallback: Fallback): string | Fallback =>
  typeof value === 'string' ? value : fallback;

/** Returns the value if it is a non-empty text, otherwise null. */
export const filledText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Returns the value if it is an object, else an empty object. */
export const objectOr = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** Converts an empty list to an empty object, because some client languages write both in the same way. */
export const emptyListAsObject = <Value>(value: Value): Value | JsonObject =>
  isList(value) && value.length === 0 ? {} : value;

/**
 * Replaces empty lists by empty objects where the JSON Schema expects an object. Returns the same value if nothing is
 * replaced. Reads `type`, `properties`, `additionalProperties` and `items` of the schema.
 */
export function withEmptyObjects(value: Json, schema: Json | undefined): Json {
  if (!isObject(schema)) return value;
  const { type, properties, items, additionalProperties } = schema;
  const isObjectHere = type === 'object' || (isList(type) && type.includes('object'));
  if (isObjectHere) {
    const object = emptyListAsObject(value);
    if (!isObject(object)) return value;
    const knownProperties = objectOr(properties);
    const changedMembers = Object.entries(object).flatMap(([name, memberValue]) => {
      const newValue = withEmptyObjects(memberValue, member(knownProperties, name) ?? additionalProperties);
      return newValue === memberValue ? [] : [[name, newValue] as const];
    });
    return changedMembers.length === 0 ? object : { ...object, ...Object.fromEntries(changedMembers) };
  }
  const holdsObjects = isObject(items) && (items['type'] === 'object' || isObject(items['properties']));
  if (!isList(value) || !holdsObjects) return value;
  const innerValues = value.map((entry) => withEmptyObjects(entry, items));
  return innerValues.every((entry, index) => entry === value[index]) ? value : innerValues;
}

/** Returns the value if it is a list, else an empty list. */
export const listOr = (value: unknown): readonly Json[] => (isList(value) ? value : []);

/** Returns the member if it is an object, else an empty object. */
export const objectIn = (of: JsonObject, name: string): JsonObject => objectOr(member(of, name));

/** Returns the member if it is a list, else an empty list. */
export const listIn = (of: JsonObject, name: string): readonly Json[] => listOr(member(of, name));

/** Parses JSON. Returns an empty object if the value is not an object. Raises SyntaxError if the text is not JSON. */
export const parseObject = (json: string): JsonObject => {
  const value: unknown = JSON.parse(json);
  return objectOr(value);
};

/** Returns a JSON value for use in messages. Texts have no quotes. */
export const inWords = (value: Json | undefined): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null);

/** True if two JSON values are deeply equal. The order of members does not matter. */
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

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

/** A value where it is a list, else an empty one. */
export const listOr = (value: unknown): readonly Json[] => (isList(value) ? value : []);

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

/** A value for all varieties of a resource, or one for each. */
export type ByVariety<Value> = Value | { readonly byVariety: Readonly<Record<string, Value>> };

/** True if a declaration differs by variety. */
export const isByVariety = <Value>(
  value: ByVariety<Value>,
): value is { readonly byVariety: Readonly<Record<string, Value>> } =>
  typeof value === 'object' && value !== null && 'byVariety' in value;

/** Returns the value for a variety; undefined if the variety has none. */
export const forVariety = <Value>(value: ByVariety<Value>, variety: string | undefined): Value | undefined =>
  isByVariety(value) ? (variety === undefined ? undefined : value.byVariety[variety]) : value;

/** Returns the values for all varieties, without duplicates. */
export const ofVarieties = <Value>(value: ByVariety<Value>): readonly Value[] =>
  isByVariety(value) ? [...new Set(Object.values(value.byVariety))] : [value];

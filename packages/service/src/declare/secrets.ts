import { isObject, type Json, type JsonObject } from '@inlay/contract';
import type { Declaration } from './declaration.ts';
import { derived } from './derived.ts';
import { mask } from './properties.ts';

/** Secrets by path: a field name, or `field.member`. Null clears the stored secret. */
export type Secrets = Readonly<Record<string, string | null>>;

/** Paths of declared secrets in records of a resource: `field` or `field.member`. */
export const secretPlaces = derived((resource): readonly string[] =>
  Object.entries(resource.fields).flatMap(([name, field]) => {
    if ((field.kind === 'secret' || field.kind === 'sealed') && field.hidden !== true) return [name];
    return (field.secretMembers ?? []).map((member) => `${name}.${member}`);
  }),
);

/** Returns the value at a path. */
export const at = (record: JsonObject, place: string): Json | undefined => {
  const [field = '', member] = place.split('.');
  const value = record[field];
  if (member === undefined) return value;
  return isObject(value) && Object.hasOwn(value, member) ? value[member] : undefined;
};

/** Replaces the values at paths; skips paths whose field is not an object. */
export function withPlaces(record: JsonObject, values: Readonly<Record<string, Json>>): JsonObject {
  const changed: Record<string, Json> = { ...record };
  for (const [place, value] of Object.entries(values)) {
    const [field = '', member] = place.split('.');
    const sealed = changed[field];
    if (member === undefined) changed[field] = value;
    else if (isObject(sealed)) changed[field] = { ...sealed, [member]: value };
  }
  return changed;
}

/** Returns the secrets that properties contain, by path. */
export function carriedSecrets(resource: Declaration, set: JsonObject): Secrets {
  const carried: Record<string, string | null> = {};
  for (const place of secretPlaces(resource)) {
    const value = at(set, place);
    const field = place.split('.')[0] ?? '';
    if (typeof value === 'string' || value === null) carried[place] = value;
    else if (resource.fields[place]?.kind === 'sealed' && value !== undefined) carried[place] = JSON.stringify(value);
    else if (set[field] === null) carried[place] = null;
  }
  return carried;
}

/**
 * Returns a record for answers. Stored secrets are masked; secrets that are not stored are null.
 * specification/operations#answers
 */
export function masked(
  resource: Declaration,
  record: JsonObject,
  sealedPlaces: ReadonlySet<string>,
  further: readonly string[] = [],
): JsonObject {
  const places = [...secretPlaces(resource), ...further].filter(
    (place) => at(record, place) !== undefined || sealedPlaces.has(place),
  );
  if (places.length === 0) return record;
  return withPlaces(record, Object.fromEntries(places.map((place) => [place, sealedPlaces.has(place) ? mask : null])));
}

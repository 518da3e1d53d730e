import type { Json, JsonObject } from '@inlay/contract';
import { Problem } from '../../problems/problem.ts';
import type { Fields } from '../../declare/fields.ts';

const place = /^properties\.(\w+)(.*)$/su;

/** Converts a path in the stored properties to the path in the sent properties. */
function sentPlace(at: string, fields: Fields, sent: JsonObject): string {
  const [, name = '', inside = ''] = place.exec(at) ?? [];
  const value: Json | undefined = Object.hasOwn(sent, name) ? sent[name] : undefined;
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return value === undefined || field?.placeAsSent === undefined
    ? at
    : `properties.${name}${field.placeAsSent(value, inside)}`;
}

/**
 * Converts paths in the stored properties of a Problem to paths in the sent properties, for fields whose stored form
 * has other paths. Returns other errors unchanged.
 */
export function withSentPlaces(error: unknown, fields: Fields, sent: JsonObject | undefined): unknown {
  if (!(error instanceof Problem) || error.data.validation === undefined || sent === undefined) return error;
  const { code, validation, ...rest } = error.data;
  const named = Object.entries(validation).map(([at, faults]) => [sentPlace(at, fields, sent), faults] as const);
  return new Problem(code, { ...rest, validation: Object.fromEntries(named) });
}

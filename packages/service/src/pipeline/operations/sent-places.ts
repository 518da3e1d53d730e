import type { Json, JsonObject } from '@inlay/contract';
import { Problem } from '../../problems/problem.ts';
import type { Fields } from '../../declare/fields.ts';

const place = /^properties\.(\w+)(.*)$/su;

/** A place in the properties as they are stored, as one in the properties that were sent. */
function sentPlace(at: string, fields: Fields, sent: JsonObject): string {
  const [, name = '', inside = ''] = place.exec(at) ?? [];
  const value: Json | undefined = Object.hasOwn(sent, name) ? sent[name] : undefined;
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return value === undefined || field?.placeAsSent === undefined
    ? at
    : `properties.${name}${field.placeAsSent(value, inside)}`;
}

/** The same error; a Problem names the places of what was sent, where a field is stored in another spelling. */
export function withSentPlaces(error: unknown, fields: Fields, sent: JsonObject | undefined): unknown {
  if (!(error instanceof Problem) || error.data.validation === undefined || sent === undefined) return error;
  const { code, validation, ...rest } = error.data;
  const named = Object.entries(validation).map(([at, faults]) => [sentPlace(at, fields, sent), faults] as const);
  return new Problem(code, { ...rest, validation: Object.fromEntries(named) });
}

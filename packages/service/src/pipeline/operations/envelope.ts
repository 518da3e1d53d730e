import {
  apiVersion,
  emptyListAsObject,
  isList,
  isObject,
  isUuid,
  unknownWord,
  uuidFault,
  type Json,
  type JsonObject,
} from '@inlay/contract';
import { findMembers } from '../../search/read.ts';
import type { Faults } from '../../problems/problem.ts';
import type { Resource } from '../../resource/define.ts';

/** Allowed members of a request body. specification/operations#choosing-the-operation */
const members = [
  'key',
  'token',
  'version',
  'action',
  'properties',
  'id',
  'find',
  'resource',
  'associations',
  'explain',
] as const;

/** A request body with all its members; a member that was not sent is undefined. */
export interface Envelope {
  readonly key: string | undefined;
  readonly token: string | undefined;
  readonly action: string | undefined;
  readonly properties: JsonObject | undefined;
  readonly id: string | undefined;
  readonly find: JsonObject | undefined;
  readonly resource: { readonly role: string; readonly id: Json } | undefined;
  readonly associations: Json | undefined;
  readonly explain: Json | undefined;
  /** Members sent as null, empty object or empty list. They are ignored if the operation does not use them. */
  readonly empty: readonly string[];
}

const text = (body: JsonObject, name: string, faults: Faults): string | undefined => {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  faults.add(name, 'must be a text');
  return undefined;
};

const object = (body: JsonObject, name: string, faults: Faults): JsonObject | undefined => {
  const value = emptyListAsObject(body[name]);
  if (value === undefined || value === null) return undefined;
  if (isObject(value)) return value;
  faults.add(
    name,
    isList(value) && name === 'properties' ? 'must be an object: one record a request' : 'must be an object',
  );
  return undefined;
};

/** Checks a record id: a UUID, or a code such as `en` if the resource has codes. */
export function checkId(
  value: Json | undefined,
  at: string,
  { codes }: Pick<Resource, 'codes'>,
  faults: Faults,
): string {
  if (typeof value === 'string' && isUuid(value)) return value.toLowerCase();
  if (typeof value === 'string' && codes !== undefined && /^[A-Za-z-]{1,35}$/u.test(value)) return codes(value);
  faults.add(at, uuidFault(value));
  return '';
}

function checkResource(body: JsonObject, faults: Faults): Envelope['resource'] {
  const value = object(body, 'resource', faults);
  if (value === undefined) return undefined;
  for (const name of Object.keys(value)) {
    if (name !== 'role' && name !== 'id') faults.add(`resource.${name}`, () => unknownWord(name, ['role', 'id']));
  }
  const role = value['role'];
  if (role !== undefined && (typeof role !== 'string' || role.length > 100))
    faults.add('resource.role', 'must be a text of at most 100 characters');
  return { role: typeof role === 'string' ? role : '', id: value['id'] ?? null };
}

const isEmpty = (value: Json | undefined): boolean => {
  if (value === null) return true;
  const object = emptyListAsObject(value);
  return isObject(object) && Object.keys(object).length === 0;
};

/** Suggests where an unknown member of a body belongs: `find`, `properties`, or nowhere. */
function homeOf(name: string, { fields, served }: Resource): 'find' | 'properties' | null {
  const findProperties = served?.get?.find?.['properties'];
  const inFind =
    served === undefined ? findMembers.includes(name) : isObject(findProperties) && Object.hasOwn(findProperties, name);
  if (inFind) return 'find';
  return Object.hasOwn(fields, name) && fields[name]?.hidden !== true ? 'properties' : null;
}

function unknownMember(name: string, resource: Resource): string {
  const home = homeOf(name, resource);
  return home === null ? unknownWord(name, members) : `belongs inside "${home}"`;
}

/** True if a write is only validated. specification/operations#validation */
export const isValidation = ({ action }: { readonly action?: Json | undefined }): boolean => action === 'validate';

/** Parses the members of a body; records each fault at its path. */
export function readEnvelope(body: JsonObject, resource: Resource, faults: Faults): Envelope {
  for (const name of Object.keys(body)) {
    if (!members.some((known) => known === name)) faults.add(name, () => unknownMember(name, resource));
  }
  const version = text(body, 'version', faults);
  if (version !== undefined && version !== apiVersion) faults.add('version', `must be "${apiVersion}"`);
  return {
    key: text(body, 'key', faults),
    token: text(body, 'token', faults),
    action: text(body, 'action', faults),
    properties: object(body, 'properties', faults),
    id: text(body, 'id', faults),
    find: object(body, 'find', faults),
    // Clients repeat the properties here for validation.
    resource: isValidation(body) ? undefined : checkResource(body, faults),
    associations: body['associations'] ?? undefined,
    explain: body['explain'] ?? undefined,
    empty: members.filter((name) => isEmpty(body[name])),
  };
}

import { inWords, isList, isObject, member, type Json, type JsonObject } from '@inlay/contract';
import { Faults, Problem } from '../problems/problem.ts';
import type { Association, Operation, Resource } from '../resource/define.ts';
import { checkField, checkProperties, type Properties } from '../resource/properties.ts';
import { roleNames, storedSide, type Registry } from '../resource/registry.ts';
import type { Find } from '../search/find.ts';
import { readFind } from '../search/read.ts';
import { unknownWord } from '../spelling/suggest.ts';
import { checkId } from './envelope.ts';
import { checkLink, type LinkProperties } from './write/link-properties.ts';
import type { AuthenticatedRequest } from './authenticate.ts';

/** One association of a request, checked as far as it can be without its records. */
export interface LinkRequest {
  readonly at: string;
  readonly role: string;
  readonly association: Association;
  readonly targetId: string;
  readonly properties: LinkProperties;
}

/** What is asked for, by operation. */
export type Input =
  | { readonly kind: 'create'; readonly properties: Properties; readonly links: readonly LinkRequest[] }
  | { readonly kind: 'get'; readonly id: string; readonly find: Find }
  | { readonly kind: 'search'; readonly find: Find }
  /** A get of a served resource: its part reads `find`. */
  | { readonly kind: 'ask'; readonly find: JsonObject }
  | { readonly kind: 'update'; readonly id: string; readonly properties: Properties }
  | { readonly kind: 'delete'; readonly id: string; readonly set: JsonObject }
  | { readonly kind: 'associate'; readonly id: string; readonly link: LinkRequest }
  | { readonly kind: 'dissociate'; readonly id: string; readonly link: LinkRequest };

/** Step 3: the content is sound as far as it can be judged alone. */
export interface ValidatedRequest extends AuthenticatedRequest {
  readonly input: Input;
  /** Faults found so far; raised together with those that need the record. */
  readonly faults: Faults;
}

function linking(
  registry: Registry,
  resource: Resource,
  at: string,
  value: JsonObject,
  undo: boolean,
  faults: Faults,
): LinkRequest | undefined {
  const role = member(value, 'role');
  if (typeof role !== 'string' || role === '') {
    faults.add(`${at}.role`, 'is required: the name of an association');
    return undefined;
  }
  const found = registry.association(resource, role);
  if (found === undefined || found[1].readOnly === true) {
    const names = roleNames(resource).filter((name) => resource.associations?.[name]?.readOnly !== true);
    faults.add(`${at}.role`, unknownWord(role, names), 'association_unknown');
    return undefined;
  }
  const [name, association] = found;
  const target = registry.resource(association.to);
  const targetId = checkId(member(value, 'id'), `${at}.id`, target.codes === true, faults);
  const propertiesAt = at.startsWith('associations') ? `${at}.properties` : 'properties';
  const sent = member(value, 'properties') ?? {};
  const properties = checkLink(
    storedSide(registry, association),
    isObject(sent) ? sent : {},
    propertiesAt,
    undo,
    faults,
  );
  if (!isObject(sent)) faults.add(propertiesAt, 'must be an object');
  return { at, role: name, association, targetId, properties };
}

/** How many associations a create may come with. */
export const mostAssociations = 200;

function links(registry: Registry, resource: Resource, sent: Json | undefined, faults: Faults): readonly LinkRequest[] {
  if (sent === undefined || (isObject(sent) && Object.keys(sent).length === 0)) return [];
  if (!isList(sent) || sent.length > mostAssociations) {
    faults.add('associations', `must be a list of at most ${mostAssociations} {role, id, properties}`);
    return [];
  }
  return sent.flatMap((value, index) => {
    const at = `associations[${index}]`;
    if (!isObject(value)) {
      faults.add(at, 'must be an object {role, id, properties}');
      return [];
    }
    for (const name of Object.keys(value)) {
      if (!['role', 'id', 'properties'].includes(name))
        faults.add(`${at}.${name}`, unknownWord(name, ['role', 'id', 'properties']));
    }
    return linking(registry, resource, at, value, false, faults) ?? [];
  });
}

function deleteProperties({ deletes = {} }: Resource, sent: JsonObject, faults: Faults): JsonObject {
  const checked = Object.entries(sent).map(([name, value]): readonly [string, Json] => {
    const at = `properties.${name}`;
    const field = Object.hasOwn(deletes, name) ? deletes[name] : undefined;
    if (field === undefined) faults.add(at, unknownWord(name, Object.keys(deletes)), 'field_unknown');
    return [name, field === undefined ? null : checkField(field, value, at, faults)];
  });
  return Object.fromEntries(checked.filter(([, value]) => value !== null));
}

/** Envelope members that an operation reads; others would be silently ignored, so they are refused. */
const reads: Readonly<Record<Operation, readonly string[]>> = {
  create: ['properties', 'associations'],
  get: ['id', 'find'],
  update: ['id', 'properties'],
  delete: ['id'],
  associate: ['id', 'resource', 'properties'],
  dissociate: ['id', 'resource'],
};

/** Checks the content of a request against the declarations, noting every fault. Raises Problem: 400. */
export function validate(registry: Registry, authenticated: AuthenticatedRequest): ValidatedRequest {
  const { path, operation, envelope } = authenticated;
  const { resource } = path;
  const faults = new Faults();
  const offered =
    operation === 'associate' || operation === 'dissociate' ? resource.associations : resource.roles[operation];
  if (offered === undefined)
    throw new Problem('operation_unknown', { message: `${resource.name} has no ${operation}.` });
  for (const name of ['properties', 'associations', 'id', 'find', 'resource'] as const) {
    const isRead =
      reads[operation].includes(name) ||
      (operation === 'delete' && name === 'properties' && resource.deletes !== undefined);
    if (envelope[name] !== undefined && !isRead) faults.add(name, `is not part of ${operation}`);
  }
  const id = (): string => checkId(envelope.id, 'id', resource.codes === true, faults);
  const input = (): Input | undefined => {
    switch (operation) {
      case 'create': {
        const sent = { ...(envelope.properties ?? {}), ...alias(path.fixed, envelope.properties, faults) };
        if (envelope.properties === undefined) faults.add('properties', 'is required');
        const properties = checkProperties(resource, 'create', sent, faults);
        resource.served?.create?.check?.(properties.set, (at, says) => faults.add(`properties.${at}`, says));
        return { kind: 'create', properties, links: links(registry, resource, envelope.associations, faults) };
      }
      case 'get': {
        const { served } = resource;
        if (served !== undefined) {
          if (envelope.id !== undefined) faults.add('id', `is not part of a get on ${resource.name}`);
          if (envelope.find === undefined) faults.add('find', 'is required');
          const asked = envelope.find ?? {};
          served.get?.check?.(asked, (at, says) => faults.add(`find.${at}`, says, 'find_invalid'));
          return { kind: 'ask', find: asked };
        }
        const find = readFind(registry, resource, envelope.find ?? {}, faults);
        const fixed = Object.entries(path.fixed).map(([field, value]) => ({ field, value }));
        return envelope.id === undefined
          ? { kind: 'search', find: { ...find, fixed } }
          : { kind: 'get', id: id(), find: { ...find, fixed } };
      }
      case 'update':
        if (envelope.properties === undefined) faults.add('properties', 'is required');
        return {
          kind: 'update',
          id: id(),
          properties: checkProperties(resource, 'update', envelope.properties ?? {}, faults),
        };
      case 'delete':
        return { kind: 'delete', id: id(), set: deleteProperties(resource, envelope.properties ?? {}, faults) };
      case 'associate':
      case 'dissociate': {
        const { resource: target, properties } = envelope;
        if (target === undefined) faults.add('resource', 'is required: {role, id}');
        const undo = operation === 'dissociate';
        const sent = { ...(target ?? {}), properties: properties ?? {} };
        const link = target === undefined ? undefined : linking(registry, resource, 'resource', sent, undo, faults);
        const first = id();
        return link === undefined ? undefined : { kind: operation, id: first, link };
      }
    }
  };
  const checked = input();
  if (checked === undefined) {
    faults.raise();
    throw new Problem('body_invalid');
  }
  if (checked.kind !== 'update' && checked.kind !== 'create') faults.raise();
  return { ...authenticated, input: checked, faults };
}

/** The fields a path such as `/dashboard` fixes; sending another value is a fault. */
function alias(fixed: JsonObject, sent: JsonObject | undefined, faults: Faults): JsonObject {
  for (const [name, value] of Object.entries(fixed)) {
    const given = sent?.[name];
    if (given !== undefined && given !== value)
      faults.add(`properties.${name}`, `must be "${inWords(value)}" on this path`);
  }
  return fixed;
}

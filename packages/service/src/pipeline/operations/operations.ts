import { inWords, unknownWord, type Json, type JsonObject } from '@inlay/contract';
import type { LinkCommand, WriteInput } from '../../commands/record.ts';
import type { Faults } from '../../problems/problem.ts';
import type { Operation } from '../../declare/declaration.ts';
import type { Resource } from '../../resource/define.ts';
import { readExplain, type ExplainedParty } from '../../declare/explanation.ts';
import { checkField, checkProperties } from '../../declare/properties.ts';
import type { Path, Registry } from '../../resource/registry.ts';
import { readFind } from '../../search/read.ts';
import { checkId, type Envelope } from './envelope.ts';
import type { Input, LinkRequest } from './input.ts';
import { parentField, readLink, readLinks } from './read-links.ts';

/** A request with its operation; faults are recorded at their paths. */
export interface OperationRequest {
  readonly registry: Registry;
  readonly path: Path;
  readonly envelope: Envelope;
  readonly faults: Faults;
}

/** Parsed input of an operation. */
export interface OperationInput {
  readonly input: Input;
  /**
   * The write as plain data; null for a read. A create of a served resource counts as a write even if its handler
   * stores nothing: its fields refer to records, so the create needs rights on them.
   */
  readonly write: WriteInput | null;
}

export interface OperationRule {
  /** HTTP method of the operation; null if only the shape of the body or `action` selects it. */
  readonly method: string | null;
  /** Members of the envelope that the operation uses. Other members are refused instead of silently ignored. */
  readonly members: (resource: Resource) => readonly (keyof Envelope)[];
  /** True if faults of the request are reported together with the faults that need the stored record. */
  readonly waits: boolean;
  /** Returns the parsed input; undefined if faults leave no usable input. */
  readonly read: (request: OperationRequest) => OperationInput | undefined;
}

const idOf = ({ path: { resource }, envelope, faults }: OperationRequest): string =>
  checkId(envelope.id, 'id', resource, faults);

const linkCommand = ({ at, role, targetId, properties: { flags, set } }: LinkRequest): LinkCommand => ({
  at,
  role,
  targetId,
  flags,
  set,
});

/** Returns the fields fixed by a path such as `/dashboard`. A different value in the request is a fault. */
function fixedFields(fixed: JsonObject, sent: JsonObject | undefined, faults: Faults): JsonObject {
  for (const [name, value] of Object.entries(fixed)) {
    const sentValue = sent?.[name];
    if (sentValue !== undefined && sentValue !== value)
      faults.add(`properties.${name}`, `must be "${inWords(value)}" on this path`);
  }
  return fixed;
}

/** Converts associations of a new record to references. specification/operations#associations */
function parents(
  resource: Resource,
  links: readonly LinkRequest[],
  sent: JsonObject,
  faults: Faults,
): Readonly<Record<string, string>> {
  const filled: Record<string, string> = {};
  for (const { at, association, targetId } of links) {
    const field = parentField(resource, association);
    if (field === null || targetId === '') continue;
    const other = filled[field] ?? sent[field] ?? targetId;
    if (typeof other !== 'string' || other.toLowerCase() !== targetId)
      faults.add(`${at}.id`, `contradicts properties.${field}; name the record once`);
    filled[field] = targetId;
  }
  return filled;
}

function readCreate({ registry, path, envelope, faults }: OperationRequest): OperationInput {
  const { resource } = path;
  const named = readLinks(registry, resource, envelope.associations, faults);
  const links = named.filter(({ association }) => parentField(resource, association) === null);
  const sent = {
    ...(envelope.properties ?? {}),
    ...fixedFields(path.fixed, envelope.properties, faults),
    ...parents(resource, named, envelope.properties ?? {}, faults),
  };
  if (envelope.properties === undefined) faults.add('properties', 'is required');
  const properties = checkProperties(resource, 'create', sent, faults);
  resource.served?.create?.check?.(properties.set, (at, says) => faults.add(`properties.${at}`, says));
  const input: Input =
    resource.served === undefined
      ? { kind: 'create', properties, links }
      : { kind: 'served', operation: 'create', input: properties.set };
  return { input, write: { kind: 'create', ...properties, links: links.map(linkCommand) } };
}

/** Parses a get of a served resource. The handler of the resource parses `find`. */
function readServed({ path: { resource }, envelope, faults }: OperationRequest): OperationInput {
  if (envelope.id !== undefined) faults.add('id', `is not part of a get on ${resource.name}`);
  if (envelope.find === undefined) faults.add('find', 'is required');
  const find = envelope.find ?? {};
  resource.served?.get?.check?.(find, (at, says) => faults.add(`find.${at}`, says, 'find_invalid'));
  return { input: { kind: 'served', operation: 'get', input: find }, write: null };
}

const membersOfGet = ({ explainedTo }: Resource): readonly (keyof Envelope)[] =>
  explainedTo === undefined ? ['id', 'find'] : ['id', 'find', 'explain'];

/** Reads whose access a get asks to have explained; null if it does not ask. */
function explainedBy({ path: { resource }, envelope, faults }: OperationRequest): ExplainedParty | null {
  const { explain, id, find } = envelope;
  if (explain === undefined || resource.explainedTo === undefined) return null;
  if (id === undefined) faults.add('explain', 'is only part of a get by id');
  // Explaining takes longer than the snapshot in which a record and its includes are read.
  if (find?.['include'] !== undefined) faults.add('find.include', 'is not part of a get with explain', 'find_invalid');
  return readExplain(explain, (at, says) => faults.add(at, says)) ?? null;
}

function readGet(request: OperationRequest): OperationInput {
  const { registry, path, envelope, faults } = request;
  if (path.resource.served !== undefined) return readServed(request);
  // Prevents a program that lacks an id from reading all records.
  if (envelope.id === undefined && envelope.empty.includes('id') && envelope.find === undefined)
    faults.add('id', 'must be a UUID, not null; leave it out to search');
  const fixed = Object.entries(path.fixed).map(([field, value]) => ({ field, value }));
  const find = { ...readFind(registry, path.resource, envelope.find ?? {}, faults), fixed };
  if (envelope.id !== undefined)
    for (const name of Object.keys(envelope.find ?? {}))
      if (name !== 'include' && name !== 'attributes')
        faults.add(`find.${name}`, 'is not part of a get by id, which takes include and attributes', 'find_invalid');
  const explain = explainedBy(request);
  const input: Input =
    envelope.id === undefined ? { kind: 'search', find } : { kind: 'get', id: idOf(request), find, explain };
  return { input, write: null };
}

function readUpdate(request: OperationRequest): OperationInput {
  const { path, envelope, faults } = request;
  if (envelope.properties === undefined) faults.add('properties', 'is required');
  const id = idOf(request);
  const properties = checkProperties(path.resource, 'update', envelope.properties ?? {}, faults);
  return { input: { kind: 'update', id, properties }, write: { kind: 'update', id, ...properties } };
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

function readDelete(request: OperationRequest): OperationInput {
  const { path, envelope, faults } = request;
  const id = idOf(request);
  const input = {
    kind: 'delete',
    id,
    set: deleteProperties(path.resource, envelope.properties ?? {}, faults),
  } as const;
  return { input, write: input };
}

const readAssociation =
  (kind: 'associate' | 'dissociate') =>
  (request: OperationRequest): OperationInput | undefined => {
    const { registry, path, envelope, faults } = request;
    const { resource: target, properties = {} } = envelope;
    if (target === undefined) faults.add('resource', 'is required: {role, id}');
    const link =
      target === undefined
        ? undefined
        : readLink(registry, path.resource, 'resource', { ...target, properties }, kind === 'dissociate', faults);
    const id = idOf(request);
    return link === undefined ? undefined : { input: { kind, id, link }, write: { kind, id, link: linkCommand(link) } };
  };

/** How each operation parses a request and derives its write. specification/operations#choosing-the-operation */
export const operations: Readonly<Record<Operation, OperationRule>> = {
  create: { method: null, members: () => ['properties', 'associations'], waits: true, read: readCreate },
  get: { method: 'SEARCH', members: membersOfGet, waits: false, read: readGet },
  update: { method: 'PATCH', members: () => ['id', 'properties'], waits: true, read: readUpdate },
  delete: {
    method: 'DELETE',
    members: ({ deletes }) => (deletes === undefined ? ['id'] : ['id', 'properties']),
    waits: false,
    read: readDelete,
  },
  associate: {
    method: 'LINK',
    members: () => ['id', 'resource', 'properties'],
    waits: false,
    read: readAssociation('associate'),
  },
  dissociate: {
    method: 'UNLINK',
    members: () => ['id', 'resource'],
    waits: false,
    read: readAssociation('dissociate'),
  },
};

import { apiVersion, type Json, type JsonObject } from '@inlay/contract';
import { maxAssociations } from '../pipeline/operations/read-links.ts';
import { explainShape } from '../declare/explanation.ts';
import type { Resource } from '../resource/define.ts';
import { componentOf, deleteSchema, openAssociations, schemaRef, shownFields } from './schema.ts';
import { roleFor, type OperationName } from './describe.ts';

/** A path of the API: the resource, and the variety that an alias fixes. */
export interface DescribedPath {
  readonly path: string;
  readonly resource: Resource;
  readonly variety: string | undefined;
}

const exampleId = '01890a5d-ac96-774b-bcce-b302099a8057';
const uuid: JsonObject = { type: 'string', format: 'uuid' };

/** Members of every body. Credentials in a body are described in `withCredentials`. */
const envelope: JsonObject = { version: { const: apiVersion } };

/** Any body that contains credentials. */
export const withCredentials: JsonObject = {
  description:
    'Any of the other bodies with `key` and `token` beside its members, in place of the Authorization header. Sending both with different credentials is a 400.',
  type: 'object',
  properties: {
    key: { ...uuid, description: 'Key, where there is no Authorization header.' },
    token: { type: 'string', description: 'Token, where there is no Authorization header.' },
  },
  required: ['key', 'token'],
  additionalProperties: true,
};

const actionOf = (operation: OperationName): JsonObject =>
  operation === 'search' ? { enum: ['search', 'get'] } : { const: operation };

/** Returns the members of an operation's body. All are required, except those that are listed as optional. */
function membersOf(
  operation: OperationName,
  { path, resource, variety }: DescribedPath,
): [Record<string, Json>, readonly string[]] {
  const name = componentOf(path);
  const id: JsonObject = uuid;
  const roles = openAssociations(resource, variety).map(([role]) => role);
  const target: JsonObject = {
    type: 'object',
    properties: { role: { enum: roles }, id: uuid },
    required: ['role', 'id'],
    additionalProperties: false,
  };
  const associations = {
    associations: { type: 'array', maxItems: maxAssociations, items: schemaRef(`${name}Association`) },
  };
  switch (operation) {
    case 'create':
      return [
        { properties: schemaRef(`${name}Create`), ...(roles.length === 0 ? {} : associations) },
        ['associations'],
      ];
    case 'get':
      return resource.served === undefined
        ? [
            {
              id,
              find: schemaRef(`${name}Find`),
              ...(resource.explainedTo === undefined ? {} : { explain: explainShape }),
            },
            ['find', 'explain'],
          ]
        : [{ find: schemaRef(`${name}Find`) }, []];
    case 'search':
      return [{ find: schemaRef(`${name}Find`) }, ['find']];
    case 'update':
      return [{ id, properties: schemaRef(`${name}Update`) }, []];
    case 'validate':
      return roleFor(resource, 'update') === undefined
        ? [{ properties: schemaRef(`${name}Create`) }, []]
        : [{ id, properties: { anyOf: [schemaRef(`${name}Create`), schemaRef(`${name}Update`)] } }, ['id']];
    case 'delete':
      return resource.deletes === undefined
        ? [{ id }, []]
        : [{ id, properties: deleteSchema(resource) }, ['properties']];
    case 'associate':
      return [{ id, resource: target, properties: schemaRef(`${name}Link`) }, ['properties']];
    case 'dissociate':
      return [{ id, resource: target }, []];
  }
}

const namedOperations: readonly OperationName[] = ['create', 'search', 'update', 'dissociate'];

/** True if the members of a body identify its operation, so that `action` may be omitted. */
export const isNamed = (operation: OperationName): boolean => namedOperations.includes(operation);

/** Returns the schema of an operation's body. `action` may be omitted if the members or the HTTP method imply it. */
export function requestSchema(
  operation: OperationName,
  described: DescribedPath,
  isUnderstood = isNamed(operation),
): JsonObject {
  const [members, optional] = membersOf(operation, described);
  return {
    type: 'object',
    description: `Body of ${operation} on ${described.path}.`,
    properties: { action: actionOf(operation), ...members, ...envelope },
    required: [...(isUnderstood ? [] : ['action']), ...Object.keys(members).filter((name) => !optional.includes(name))],
    additionalProperties: false,
  };
}

/** Returns the part of the example that can be updated. If there is none, returns the first plain field. */
function updateExample({ resource, variety }: DescribedPath): JsonObject {
  const openFields = Object.entries(resource.example).filter(([name]) => {
    const accept = resource.fields[name]?.accept;
    if (accept === undefined || name === resource.variety?.field) return false;
    const names = 'byVariety' in accept ? (accept.byVariety[variety ?? ''] ?? []) : accept;
    return names.includes('update');
  });
  return Object.fromEntries(openFields.slice(0, 1));
}

function createExample({ resource, variety }: DescribedPath): JsonObject {
  const { variety: declared, example } = resource;
  return variety === undefined || declared === undefined ? example : { ...example, [declared.field]: variety };
}

/** Returns the field that sorts records by creation. Ids also sort by time. */
const newestFirst = ({ resource }: DescribedPath): string =>
  shownFields(resource).some(([name]) => name === 'created_at') ? 'created_at' : 'id';

export function requestExample(operation: OperationName, described: DescribedPath): JsonObject {
  const id = exampleId;
  const [firstAssociation] = openAssociations(described.resource, described.variety);
  const role = firstAssociation?.[0] ?? '';
  const flagProperties =
    firstAssociation?.[1].levels === undefined
      ? {}
      : { properties: { [Object.keys(firstAssociation[1].levels.flags)[0] ?? '']: true } };
  switch (operation) {
    case 'create':
      return { action: operation, properties: createExample(described) };
    case 'get': {
      const { served } = described.resource;
      return served === undefined ? { action: operation, id } : { action: operation, find: served.get?.example ?? {} };
    }
    case 'search':
      return { action: operation, find: { order: [[newestFirst(described), 'desc']], limit: 20 } };
    case 'update':
      return { action: operation, id, properties: updateExample(described) };
    case 'validate':
      return { action: operation, properties: createExample(described) };
    case 'delete':
      return { action: operation, id };
    case 'associate':
      return { action: operation, id, resource: { role, id: exampleId }, ...flagProperties };
    case 'dissociate':
      return { action: operation, id, resource: { role, id: exampleId } };
  }
}

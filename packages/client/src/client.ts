import type { JsonObject } from '@inlay/contract';
import type { Resources } from './records.ts';
import type { Transport } from './transport.ts';

export type ResourceName = keyof Resources;

type RecordOf<Name extends ResourceName> = Resources[Name]['record'];

/**
 * A record that a search found. It has the requested attributes, and the included records by the name of their
 * association.
 */
export type FoundRecord<Name extends ResourceName> = Partial<RecordOf<Name>> & {
  readonly id: string;
  readonly [name: string]: unknown;
};

/** A search. If `limit` is not set, it returns at most 1,000 records. specification/search */
export interface Find {
  readonly where?: JsonObject;
  readonly search?: JsonObject;
  readonly include?: readonly JsonObject[];
  readonly attributes?: readonly string[];
  readonly order?: readonly (readonly [field: string, direction: 'asc' | 'desc'])[];
  readonly limit?: number;
  readonly offset?: number;
}

/** The record at the other end of a link. `role` is the role of the association. */
// A type alias: TypeScript does not accept an interface as JSON.
export type LinkedRecord = { readonly role: string; readonly id: string };

/** A resource of records whose access is explained. */
export type ExplainedResource = {
  [Name in ResourceName]: 'explanation' extends keyof Resources[Name] ? Name : never;
}[ResourceName];

type Explanation = Resources[ExplainedResource]['explanation'];

/** Whose access is explained. */
export type ExplainedParty = { readonly user_id: string } | { readonly authorization_id: string };

/** The typed calls for all resources. A failed call raises Failure. */
export interface Client {
  readonly transport: Transport;
  get<Name extends ResourceName>(resource: Name, id: string): Promise<RecordOf<Name>>;
  search<Name extends ResourceName>(resource: Name, find?: Find): Promise<readonly FoundRecord<Name>[]>;
  /**
   * Yields all records that match a search, ordered by id. Requests 1,000 records at a time. Between these requests, do
   * not change records so that they no longer match the search.
   */
  all<Name extends ResourceName>(
    resource: Name,
    find?: Pick<Find, 'where' | 'search' | 'include' | 'attributes'>,
  ): AsyncGenerator<FoundRecord<Name>, void, undefined>;
  create<Name extends ResourceName>(
    resource: Name,
    properties: Resources[Name]['create'],
    associations?: readonly LinkedRecord[],
  ): Promise<Resources[Name]['created']>;
  update<Name extends ResourceName>(
    resource: Name,
    id: string,
    properties: Resources[Name]['update'],
  ): Promise<RecordOf<Name>>;
  delete(resource: ResourceName, id: string): Promise<void>;
  associate(resource: ResourceName, id: string, linked: LinkedRecord, properties?: JsonObject): Promise<void>;
  dissociate(resource: ResourceName, id: string, linked: LinkedRecord): Promise<void>;
}

const pageSize = 1000;

export function createClient(transport: Transport): Client {
  const search = async <Name extends ResourceName>(resource: Name, find: Find = {}) => {
    const body = { action: 'search', find: { ...find, count: false } };
    return (await transport.call<{ readonly rows: readonly FoundRecord<Name>[] }>(resource, body)).rows;
  };
  return {
    transport,
    search,
    get: (resource, id) => transport.call(resource, { action: 'get', id }),
    all: async function* (resource, find) {
      for (let offset = 0; ; offset += pageSize) {
        const rows = await search(resource, { ...find, order: [['id', 'asc']], limit: pageSize, offset });
        yield* rows;
        if (rows.length < pageSize) return;
      }
    },
    create: (resource, properties, associations = []) =>
      transport.call(resource, { action: 'create', properties, associations }),
    update: (resource, id, properties) => transport.call(resource, { action: 'update', id, properties }),
    delete: async (resource, id) => void (await transport.call(resource, { action: 'delete', id })),
    associate: async (resource, id, target, properties = {}) =>
      void (await transport.call(resource, { action: 'associate', id, resource: target, properties })),
    dissociate: async (resource, id, target) =>
      void (await transport.call(resource, { action: 'dissociate', id, resource: target })),
  };
}

/**
 * Explains what a person or token may do with a record, and why. Raises Failure. Not part of the client, so that pages
 * that do not use it need not load it. specification/rights#explanations
 */
export async function explain(
  { transport }: Pick<Client, 'transport'>,
  resource: ExplainedResource,
  id: string,
  party: ExplainedParty,
): Promise<Explanation> {
  const body = { action: 'get', id, find: { attributes: ['id'] }, explain: party };
  return (await transport.call<{ readonly explanation: Explanation }>(resource, body)).explanation;
}

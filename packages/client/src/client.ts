import type { JsonObject } from '@inlay/contract';
import type { Resources } from './records.ts';
import type { Transport } from './transport.ts';

/** The name of a resource. */
export type ResourceName = keyof Resources;

type RecordOf<Name extends ResourceName> = Resources[Name]['record'];

/** A record as a search returns it: the attributes that were asked for, and included records by their names. */
export type FoundRecord<Name extends ResourceName> = Partial<RecordOf<Name>> & {
  readonly id: string;
  readonly [name: string]: unknown;
};

/** A search. Without `limit` it returns at most 1,000 records. specification/search */
export interface Find {
  readonly where?: JsonObject;
  readonly search?: JsonObject;
  readonly include?: readonly JsonObject[];
  readonly attributes?: readonly string[];
  readonly order?: readonly (readonly [field: string, direction: 'asc' | 'desc'])[];
  readonly limit?: number;
  readonly offset?: number;
}

/** The other record of a link, and the role of the association. */
// A type, since values of an interface are no JSON to TypeScript.
export type LinkedRecord = { readonly role: string; readonly id: string };

/** The calls that every resource has, with the types of its records. Each raises Failure. */
export interface Client {
  readonly transport: Transport;
  get<Name extends ResourceName>(resource: Name, id: string): Promise<RecordOf<Name>>;
  search<Name extends ResourceName>(resource: Name, find?: Find): Promise<readonly FoundRecord<Name>[]>;
  /** All records of a search in the order of their ids, one request for each 1,000. Change none that the search would then leave out. */
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

/** A client that sends its calls through a transport. */
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
    associate: async (resource, id, linked, properties = {}) =>
      void (await transport.call(resource, { action: 'associate', id, resource: linked, properties })),
    dissociate: async (resource, id, linked) =>
      void (await transport.call(resource, { action: 'dissociate', id, resource: linked })),
  };
}

import { isObject, isUuid, unknownWord, type Fault, type Json, type JsonObject } from '@inlay/contract';

/** Connection members of an account that a token may override. */
const members = ['host', 'port', 'scope', 'identifier', 'token', 'properties'] as const;

const text: JsonObject = { type: ['string', 'null'] };

/** JSON schema of connections by account id. */
export const overridesShape: JsonObject = {
  type: 'object',
  propertyNames: { format: 'uuid' },
  additionalProperties: {
    type: 'object',
    properties: {
      ...Object.fromEntries(members.map((name) => [name, text])),
      properties: { type: ['object', 'null'] },
    },
    additionalProperties: false,
  },
};

const aliases = { user: 'identifier', password: 'token', database: 'scope' } as const;
const ofProperties = ['schema', 'base_url'] as const;

/**
 * Normalizes overrides: aliases become field names of an account, and properties outside `properties` are merged into
 * it.
 */
export const overridesAsStored = (value: Json): Json =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([id, connection]) => [id, isObject(connection) ? renamed(connection) : connection]),
      )
    : value;

function renamed(connection: JsonObject): JsonObject {
  const entries = Object.entries(connection);
  const extra = entries.filter(([name]) => ofProperties.some((known) => known === name));
  const named = entries
    .filter(([name]) => !ofProperties.some((known) => known === name))
    .map(([name, value]) => {
      const alias = Object.entries(aliases).find(([word]) => word === name)?.[1];
      return [alias !== undefined && !Object.hasOwn(connection, alias) ? alias : name, value] as const;
    });
  const { properties = {} } = connection;
  return {
    ...Object.fromEntries(named),
    ...(extra.length === 0 || !isObject(properties)
      ? {}
      : { properties: { ...properties, ...Object.fromEntries(extra) } }),
  };
}

/** Checks every member, since a misspelt member would silently leave the account's own connection in use. */
export function checkOverrides(value: Json, at: string, fault: Fault): void {
  if (!isObject(value)) return;
  for (const [id, connection] of Object.entries(value)) {
    const place = `${at}.${id}`;
    if (!isUuid(id)) fault(place, 'must be the id of an account');
    if (!isObject(connection)) {
      fault(place, 'must be an object');
      continue;
    }
    for (const [name, setting] of Object.entries(connection)) {
      if (name === 'datasets')
        fault(
          `${place}.datasets`,
          'is not known: a token replaces the connection of an account, not the tables of its datasets; use "scope" for another database and "properties.schema" for another schema',
        );
      else if (!members.some((known) => known === name)) fault(`${place}.${name}`, unknownWord(name, members));
      else if (name === 'properties' ? !isObject(setting) : typeof setting !== 'string')
        if (setting !== null) fault(`${place}.${name}`, name === 'properties' ? 'must be an object' : 'must be a text');
    }
  }
}

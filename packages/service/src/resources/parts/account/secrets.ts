import { isObject, type Json, type JsonObject } from '@inlay/contract';
import { mask } from '../../../declare/properties.ts';
import type { Rule } from '../../../resource/rules.ts';
import { sql } from '../../../store/sql.ts';
import type { Reader } from '../../../store/store.ts';

const reached = ['host', 'port', 'provider', 'plugin_id'] as const;
const isTls = (property: string): boolean => /^(?:ssl|tls)/iu.test(property);

const tlsOf = (record: JsonObject): string =>
  JSON.stringify(Object.entries(record['properties'] ?? {}).filter(([name]) => isTls(name)));

/**
 * True if the changed account would connect to another host or in another way, so that its stored secrets must not be
 * sent.
 */
export const leadsElsewhere = (before: JsonObject, after: JsonObject): boolean =>
  reached.some((name) => (before[name] ?? null) !== (after[name] ?? null)) || tlsOf(before) !== tlsOf(after);

/** Returns the paths of an account that have a stored secret, which are those that show the mask. */
function heldPlaces(record: JsonObject): readonly string[] {
  const properties = record['properties'] ?? null;
  const members = isObject(properties) ? Object.entries(properties) : [];
  return [
    ...Object.entries(record).flatMap(([name, value]) => (value === mask ? [name] : [])),
    ...members.flatMap(([name, value]) => (value === mask ? [`properties.${name}`] : [])),
  ];
}

/**
 * Deletes stored secrets, since a secret must never be sent to a host it was not entered for.
 * specification/resources#account
 */
export const forgetSecretsOnMove: Rule = {
  name: 'forget-token-on-move',
  on: ['update'],
  description:
    'Changing host, port, provider, plugin or a TLS property deletes the stored token and every other stored secret, unless the same request contains new ones.',
  run: async ({ before, after }) =>
    before !== null && leadsElsewhere(before, after) ? { forget: heldPlaces(before) } : undefined,
};

/** Returns the names of the settings that a plugin declares secret. `declared`: the plugin's stored `properties`. */
const declaredSecrets = (declared: Json | undefined): readonly string[] =>
  Object.entries(declared !== undefined && isObject(declared) ? declared : {}).flatMap(([name, setting]) =>
    isObject(setting) && setting['secret'] === true ? [name] : [],
  );

/** Returns the secrets of an account that its plugin declares: secret settings, and the code of an oauth2 plugin. */
export async function secretsOfPlugin(record: JsonObject, reader: Reader): Promise<readonly string[]> {
  const id = record['plugin_id'];
  if (typeof id !== 'string') return [];
  const [row] = await reader.rows(sql`select record from plugin where id = ${id}`);
  const plugin: Json = typeof row?.['record'] === 'string' ? JSON.parse(row['record']) : {};
  if (!isObject(plugin)) return [];
  const members = declaredSecrets(plugin['properties']).map((name) => `properties.${name}`);
  return plugin['authorize'] === 'oauth2' ? [...members, 'code'] : members;
}

/**
 * Replaces the code by the result of its exchange, and stores the address for the person's consent in the properties.
 */
export const keepAuthorization: Rule = {
  name: 'keep-authorization',
  on: ['create', 'update'],
  description:
    'The plugin’s response to a code is stored as the credentials of the account. If the plugin needs a person’s consent, `properties.auth_url` is the URL for it.',
  run: async ({ after, prepared }) => {
    const { authUrl, exchanged } = prepared;
    const properties = after['properties'] ?? null;
    const { auth_url: _before, ...others } = isObject(properties) ? properties : {};
    if (typeof authUrl === 'string') return { record: { properties: { ...others, auth_url: authUrl } } };
    if (exchanged === undefined || !isObject(exchanged)) return undefined;
    const { token, ...fields } = exchanged;
    const secrets = typeof token === 'string' ? { token } : {};
    return { record: { ...fields, properties: others, invalid: false }, secrets };
  },
};

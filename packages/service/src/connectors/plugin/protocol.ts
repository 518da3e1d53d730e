import type { Json, JsonObject } from '@inlay/contract';

/**
 * The user for whom a plugin is called. Members are null if unknown, for example for an embed token without a person.
 */
export interface PluginUser {
  readonly id: string | null;
  readonly name: string | null;
  readonly email: string | null;
}

/** A registered plugin. Its secret is in plain text. */
export interface PluginTarget {
  /** Slug of the plugin, which every problem mentions. */
  readonly name: string;
  readonly baseUrl: string;
  /** Protocol version, such as `2.0.0`. */
  readonly protocolVersion: string;
  /** True if the plugin can aggregate and filter. */
  readonly pushdown: boolean;
  readonly secret: string | null;
}

/**
 * A plugin with the values that are sent in every call. Secrets are in plain text.
 * specification/plugin-protocol#requests
 */
export interface PluginReach extends PluginTarget {
  readonly host: string | null;
  readonly key: string | null;
  readonly token: string | null;
  readonly properties: JsonObject;
  readonly user: PluginUser;
}

/** Names of the levels of a time, in the order of the level numbers 1, 2, …. */
export const levelWords = [
  ...(['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second', 'millisecond'] as const),
] as const;
export type LevelWord = (typeof levelWords)[number];

export const pushedAggregations = ['sum', 'min', 'max', 'count', 'distinctcount'] as const;
export type PushedAggregation = (typeof pushedAggregations)[number];

/**
 * Filter expressions that are sent to plugins. The protocol also has `<>`, which is never sent, because it does not
 * define how `<>` treats nulls. specification/plugin-protocol#answers
 */
const pushedExpressions = ['=', '<', '>', '<=', '>=', 'in', 'not in', 'is null', 'is not null'] as const;
export type PushedExpression = (typeof pushedExpressions)[number];

export interface PluginFilter {
  readonly column_id: string;
  readonly expression: PushedExpression;
  readonly value: readonly (string | number | boolean | null)[];
}

export interface PluginColumnRef {
  /** Id of a column; `*` to count rows. */
  readonly column_id: string;
  readonly level?: LevelWord;
  readonly aggregation?: PushedAggregation;
}

/**
 * A query to a plugin. It requests all columns of a table in the plugin's order, or, with pushdown, groups of the
 * listed columns.
 */
export interface PluginQuery {
  readonly id: string;
  readonly columns: readonly PluginColumnRef[];
  readonly filters: readonly PluginFilter[];
  readonly options: { readonly pushdown: boolean };
}

/** An HTTP request to a plugin, as plain data. */
export interface PluginCall {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** True if a name can be part of an HTTP header, as the names of properties are. */
export const isPropertyName = (name: string): boolean => /^[a-zA-Z0-9_-]{1,64}$/u.test(name);

/**
 * Returns the properties of an account that are sent to its plugin. Omits `auth_url`, which the plugin itself has
 * provided.
 */
export function settingsOf({ auth_url: _said, ...settings }: JsonObject): JsonObject {
  return settings;
}

/**
 * Encodes a value for an HTTP header. Everything except printable ASCII is percent-encoded as UTF-8, which prevents
 * header injection.
 */
export const headerValue = (value: Json): string =>
  (typeof value === 'string' ? value : JSON.stringify(value))
    .toWellFormed()
    .replace(/[^\x20-\x7e]|^\x20|\x20$/gu, encodeURIComponent);

function headersOf({ secret, host, key, token, properties }: PluginReach): Record<string, string> {
  const credentialHeaders = Object.entries({ 'X-Secret': secret, 'X-Host': host, 'X-Key': key, 'X-Token': token });
  const propertyHeaders = Object.entries(properties).map(([name, value]) => [`X-Property-${name}`, value] as const);
  return Object.fromEntries(
    [...credentialHeaders, ...propertyHeaders.filter(([name]) => isPropertyName(name.slice('X-Property-'.length)))]
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, headerValue(value)]),
  );
}

/** Returns the URL of an endpoint of a plugin. */
function urlOf(baseUrl: string, path: string): string {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.endsWith('/') ? url.pathname.slice(0, -1) : url.pathname}${path}`;
  return url.href;
}

function post(reach: PluginReach, path: string, members: JsonObject): PluginCall {
  const { host, key, token, properties, user } = reach;
  return {
    method: 'POST',
    url: urlOf(reach.baseUrl, path),
    headers: { ...headersOf(reach), 'Content-Type': 'application/json' },
    body: JSON.stringify({ host, key, token, properties, user: { ...user }, ...members }),
  };
}

/**
 * Creates the call that asks if an account may use the plugin. An oauth2 plugin answers with the address of its consent
 * page.
 */
export const authorizeCall = (reach: PluginReach): PluginCall => post(reach, '/authorize', {});

/** Creates the call that exchanges the authorization code from the consent page for credentials. */
export const exchangeCall = (reach: PluginReach, code: string): PluginCall => post(reach, '/exchange', { code });

/** Creates the call that lists tables. It is a GET request in protocol 1, and a POST request from 2.0.0 on. */
export const datasetsCall = (reach: PluginReach): PluginCall =>
  Number.parseInt(reach.protocolVersion, 10) >= 2
    ? post(reach, '/datasets', {})
    : { method: 'GET', url: urlOf(reach.baseUrl, '/datasets'), headers: headersOf(reach), body: null };

/** Creates the call that requests rows or groups. */
export const queryCall = (reach: PluginReach, query: PluginQuery): PluginCall =>
  post(reach, '/query', {
    id: query.id,
    columns: query.columns.map((column) => ({ ...column })),
    // A test for null has no value.
    filters: query.filters.map(({ value, ...filter }) => (value.length === 0 ? filter : { ...filter, value })),
    options: { ...query.options },
  });

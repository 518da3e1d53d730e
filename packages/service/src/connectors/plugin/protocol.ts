import type { Json, JsonObject } from '@inlay/contract';

/** The person on whose behalf a plugin is called; null members are not known, as for an embed token. */
export interface PluginUser {
  readonly id: string | null;
  readonly name: string | null;
  readonly email: string | null;
}

/** A plugin as it is registered; the secret in plain text. */
export interface PluginTarget {
  /** Its slug, named in every problem. */
  readonly name: string;
  readonly baseUrl: string;
  /** Such as `2.0.0`. */
  readonly protocolVersion: string;
  /** Whether it aggregates and filters. */
  readonly pushdown: boolean;
  readonly secret: string | null;
}

/** What a plugin is told with every call (plugin protocol). Secrets in plain text. specification/plugin-protocol#requests */
export interface PluginReach extends PluginTarget {
  readonly host: string | null;
  readonly key: string | null;
  readonly token: string | null;
  readonly properties: JsonObject;
  readonly user: PluginUser;
}

/** Levels of a datetime, by number less one (data query: levels). */
export const levelWords = [
  ...(['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second', 'millisecond'] as const),
] as const;
export type LevelWord = (typeof levelWords)[number];

export const pushedAggregations = ['sum', 'min', 'max', 'count', 'distinctcount'] as const;
export type PushedAggregation = (typeof pushedAggregations)[number];

/** Filters a plugin may be sent. `<>` is one too but never sent: what it does with nulls is not said. specification/plugin-protocol#answers */
const pushedExpressions = ['=', '<', '>', '<=', '>=', 'in', 'not in', 'is null', 'is not null'] as const;
export type PushedExpression = (typeof pushedExpressions)[number];

export interface PluginFilter {
  readonly column_id: string;
  readonly expression: PushedExpression;
  readonly value: readonly (string | number | boolean | null)[];
}

export interface PluginColumnRef {
  /** Id of a column, or `*` to count rows. */
  readonly column_id: string;
  readonly level?: LevelWord;
  readonly aggregation?: PushedAggregation;
}

/** What a plugin is asked for: all columns in its own order, or, pushed down, groups in the columns named. */
export interface PluginQuery {
  readonly id: string;
  readonly columns: readonly PluginColumnRef[];
  readonly filters: readonly PluginFilter[];
  readonly options: { readonly pushdown: boolean };
}

/** One HTTP request to a plugin, as plain data. */
export interface PluginCall {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** A name that can stand in a header: what a property of a plugin must be called. */
export const isPropertyName = (name: string): boolean => /^[a-zA-Z0-9_-]{1,64}$/u.test(name);

/** The properties of an account that a plugin is told: all but where a person consents, which it said itself. */
export function settingsOf({ auth_url: _said, ...settings }: JsonObject): JsonObject {
  return settings;
}

/** A value as a header carries it: what is not printable ASCII is percent-encoded as UTF-8, so nothing can break out. */
export const headerValue = (value: Json): string =>
  (typeof value === 'string' ? value : JSON.stringify(value))
    .toWellFormed()
    .replace(/[^\x20-\x7e]|^\x20|\x20$/gu, encodeURIComponent);

function headersOf({ secret, host, key, token, properties }: PluginReach): Record<string, string> {
  const own = Object.entries({ 'X-Secret': secret, 'X-Host': host, 'X-Key': key, 'X-Token': token });
  const further = Object.entries(properties).map(([name, value]) => [`X-Property-${name}`, value] as const);
  return Object.fromEntries(
    [...own, ...further.filter(([name]) => isPropertyName(name.slice('X-Property-'.length)))]
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, headerValue(value)]),
  );
}

/** The address of an endpoint below the base address of a plugin. */
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

/** Asks whether an account may use the plugin; of an oauth2 plugin, where the person is to consent. */
export const authorizeCall = (reach: PluginReach): PluginCall => post(reach, '/authorize', {});

/** Exchanges the code that the consent of a person gave. */
export const exchangeCall = (reach: PluginReach, code: string): PluginCall => post(reach, '/exchange', { code });

/** Lists tables: GET up to protocol 1, POST from 2.0.0 on. */
export const datasetsCall = (reach: PluginReach): PluginCall =>
  Number.parseInt(reach.protocolVersion, 10) >= 2
    ? post(reach, '/datasets', {})
    : { method: 'GET', url: urlOf(reach.baseUrl, '/datasets'), headers: headersOf(reach), body: null };

/** Asks for rows. */
export const queryCall = (reach: PluginReach, query: PluginQuery): PluginCall =>
  post(reach, '/query', {
    id: query.id,
    columns: query.columns.map((column) => ({ ...column })),
    // Tests for null have no value.
    filters: query.filters.map(({ value, ...filter }) => (value.length === 0 ? filter : { ...filter, value })),
    options: { ...query.options },
  });

import { filledText, isObject, sameJson, type JsonObject } from '@inlay/contract';
import { Problem } from '../problems/problem.ts';
import { mask } from '../declare/properties.ts';
import type { Preparation } from '../resource/rules.ts';
import { at, withPlaces } from '../declare/secrets.ts';
import { mainTable, recordOf, storedColumns, storedOf, type StoredRecord } from '../resource/tables.ts';
import { meantProvider } from '../resources/parts/account/provider.ts';
import { leadsElsewhere } from '../resources/parts/account/secrets.ts';
import type { SecretPlace } from '../store/secrets/secrets.ts';
import { sql, text } from '../store/sql.ts';
import type { Reader } from '../store/store.ts';
import { authorizationOf, exchangedOf, refusalWords } from '../connectors/plugin/authorization.ts';
import { textOf } from '../connectors/plugin/client.ts';
import { PluginFault } from '../connectors/plugin/fault.ts';
import { readPluginTarget, readUser } from '../connectors/plugin/load.ts';
import type { Plugins } from '../connectors/plugin/plugin.ts';
import {
  authorizeCall,
  exchangeCall,
  settingsOf,
  type PluginCall,
  type PluginReach,
} from '../connectors/plugin/protocol.ts';

export interface AuthorizeParts {
  readonly reader: Reader;
  readonly plugins: Plugins;
  readonly open: (place: SecretPlace, sealed: string) => string;
  readonly allowPrivateHosts: boolean;
}

const limits = { deadlineMs: 10_000, maxBytes: 64_000 } as const;

/** Fields that are sent to a plugin. The plugin must consent if one of them changes. */
const sentFields = ['plugin_id', 'host', 'identifier', 'token', 'properties', 'code'] as const;

async function readAccount({ reader }: AuthorizeParts, id: string | null): Promise<StoredRecord | null> {
  if (id === null) return null;
  const [row] = await reader.rows(sql`select ${storedColumns(mainTable)} from ${text('account')} t where t.id = ${id}`);
  return row === undefined ? null : storedOf(row);
}

/**
 * Returns the account as it will be after the write, with secrets in plain text. If the account moves to another host,
 * its stored secrets are null.
 */
function accountToBe({ open }: AuthorizeParts, storedRecord: StoredRecord | null, sent: JsonObject): JsonObject {
  if (storedRecord === null) return sent;
  const storedAccount = recordOf(storedRecord);
  const newAccount = { ...storedAccount, ...sent };
  const isMoved = leadsElsewhere(storedAccount, newAccount);
  const places = Object.keys(storedRecord.sealed).filter((place) => at(newAccount, place) === mask);
  const secrets = places.map((field): [string, string | null] => {
    const place = { resource: 'account', id: storedRecord.id, organization: storedRecord.organizationId, field };
    return [field, isMoved ? null : open(place, storedRecord.sealed[field] ?? '')];
  });
  return withPlaces(newAccount, Object.fromEntries(secrets));
}

const isChanged = (storedRecord: StoredRecord | null, sent: JsonObject): boolean => {
  const storedAccount = storedRecord === null ? {} : recordOf(storedRecord);
  return sentFields.some((name) => {
    const value = sent[name];
    return value !== undefined && value !== mask && !sameJson(value, storedAccount[name] ?? null);
  });
};

/** Converts a fault of a plugin to a Problem for the caller. Other errors are returned unchanged. */
function pluginProblem(name: string, error: unknown): unknown {
  if (!(error instanceof PluginFault)) return error;
  const message = `The plugin "${name}" ${error.message}.`;
  return new Problem(error.kind === 'timeout' ? 'plugin_timeout' : 'plugin_failed', { message });
}

const refusalProblem = (name: string, message: string, field: string): Problem =>
  new Problem('plugin_refused', { validation: { [`properties.${field}`]: [`the plugin "${name}" says: ${message}`] } });

/**
 * Asks the plugin of an account for consent when the account is created, and when a field that is sent to the plugin
 * changes. Raises Problem `plugin_refused`, `plugin_failed`, `plugin_timeout`. The rule keep-authorization stores the
 * result.
 */
export const createAuthorizeAccount =
  (parts: AuthorizeParts) =>
  async ({ operation, id, sent, caller }: Preparation): Promise<JsonObject> => {
    const storedRecord = await readAccount(parts, id);
    const account = { ...accountToBe(parts, storedRecord, sent), ...(await meantProvider(parts.reader, caller, sent)) };
    const pluginId = filledText(account['plugin_id']);
    if (
      pluginId === null ||
      caller === null ||
      (operation === 'update' && !isChanged(storedRecord, { ...sent, plugin_id: account['plugin_id'] ?? null }))
    )
      return {};
    const plugin = await readPluginTarget(parts.reader, parts.open, pluginId);
    if (plugin === null || plugin.authorize === 'none') return {};
    const { name } = plugin;
    if (plugin.baseUrl === '')
      throw new Problem('plugin_refused', {
        validation: { 'properties.plugin_id': ['the plugin has no base_url yet'] },
      });
    const properties = account['properties'] ?? null;
    const settings = settingsOf(isObject(properties) ? properties : {});
    const reach: PluginReach = {
      ...plugin,
      host: filledText(account['host']),
      key: filledText(account['identifier']),
      token: filledText(account['token']),
      properties: settings,
      user: await readUser(parts.reader, caller.userId),
    };
    const answerTo = (call: PluginCall) =>
      parts.plugins.call(
        call,
        { ...limits, organizationId: caller.organizationId, signal: new AbortController().signal },
        async (answer) => ({
          status: answer.status,
          mediaType: answer.headers.get('content-type') ?? '',
          text: await textOf(answer),
        }),
      );
    const isOauth2 = plugin.authorize === 'oauth2';
    const code = filledText(sent['code']);
    const secrets = [reach.secret, reach.token, code, ...Object.values(settings)].filter(
      (value) => typeof value === 'string',
    );
    try {
      if (isOauth2 && code !== null && code !== mask) {
        const { status, mediaType, text: body } = await answerTo(exchangeCall(reach, code));
        if (status < 200 || status > 299)
          throw refusalProblem(name, refusalWords(status, mediaType, body, secrets), 'code');
        const { token, key } = exchangedOf(body);
        return { exchanged: { token, ...(key === null ? {} : { identifier: key }) } };
      }
      const options = { secrets, isOauth2, isPlainAllowed: parts.allowPrivateHosts };
      const authorization = authorizationOf(await answerTo(authorizeCall(reach)), options);
      if (authorization.kind === 'refused') throw refusalProblem(name, authorization.message, 'plugin_id');
      return authorization.kind === 'consent' ? { authUrl: authorization.url } : {};
    } catch (error) {
      throw pluginProblem(name, error);
    }
  };

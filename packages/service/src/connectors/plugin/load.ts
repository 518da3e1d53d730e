import { isObject, textOr, type Json, type JsonObject } from '@inlay/contract';
import { mainTable, recordOf, storedColumns, storedOf } from '../../resource/tables.ts';
import type { SecretPlace } from '../../store/secrets/secrets.ts';
import { sql } from '../../store/sql.ts';
import type { Reader } from '../../store/store.ts';
import type { PluginTarget, PluginUser } from './protocol.ts';

/**
 * Loads a plugin and decrypts its secret; null if the plugin does not exist. `authorize` says how accounts of the
 * plugin authenticate.
 */
export async function readPluginTarget(
  reader: Reader,
  openSecret: (place: SecretPlace, sealed: string) => string,
  id: string,
): Promise<(PluginTarget & { readonly authorize: string }) | null> {
  const [row] = await reader.rows(sql`select ${storedColumns(mainTable)} from plugin t where t.id = ${id}`);
  if (row === undefined) return null;
  const storedRecord = storedOf(row);
  const record = recordOf(storedRecord);
  const sealed = storedRecord.sealed['secret'];
  const place = { resource: 'plugin', id, organization: storedRecord.organizationId, field: 'secret' };
  return {
    name: textOr(record['slug'], ''),
    baseUrl: textOr(record['base_url'], ''),
    protocolVersion: textOr(record['protocol_version'], '') || '1.0.0',
    pushdown: record['pushdown'] === true,
    secret: sealed === undefined ? null : openSecret(place, sealed),
    authorize: textOr(record['authorize'], ''),
  };
}

const unknownUser: PluginUser = { id: null, name: null, email: null };

/** Loads a user in the form in which plugins get it. If `id` is null, all members are null. */
export async function readUser(reader: Reader, id: string | null): Promise<PluginUser> {
  if (id === null) return unknownUser;
  const [row] = await reader.rows(sql`select record from "user" where id = ${id}`);
  const record: Json = typeof row?.['record'] === 'string' ? JSON.parse(row['record']) : {};
  const userRecord: JsonObject = isObject(record) ? record : {};
  return { id, name: textOr(userRecord['name'], '') || null, email: textOr(userRecord['email'], '') || null };
}

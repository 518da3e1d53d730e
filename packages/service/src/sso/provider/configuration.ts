import { createHash } from 'node:crypto';
import { isObject, isUuid, type JsonObject } from '@inlay/contract';
import { mainTable, recordOf, storedColumns, storedOf, type StoredRecord } from '../../resource/tables.ts';
import type { SecretPlace } from '../../store/secrets/secrets.ts';
import { sql, type Sql } from '../../store/sql.ts';
import type { Reader } from '../../store/store.ts';
import { SignOnFault, textOf } from '../fault.ts';
import { readMapping, type Mapping } from '../../resources/parts/sso-mapping.ts';

/** A complete single sign-on configuration of an organization. */
export interface Configuration {
  readonly id: string;
  readonly organizationId: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly authorizationUrl: string | null;
  readonly tokenUrl: string | null;
  readonly userInfoUrl: string | null;
  readonly mapping: Mapping;
  readonly isVerified: boolean;
  /** A hash of provider and client, including the secret. A different hash means that the configuration has changed. */
  readonly fingerprint: string;
}

export type SecretOpener = (place: SecretPlace, sealed: string) => string;

const secretPlace = 'config.client_secret';
const identifying = ['issuer', 'client_id', 'authorization_url', 'token_url', 'user_info_url'] as const;

/** Parses a stored record. Raises SignOnFault `set_up_wrong` if a required member is missing. */
function configurationOf(storedRecord: StoredRecord, openSecret: SecretOpener): Configuration {
  const record = recordOf(storedRecord);
  const value = record['config'];
  const config: JsonObject = isObject(value) ? value : {};
  const missingFields = ['issuer', 'client_id'].filter((name) => textOf(config, name) === null);
  const { id, organizationId } = storedRecord;
  const [issuer, clientId] = [textOf(config, 'issuer'), textOf(config, 'client_id')];
  if (issuer === null || clientId === null || organizationId === null)
    throw new SignOnFault('set_up_wrong', `The configuration lacks ${missingFields.join(' and ')}.`);
  const sealed = storedRecord.sealed[secretPlace];
  const clientSecret =
    sealed === undefined
      ? null
      : openSecret({ resource: 'ssoconfig', id, field: secretPlace, organization: organizationId }, sealed);
  const facts = [id, record['protocol'] ?? null, ...identifying.map((name) => config[name] ?? null), clientSecret];
  return {
    id,
    organizationId,
    issuer,
    clientId,
    clientSecret,
    authorizationUrl: textOf(config, 'authorization_url'),
    tokenUrl: textOf(config, 'token_url'),
    userInfoUrl: textOf(config, 'user_info_url'),
    mapping: readMapping(config['mapping'] ?? null),
    isVerified: record['is_verified'] === true,
    fingerprint: createHash('sha256').update(JSON.stringify(facts)).digest('base64url'),
  };
}

const notSetUp = (): SignOnFault =>
  new SignOnFault('not_set_up', 'The organization has no configuration of single sign-on.');

async function readWhere(reader: Reader, condition: Sql, openSecret: SecretOpener, lock: Sql): Promise<Configuration> {
  const [row] = await reader.rows(sql`select ${storedColumns(mainTable)} from ssoconfig t where ${condition}${lock}`);
  if (row === undefined) throw notSetUp();
  return configurationOf(storedOf(row), openSecret);
}

const noLock = sql``;

/** Reads a configuration by id. `lock` is an SQL suffix that locks the row; empty by default. Raises SignOnFault. */
export const readConfiguration = (
  reader: Reader,
  openSecret: SecretOpener,
  id: string,
  lock: Sql = noLock,
): Promise<Configuration> => readWhere(reader, sql`t.id = ${id}`, openSecret, lock);

/** Finds the configuration of an organization, by its id or subdomain. Raises SignOnFault. */
export async function findConfiguration(
  reader: Reader,
  openSecret: SecretOpener,
  organization: string,
): Promise<Configuration> {
  const organizationIs = isUuid(organization)
    ? sql`id = ${organization.toLowerCase()}`
    : /^[a-z\d-]{1,63}$/u.test(organization)
      ? sql`subdomain = ${organization}`
      : sql`1 = 0`;
  const [organizationRow] = await reader.rows(sql`select id from organization where ${organizationIs}`);
  if (organizationRow === undefined) throw new SignOnFault('organization_unknown', 'There is no such organization.');
  return readWhere(reader, sql`t.organization_id = ${String(organizationRow['id'])}`, openSecret, noLock);
}

import { filledText, isObject, timestamp, type JsonObject } from '@inlay/contract';
import type { ConnectionParams } from '../connectors/connector.ts';
import { Problem } from '../problems/problem.ts';
import { withPlaces } from '../declare/secrets.ts';
import type { OpenSecret } from './row-filters/load-terms.ts';
import type { StoredAccount, TokenTerms } from './model/parts.ts';

const isTls = (name: string): boolean => /^(?:ssl|tls)/iu.test(name);

/**
 * True if an override may lead to another server, which must not receive the stored password.
 * specification/resources#account
 */
const moves = (record: JsonObject, override: JsonObject): boolean =>
  ['host', 'port'].some((member) => Object.hasOwn(override, member) && override[member] !== record[member]) ||
  Object.keys(isObject(override['properties']) ? (override['properties'] ?? {}) : {}).some(
    (name) => isTls(name) || name === 'base_url',
  );

/** Returns the connection that a token uses instead of that of an account; null if the token does not replace it. */
export function overrideFor({ overrides }: TokenTerms, accountId: string): JsonObject | null {
  const override = Object.entries(overrides).find(([id]) => id.toLowerCase() === accountId)?.[1] ?? null;
  if (override === null) return null;
  // An invalid override must not fall back to the connection of the account, which may give access to everyone's data.
  if (!isObject(override)) throw new Problem('source_refused');
  return override;
}

/** The connection of an account for a caller, with the account itself. */
export interface ResolvedAccount {
  readonly params: ConnectionParams;
  readonly account: StoredAccount;
  /** Identifies the override that was applied; null if the connection is the stored one. */
  readonly overriddenBy: string | null;
}

/**
 * Resolves the connection of an account for one caller: decrypts the secrets, and applies the override of an embed
 * token. Raises Problem `account_inactive`, `account_expired`, `secret_key_missing`.
 */
export function resolveAccount(
  account: StoredAccount,
  override: JsonObject | null,
  authorizationId: string,
  openSecret: OpenSecret,
  nowMs: number,
): ResolvedAccount {
  const { record, id, organizationId } = account;
  if (record['active'] === false) throw new Problem('account_inactive');
  const expiry = filledText(record['expiry']);
  if (expiry !== null && expiry <= timestamp(nowMs)) throw new Problem('account_expired');
  const isMoved = override !== null && moves(record, override);
  const secrets = Object.entries(account.sealed).map(([field, sealed]) => [
    field,
    isMoved ? null : openSecret({ resource: 'account', id, organization: organizationId, field }, sealed),
  ]);
  const base = withPlaces(record, Object.fromEntries(secrets));
  const properties = base['properties'] ?? {};
  const ownProperties: JsonObject = isObject(properties) ? properties : {};
  const overrides = override?.['properties'] ?? {};
  const connection: JsonObject = override === null ? base : { ...base, ...override };
  return {
    account,
    overriddenBy: override === null ? null : authorizationId,
    params: {
      accountId: id,
      organizationId: organizationId ?? '',
      host: filledText(connection['host']),
      port: filledText(connection['port']),
      scope: filledText(connection['scope']),
      identifier: filledText(connection['identifier']),
      token: filledText(connection['token']),
      properties: { ...ownProperties, ...(isObject(overrides) ? overrides : {}) },
    },
  };
}

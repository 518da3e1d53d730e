import { filledText, isObject, timestamp, type JsonObject } from '@inlay/contract';
import type { ConnectionParams } from '../connectors/connector.ts';
import { Problem } from '../problems/problem.ts';
import { withPlaces } from '../declare/secrets.ts';
import type { OpenSecret } from './row-filters/load-terms.ts';
import type { StoredAccount, TokenTerms } from './model/parts.ts';

const isTls = (name: string): boolean => /^(?:ssl|tls)/iu.test(name);

/** Whether an override leads somewhere else, where the stored password must not go. specification/resources#account */
const moves = (record: JsonObject, override: JsonObject): boolean =>
  ['host', 'port'].some((member) => Object.hasOwn(override, member) && override[member] !== record[member]) ||
  Object.keys(isObject(override['properties']) ? (override['properties'] ?? {}) : {}).some(
    (name) => isTls(name) || name === 'base_url',
  );

/** The connection that a token uses in place of an account; null where it names none. */
export function overrideFor({ overrides }: TokenTerms, accountId: string): JsonObject | null {
  const found = Object.entries(overrides).find(([id]) => id.toLowerCase() === accountId)?.[1] ?? null;
  if (found === null) return null;
  // What is there but no connection must not be taken for none: it would open the account of everybody.
  if (!isObject(found)) throw new Problem('source_refused');
  return found;
}

/** The connection of an account for a caller, and its key in a cache. */
export interface ResolvedAccount {
  readonly params: ConnectionParams;
  readonly account: StoredAccount;
  /** The id of the applied override; null for the account as stored. */
  readonly overriddenBy: string | null;
}

/**
 * The account as reached by one caller: secrets opened, the override of an embed token applied. Raises Problem
 * `account_inactive`, `account_expired`, `secret_key_missing`.
 */
export function resolveAccount(
  account: StoredAccount,
  override: JsonObject | null,
  authorizationId: string,
  open: OpenSecret,
  nowMs: number,
): ResolvedAccount {
  const { record, id, organizationId } = account;
  if (record['active'] === false) throw new Problem('account_inactive');
  const expiry = filledText(record['expiry']);
  if (expiry !== null && expiry <= timestamp(nowMs)) throw new Problem('account_expired');
  const moved = override !== null && moves(record, override);
  const opened = Object.entries(account.sealed).map(([field, sealed]) => [
    field,
    moved ? null : open({ resource: 'account', id, organization: organizationId, field }, sealed),
  ]);
  const base = withPlaces(record, Object.fromEntries(opened));
  const properties = base['properties'] ?? {};
  const own: JsonObject = isObject(properties) ? properties : {};
  const others = override?.['properties'] ?? {};
  const given: JsonObject = override === null ? base : { ...base, ...override };
  return {
    account,
    overriddenBy: override === null ? null : authorizationId,
    params: {
      accountId: id,
      organizationId: organizationId ?? '',
      host: filledText(given['host']),
      port: filledText(given['port']),
      scope: filledText(given['scope']),
      identifier: filledText(given['identifier']),
      token: filledText(given['token']),
      properties: { ...own, ...(isObject(others) ? others : {}) },
    },
  };
}

import { isObject, type Json, type JsonObject } from '@inlay/contract';
import type { Caller } from '../../access/caller.ts';
import { mustHaveFeatures } from '../../access/features.ts';
import { columnsOf, condition, permits, type Columns } from '../../access/permits.ts';
import { describeRole, type Role } from '../../declare/roles.ts';
import { Problem } from '../../problems/problem.ts';
import { forVariety } from '../../declare/variety.ts';
import type { Resource } from '../../resource/define.ts';
import type { Registry } from '../../resource/registry.ts';
import { columnValue, mainTable, storedColumns, storedOf, tableOf, type StoredRecord } from '../../resource/tables.ts';
import { compileFixed, visible } from '../../search/compile.ts';
import { sql, text, type Sql } from '../../store/sql.ts';
import type { Reader, Transaction } from '../../store/store.ts';

/** Context of access checks, which run before a write and again in its transaction. */
export interface AuthorizationContext {
  readonly reader: Reader;
  readonly registry: Registry;
  readonly caller: Caller | null;
  /** SQL suffix that locks the record until the commit; empty without locks. */
  readonly lock: Sql;
  /** SQL suffix that protects referenced records from deletion until the commit; empty without locks. */
  readonly sharedLock: Sql;
}

/** Context for checks without locks. */
export const unlockedContext = (reader: Reader, registry: Registry, caller: Caller | null): AuthorizationContext => ({
  reader,
  registry,
  caller,
  lock: text(''),
  sharedLock: text(''),
});

/** Context for checks in a write transaction, which stay valid until its commit. */
export const lockedContext = (
  transaction: Transaction,
  registry: Registry,
  caller: Caller | null,
): AuthorizationContext => ({
  reader: transaction,
  registry,
  caller,
  lock: transaction.dialect.forUpdate,
  sharedLock: transaction.dialect.forShare,
});

/** True if the caller has a role on a stored record. */
export async function holds(
  { reader, caller }: AuthorizationContext,
  resource: Resource,
  id: string,
  role: Role,
): Promise<boolean> {
  const verdict = permits(role, caller, columnsOf(mainTable));
  if (typeof verdict === 'boolean') return verdict;
  const rows = await reader.rows(sql`select 1 as held from ${tableOf(resource)} t where t.id = ${id} and ${verdict}`);
  return rows.length === 1;
}

/** Returns the stored record if the caller may see it; otherwise null. */
export async function seen(
  context: AuthorizationContext,
  resource: Resource,
  id: string,
  fixed: JsonObject,
): Promise<StoredRecord | null> {
  const scope = { dialect: context.reader.dialect, resource, alias: mainTable, caller: context.caller };
  const narrowed = compileFixed(
    mainTable,
    Object.entries(fixed).map(([field, value]) => ({ field, value })),
  );
  const rows = await context.reader.rows(
    sql`select ${storedColumns(mainTable)} from ${tableOf(resource)} t
      where t.id = ${id} and ${visible(scope)} and ${narrowed}${context.lock}`,
  );
  return rows[0] === undefined ? null : storedOf(rows[0]);
}

/** Raises the Problem for a missing role: 401, 403. */
export function refuse(role: Role, caller: Caller | null): never {
  if (caller === null) throw new Problem('credentials_missing');
  if (role.kind === 'operator')
    throw new Problem('forbidden', {
      message: 'Nobody may do this over the API; the service or its operator does it.',
    });
  throw new Problem('forbidden', { message: `Your role does not allow this; it needs: ${describeRole(role)}.` });
}

/** Returns the field that has the variety, with its value; empty without a variety. */
export const ofVariety = ({ variety }: Resource, word: string | undefined): JsonObject =>
  word === undefined || variety === undefined ? {} : { [variety.field]: word };

/**
 * Returns the columns of a record that is not stored yet. Calls `record` on demand, since most conditions need only the
 * organization.
 */
const prospective =
  (record: () => JsonObject, caller: Caller | null): Columns =>
  (field) => {
    const value: Json = field === 'organization_id' ? (caller?.organizationId ?? null) : (record()[field] ?? null);
    const knownValue = columnValue(isObject(value) ? null : value);
    return { known: knownValue === null ? null : String(knownValue) };
  };

/** Checks a role without a stored record. Raises Problem: 401, 403. */
export async function mustHoldBefore(
  context: AuthorizationContext,
  role: Role | undefined,
  record: () => JsonObject,
): Promise<void> {
  if (role === undefined) throw new Problem('operation_unknown');
  const verdict = permits(role, context.caller, prospective(record, context.caller));
  const allowed =
    typeof verdict === 'boolean'
      ? verdict
      : (await context.reader.rows(sql`select 1 as held where ${condition(verdict)}`)).length === 1;
  if (!allowed) refuse(role, context.caller);
}

/**
 * Checks the role and the features of a get that a handler answers. The handler itself checks the rights on records.
 * Raises Problem: 401, 403.
 */
export async function authorizeServedGet(
  context: AuthorizationContext,
  resource: Resource,
  find: JsonObject,
): Promise<void> {
  const role = resource.roles.get === undefined ? undefined : forVariety(resource.roles.get, undefined);
  await mustHoldBefore(context, role, () => ({}));
  mustHaveFeatures(context.caller, resource, { operation: 'get', record: () => ({}), input: find });
}

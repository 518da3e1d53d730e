import { isObject, type Json, type JsonObject } from '@inlay/contract';
import type { Caller } from '../../access/caller.ts';
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

/** Where rights are checked, and for whom. The same checks run before a write and again in its transaction. */
export interface AuthorizationContext {
  readonly reader: Reader;
  readonly registry: Registry;
  readonly caller: Caller | null;
  /** Locks the record until the commit; empty without locks. */
  readonly lock: Sql;
  /** Protects records that the write refers to from being deleted before the commit; empty without locks. */
  readonly sharedLock: Sql;
}

/** Checks rights without locking anything. */
export const unlockedContext = (reader: Reader, registry: Registry, caller: Caller | null): AuthorizationContext => ({
  reader,
  registry,
  caller,
  lock: text(''),
  sharedLock: text(''),
});

/** Checks rights in the transaction of a write, which hold until its commit. */
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

/** Whether the caller holds a role on a stored record. */
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

/** The stored record if the caller may see it. */
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

/** Raises Problem: 401, 403. */
export function refuse(role: Role, caller: Caller | null): never {
  if (caller === null) throw new Problem('credentials_missing');
  if (role.kind === 'operator')
    throw new Problem('forbidden', {
      message: 'Nobody may do this over the API; the service or its operator does it.',
    });
  throw new Problem('forbidden', { message: `Your role does not allow this; it needs: ${describeRole(role)}.` });
}

/** The field of a variety with its value. */
export const ofVariety = ({ variety }: Resource, word: string | undefined): JsonObject =>
  word === undefined || variety === undefined ? {} : { [variety.field]: word };

/** The columns of a record that is not stored yet. Few conditions need more than its organization. */
const prospective =
  (record: () => JsonObject, caller: Caller | null): Columns =>
  (field) => {
    const value: Json = field === 'organization_id' ? (caller?.organizationId ?? null) : (record()[field] ?? null);
    const held = columnValue(isObject(value) ? null : value);
    return { known: held === null ? null : String(held) };
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

/** Checks the role of a get that a part answers; the part checks the rights on records. Raises Problem: 401, 403. */
export async function authorizeServedGet(context: AuthorizationContext, resource: Resource): Promise<void> {
  const role = resource.roles.get === undefined ? undefined : forVariety(resource.roles.get, undefined);
  await mustHoldBefore(context, role, () => ({}));
}

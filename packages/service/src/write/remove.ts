import type { JsonObject } from '@inlay/contract';
import { levelOf } from '../declare/roles.ts';
import { Problem } from '../problems/problem.ts';
import type { Resource } from '../resource/define.ts';
import type { Dependant } from '../resource/registry.ts';
import { recordOf, removeRecord, tableOf, type StoredRecord } from '../resource/tables.ts';
import { name, sql, type Sql } from '../store/sql.ts';
import { newestOther } from './links/newest-other.ts';
import { mayRemove } from './links/own-filters.ts';
import { changeRecord, runRules, workOf, type WriteContext } from './context.ts';

/** Selects records that refer to this one. Records that are only marked as deleted are left out. */
function naming({ resource, field }: Dependant, id: string): Sql {
  const alive = resource.softDelete === true ? sql` and deleted_at is null` : sql``;
  return sql`from ${tableOf(resource)} where ${name(field)} = ${id}${alive}`;
}

/**
 * Refuses a delete if other records depend on this one and are not deleted with it. The error says how many they are.
 * specification/operations#resources-that-other-resources-need
 */
async function refuseDependants(
  { environment, transaction }: WriteContext,
  resource: Resource,
  id: string,
): Promise<void> {
  const dependants: string[] = [];
  for (const dependant of environment.registry.dependants(resource.name)) {
    if (dependant.onDelete !== 'refuse') continue;
    const [counted] = await transaction.rows(sql`select count(*) as held ${naming(dependant, id)}`);
    const count = Number(counted?.['held'] ?? 0);
    if (count > 0)
      dependants.push(`${count} ${dependant.resource.name}${count === 1 ? '' : 's'} through ${dependant.field}`);
  }
  if (dependants.length > 0)
    throw new Problem('in_use', { validation: { id: dependants.map((dependant) => `is used by ${dependant}`) } });
}

/** Returns the fields to reset when a record loses the association that a reference stores, such as being a variant. */
const undone = (resource: Resource, other: Resource, field: string): JsonObject =>
  Object.values(resource.associations ?? {}).find(
    ({ to, relation: through }) => to === other.name && through.kind === 'referenced' && through.by === field,
  )?.sets?.whenUndone ?? {};

/**
 * Chooses the next owner of a record when a person is deleted: the newest of the other owners.
 * specification/rights#owners
 */
async function nextOwner(
  context: WriteContext,
  other: Resource,
  field: string,
  dependant: string,
  id: string,
): Promise<string | null> {
  const named = Object.entries(other.associations ?? {}).find(([, { levels }]) => levels?.ownerField === field);
  if (named === undefined) return null;
  const [role, { levels: ladder }] = named;
  const side = { firstId: dependant, stored: `${other.name}.${role}`, targetId: id };
  return newestOther(context, side, ladder?.keep ?? levelOf('own'));
}

/** Deletes the records that must be deleted with a record, and clears other references to it. */
async function settleDependants(context: WriteContext, resource: Resource, id: string): Promise<void> {
  for (const dependant of context.environment.registry.dependants(resource.name)) {
    const { resource: dependantResource, field, onDelete } = dependant;
    if (onDelete === 'refuse') continue;
    for (const row of await context.transaction.rows(sql`select id ${naming(dependant, id)}`)) {
      const dependantId = String(row['id']);
      if (onDelete === 'clear') {
        const next = await nextOwner(context, dependantResource, field, dependantId, id);
        await changeRecord(context, dependantResource, dependantId, {
          [field]: next,
          ...undone(resource, dependantResource, field),
        });
      } else {
        await settleDependants(context, dependantResource, dependantId);
        await removeRecord(context.transaction, dependantResource, dependantId);
      }
    }
  }
}

/** Deletes a record and its links, or marks it deleted. Raises Problem: `in_use`, and what the rules raise. */
export async function remove(
  context: WriteContext,
  resource: Resource,
  stored: StoredRecord,
  sent: JsonObject = {},
): Promise<void> {
  const { transaction, caller, now } = context;
  const { id } = stored;
  const before: JsonObject = recordOf(stored);
  const change = {
    operation: 'delete',
    id,
    caller,
    before,
    sent,
    after: before,
    prepared: {},
    now,
  } as const;
  await runRules(resource, change, workOf(context), false);
  await refuseDependants(context, resource, id);
  await mayRemove(context, resource, id);
  await settleDependants(context, resource, id);
  if (resource.softDelete === true) await changeRecord(context, resource, id, { deleted_at: now });
  else await removeRecord(transaction, resource, id);
}

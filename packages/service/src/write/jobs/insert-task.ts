import { callerOf } from '../../callers/caller-of.ts';
import type { WriteResult } from '../../commands/command.ts';
import type { JobCommand, NewTask } from '../../commands/job.ts';
import { Problem } from '../../problems/problem.ts';
import { sql } from '../../store/sql.ts';
import type { Transaction } from '../../store/store.ts';
import { load, beginWrite, workOf, type WriteContext, type WriteEnvironment } from '../context.ts';
import { runIdempotent } from '../../idempotency/run-idempotent.ts';

const maxOpenTasks = 100;
/** Retry-After for an organization with too many open tasks, in seconds. */
const retryAfterS = 30;

/**
 * Raises Problem `too_many_tasks` if the organization has too many open tasks. The lock serializes requests of an
 * organization, so that each of them counts the tasks of the others.
 */
async function requireFreeTask({ transaction }: WriteContext, organizationId: string): Promise<void> {
  await transaction.rows(sql`select id from organization where id = ${organizationId}${transaction.dialect.forUpdate}`);
  const [row] = await transaction.rows(
    sql`select count(*) as n from (select 1 as one from task where organization_id = ${organizationId}
      and status in ('open', 'inprogress') limit ${maxOpenTasks}) as open_tasks`,
  );
  if (Number(row?.['n']) >= maxOpenTasks) throw new Problem('too_many_tasks', { retryAfterS });
}

/**
 * Stores the record of a task. A trigger on the table (`store/migrations/0021-jobs.ts`) creates its job with the same
 * id.
 */
async function insertRecord(context: WriteContext, { type, entityId, request }: NewTask): Promise<WriteResult> {
  const work = workOf(context);
  const id = work.id();
  const resource = context.environment.registry.resource('task');
  await work.insert(resource.name, { id, type, entity_id: entityId }, { request: JSON.stringify(request) });
  const stored = await load(context, resource, id);
  if (stored === null) throw new Error('a task that was just made is not there');
  return { kind: 'record', stored, carried: {}, shown: {} };
}

/**
 * Stores a task for the caller of a command. Raises Problem `credentials_invalid`, `too_many_tasks`,
 * `idempotency_conflict`.
 */
export async function insertTask(
  environment: WriteEnvironment,
  transaction: Transaction,
  command: JobCommand & { readonly step: 'request' },
): Promise<WriteResult> {
  const caller = await callerOf(transaction, command.caller, environment.now());
  const context = beginWrite(environment, transaction, caller);
  return runIdempotent(context, command.idempotency, async () => {
    await requireFreeTask(context, caller.organizationId);
    return insertRecord(context, command.task);
  });
}

import { done, type WriteResult } from '../../commands/command.ts';
import type { JobCommand, JobOutcome, NewJob } from '../../commands/job.ts';
import { storeClockAfter } from '../../store/lease.ts';
import { insert, sql } from '../../store/sql.ts';
import type { Transaction } from '../../store/store.ts';
import { beginWrite, type WriteContext, type WriteEnvironment } from '../context.ts';
import { claimJobs } from './claim.ts';
import { isHeld } from './held.ts';
import { insertTask } from './insert-task.ts';
import { changeTask, completeTask, failTask } from './task.ts';

const newRow = {
  table: 'job',
  columns: ['id', 'type', 'organization_id', 'subject', 'payload', 'priority', 'due_at', 'attempts', 'created_at'],
  conflict: 'on conflict do nothing',
} as const;

async function add({ transaction, now }: WriteContext, jobs: readonly NewJob[]): Promise<WriteResult> {
  let count = 0;
  for (const { id, type, organizationId, subject, payload, priority, dueAt } of jobs)
    count += await transaction.run(
      insert(newRow, [id, type, organizationId, subject, JSON.stringify(payload), priority, dueAt, 0, now]),
    );
  return done(count);
}

/** Renews leases. Returns the jobs whose lease is still valid. */
async function renew(
  context: WriteContext,
  { held, leaseMs }: JobCommand & { readonly step: 'renew' },
): Promise<WriteResult> {
  const { transaction } = context;
  const until = storeClockAfter(transaction.dialect.name, leaseMs);
  const ids: string[] = [];
  for (const { id, lease, progress } of held.toSorted((left, right) => (left.id < right.id ? -1 : 1))) {
    const count = await transaction.run(
      sql`update job set leased_until = ${until} where id = ${id} and lease = ${lease}`,
    );
    if (count === 0) continue;
    ids.push(id);
    if (progress !== null) await changeTask(context, id, { progress });
  }
  return { kind: 'held', ids };
}

/** Returns the update of a job's row for an outcome. If a due time was set while the job ran, that due time is kept. */
const settled = (id: string, outcome: JobOutcome) => {
  switch (outcome.kind) {
    case 'completed':
      return sql`update job set lease = null, leased_until = null, attempts = 0, run_for = null, error = null,
        due_at = coalesce(due_at, ${outcome.dueAt}) where id = ${id}`;
    case 'retry':
      return sql`update job set lease = null, leased_until = null, error = ${JSON.stringify(outcome.error)},
        due_at = coalesce(due_at, ${outcome.dueAt}) where id = ${id}`;
    case 'skipped':
      return sql`update job set lease = null, leased_until = null, attempts = 0, run_for = null,
        error = ${JSON.stringify(outcome.error)}, due_at = coalesce(due_at, ${outcome.dueAt}) where id = ${id}`;
    case 'dead':
      return sql`update job set lease = null, leased_until = null, error = ${JSON.stringify(outcome.error)},
        attempts = case when due_at is null then attempts else 0 end,
        run_for = case when due_at is null then run_for else null end where id = ${id}`;
    case 'postponed':
      return sql`update job set lease = null, leased_until = null, attempts = attempts - 1,
        due_at = coalesce(due_at, ${outcome.dueAt}) where id = ${id}`;
    case 'released':
      return sql`update job set lease = null, leased_until = null, attempts = attempts - 1,
        due_at = coalesce(due_at, run_for) where id = ${id}`;
  }
};

async function end(
  context: WriteContext,
  { held, outcome }: JobCommand & { readonly step: 'end' },
): Promise<WriteResult> {
  const { transaction } = context;
  const { id } = held;
  if (!(await isHeld(context, held))) return done(0, id);
  await transaction.run(settled(id, outcome));
  if (outcome.kind === 'completed') {
    await transaction.run(sql`delete from job where id = ${id} and due_at is null`);
    await completeTask(context, id, outcome.result);
  }
  if (outcome.kind === 'dead') await failTask(context, id, outcome.error);
  return done(1, id);
}

/** True for a dead letter, which has neither a lease nor a due time. */
const isDead = sql`lease is null and due_at is null`;

/**
 * Requeues a dead letter, due now. `run_for` keeps its original due time, so that its effects keep their idempotency
 * keys.
 */
async function repeat(context: WriteContext, id: string): Promise<WriteResult> {
  const { transaction, now } = context;
  const count = await transaction.run(sql`update job set due_at = ${now}, attempts = 0 where id = ${id} and ${isDead}`);
  if (count > 0) await changeTask(context, id, { status: 'open', completed_at: null, error: null });
  return done(count, id);
}

/** Handles a command of the job queue. */
export async function performJob(
  environment: WriteEnvironment,
  transaction: Transaction,
  command: JobCommand,
): Promise<WriteResult> {
  const context = beginWrite(environment, transaction, null);
  switch (command.step) {
    case 'request':
      return insertTask(environment, transaction, command);
    case 'add':
      return add(context, command.jobs);
    case 'claim':
      return claimJobs(environment, transaction, command);
    case 'renew':
      return renew(context, command);
    case 'end':
      return end(context, command);
    case 'repeat':
      return repeat(context, command.id);
    case 'drop':
      return done(await transaction.run(sql`delete from job where id = ${command.id} and ${isDead}`), command.id);
  }
}

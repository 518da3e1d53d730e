import { parseObject } from '@inlay/contract';
import type { ClaimedJob, JobCommand, JobError, JobResult, JobSlots } from '../../commands/job.ts';
import { storeClock, storeClockAfter } from '../../store/lease.ts';
import { sql, type Value } from '../../store/sql.ts';
import type { Row, Transaction } from '../../store/store.ts';
import { beginWrite, type WriteEnvironment } from '../context.ts';
import { changeTask, failTask } from './task.ts';

type ClaimCommand = JobCommand & { readonly step: 'claim' };

const textOrNull = (value: Value | undefined): string | null => (typeof value === 'string' ? value : null);

/** Requeues jobs whose lease has expired because their instance crashed. */
async function releaseExpired(transaction: Transaction, now: string): Promise<void> {
  const { dialect } = transaction;
  await transaction.run(
    sql`update job set lease = null, leased_until = null, due_at = coalesce(due_at, ${now}) where id in (
      select id from job where lease is not null and leased_until < ${storeClock[dialect.name]} order by id${dialect.skipLocked})`,
  );
}

/**
 * Selects the ids of due jobs of a type. Priority comes first; within a priority, organizations take turns. An
 * organization moves back by one turn for each of its running jobs.
 */
async function dueJobs(transaction: Transaction, now: string, { type, slots }: JobSlots): Promise<readonly string[]> {
  const rows = await transaction.rows(sql`
    select id from (
      select j.id, j.priority, j.due_at, coalesce(t.turn, 0) as turn,
        row_number() over (partition by j.priority, j.organization_id order by j.due_at, j.id) + (
          select count(*) from job r where r.lease is not null and r.type = ${type}
            and r.organization_id = j.organization_id) as place
      from job j left join job_turn t on t.organization_id = j.organization_id
      where j.lease is null and j.due_at is not null and j.due_at <= ${now} and j.type = ${type}) due
    order by priority desc, place, turn, due_at, id limit ${slots}`);
  return rows.map(({ id }) => String(id));
}

/** Locks a due job; null if another instance has claimed it. */
async function lockDue(transaction: Transaction, id: string, now: string): Promise<Row | null> {
  const [row] = await transaction.rows(
    sql`select id, type, organization_id, subject, payload, priority, due_at, run_for, attempts, error from job
      where id = ${id} and lease is null and due_at <= ${now}${transaction.dialect.skipLocked}`,
  );
  return row ?? null;
}

/** Moves the organization to the end of the turns. The order is a counter, since a clock may stop or go back. */
async function noteTurn(transaction: Transaction, organizationId: string): Promise<void> {
  await transaction.run(
    sql`insert into job_turn (organization_id, turn) select ${organizationId}, coalesce(max(turn), 0) + 1 from job_turn where true
      on conflict (organization_id) do update set turn = excluded.turn`,
  );
}

const interrupted: JobError = {
  code: 'interrupted',
  message: 'The process that ran it ended each time before it was done.',
};

/** Returns the error that `end` stored for the last attempt. If there is none, the attempt was interrupted. */
function errorOf(stored: Value | undefined): JobError {
  if (typeof stored !== 'string') return interrupted;
  const error: JobError = JSON.parse(stored);
  return error;
}

/** Makes a job a dead letter after too many interruptions. */
async function bury(environment: WriteEnvironment, transaction: Transaction, row: Row): Promise<void> {
  const error = errorOf(row['error']);
  await transaction.run(
    sql`update job set due_at = null, error = ${JSON.stringify(error)} where id = ${row['id'] ?? null}`,
  );
  await failTask(beginWrite(environment, transaction, null), String(row['id']), error);
}

async function claimJob(
  environment: WriteEnvironment,
  transaction: Transaction,
  { lease, leaseMs }: ClaimCommand,
  row: Row,
): Promise<ClaimedJob> {
  const [id, organizationId] = [String(row['id']), textOrNull(row['organization_id'])];
  const attempt = Number(row['attempts']) + 1;
  const dueAt = textOrNull(row['run_for']) ?? String(row['due_at']);
  const until = storeClockAfter(transaction.dialect.name, leaseMs);
  await transaction.run(
    sql`update job set lease = ${lease}, leased_until = ${until}, attempts = ${attempt}, run_for = ${dueAt}, due_at = null
      where id = ${id}`,
  );
  if (organizationId !== null) await noteTurn(transaction, organizationId);
  const context = beginWrite(environment, transaction, null);
  const started = attempt === 1 ? { started_at: context.now } : {};
  await changeTask(context, id, { status: 'inprogress', attempts: attempt, ...started });
  return {
    id,
    type: String(row['type']),
    organizationId,
    subject: textOrNull(row['subject']),
    payload: parseObject(String(row['payload'])),
    priority: Number(row['priority']),
    dueAt,
    attempt,
    lease,
  };
}

/** Claims due jobs for an instance. It gets at most as many jobs of a type as it has free slots. */
export async function claimJobs(
  environment: WriteEnvironment,
  transaction: Transaction,
  command: ClaimCommand,
): Promise<JobResult> {
  const { now } = command;
  await releaseExpired(transaction, now);
  const jobs: ClaimedJob[] = [];
  let buried = 0;
  for (const type of command.types)
    for (const id of await dueJobs(transaction, now, type)) {
      const row = await lockDue(transaction, id, now);
      if (row === null) continue;
      if (Number(row['attempts']) >= type.maxAttempts) {
        await bury(environment, transaction, row);
        buried += 1;
      } else jobs.push(await claimJob(environment, transaction, command, row));
    }
  return { kind: 'jobs', jobs, buried };
}

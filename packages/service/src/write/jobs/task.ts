import type { JsonObject } from '@inlay/contract';
import type { JobError, TaskResult } from '../../commands/job.ts';
import { laterOf, load, type WriteContext } from '../context.ts';
import { recordOf, replaceRecord } from '../../resource/tables.ts';
import type { Secrets } from '../../declare/secrets.ts';

/** Updates the task of a job, if it has one. */
export async function changeTask(
  context: WriteContext,
  jobId: string,
  fields: JsonObject,
  hidden: JsonObject = {},
  secrets: Secrets = {},
): Promise<void> {
  const { environment, transaction, now } = context;
  const task = environment.registry.resource('task');
  const stored = await load(context, task, jobId);
  if (stored === null) return;
  const { id, organizationId } = stored;
  const before = recordOf(stored);
  const updatedAt = laterOf(now, before['updated_at']);
  const place = { resource: task.name, id, organization: organizationId };
  const sealed = await environment.seals.sealAll(transaction, place, stored.sealed, secrets);
  await replaceRecord(transaction, task, stored, {
    record: { ...before, ...fields, updated_at: updatedAt },
    hidden,
    organizationId,
    sealed,
    secretKey: environment.seals.keyOf(sealed),
  });
}

/** Marks the task of a job as failed. */
export const failTask = (context: WriteContext, jobId: string, error: JobError): Promise<void> =>
  changeTask(context, jobId, { status: 'failed', completed_at: context.now, error: { ...error } });

/** Marks the task of a job as completed. `made` is the file that it produced. */
export async function completeTask(context: WriteContext, jobId: string, made: TaskResult | null): Promise<void> {
  const completed = { status: 'completed', completed_at: context.now, progress: 100, error: null };
  if (made === null) return changeTask(context, jobId, completed);
  const { result, hidden, fileKey } = made;
  return changeTask(context, jobId, { ...completed, result }, hidden, { [fileKeyPlace]: fileKey });
}

/** Name under which the key that encrypts a task's file is stored among its secrets. */
export const fileKeyPlace = 'file_key';

import { timestamp } from '@inlay/contract';
import type { Caller } from '../access/caller.ts';
import { callerOf } from '../callers/caller-of.ts';
import type { TaskResult } from '../commands/job.ts';
import type { JobRun, JobType } from '../jobs/job.ts';
import type { ResultFiles } from '../jobs/result-file.ts';
import { taskDays } from '../jobs/sweep-records.ts';
import { authorizeWrite } from '../pipeline/rights/authorize-write.ts';
import { authorizeServedGet, unlockedContext } from '../pipeline/rights/held-roles.ts';
import { Problem } from '../problems/problem.ts';
import type { Registry } from '../resource/registry.ts';
import type { ServedAnswer, ServedHandlers } from '../resource/served.ts';
import type { Reader } from '../store/store.ts';
import type { RowAccess } from '../tracing/call-context.ts';
import { untraced } from '../tracing/trace.ts';
import { accessText } from './file-access.ts';
import { taskFilePath } from './paths.ts';
import { readStoredRequest, type StoredRequest } from './stored-request.ts';

export interface TaskJobContext {
  readonly reader: Reader;
  readonly registry: Registry;
  readonly served: ServedHandlers;
  readonly files: ResultFiles;
  readonly now: () => number;
  readonly timeoutMs: number;
}

/** Maximum number of concurrent tasks of one type per instance. */
const slots = 2;

/** Repeats the access checks of the request with the caller's current rights. Raises Problem. */
async function authorizeAgain(
  { reader, registry }: TaskJobContext,
  caller: Caller,
  resourceName: string,
  { operation, input }: StoredRequest,
): Promise<void> {
  const context = unlockedContext(reader, registry, caller);
  const resource = registry.resource(resourceName);
  if (operation === 'get') return authorizeServedGet(context, resource, input);
  await authorizeWrite(context, resource, { kind: 'create', set: input, echoes: {}, links: [] }, {});
}

async function* chunksOf(body: ServedAnswer['body']): AsyncGenerator<Uint8Array> {
  if (typeof body === 'string') yield Buffer.from(body);
  else if (body instanceof Uint8Array) yield body;
  else yield* body;
}

async function runTask(context: TaskJobContext, { job, signal, progress }: JobRun): Promise<TaskResult> {
  const request = readStoredRequest(job.payload);
  const caller = await callerOf(context.reader, request.caller, context.now());
  // The person may have moved to another organization.
  if (caller.organizationId !== job.organizationId) throw new Problem('credentials_invalid');
  await authorizeAgain(context, caller, job.type, request);
  const handler = context.served[job.type];
  if (handler === undefined) throw new Error(`nothing answers ${job.type}`);
  const accesses: RowAccess[] = [];
  const { operation, input, lines } = request;
  const answer = await handler({
    operation,
    caller,
    input,
    lines,
    signal,
    deadlineMs: performance.now() + context.timeoutMs,
    idempotency: null,
    file: null,
    rows: null,
    trace: untraced(),
    onAccess: (access) => accesses.push(access),
  });
  progress(50);
  const { organizationId } = caller;
  const file = { organizationId, taskId: job.id, name: job.lease };
  const { key } = await context.files.write(file, chunksOf(answer.body), signal);
  return {
    result: {
      downloadUrl: taskFilePath(job.id),
      expiresAt: timestamp(context.now() + taskDays * 24 * 3_600_000),
    },
    hidden: {
      file: file.name,
      file_type: JSON.stringify({ type: answer.type ?? 'application/json', name: answer.fileName ?? null }),
      access: accessText(accesses),
    },
    fileKey: key,
  };
}

/** Creates the job types of tasks: one for each served resource that may answer later. */
export const createTaskJobs = (context: TaskJobContext): readonly JobType[] =>
  context.registry.resources
    .filter(({ served = {} }) => Object.values(served).some(({ mayBeLater }) => mayBeLater === true))
    .map(({ name }) => ({
      name,
      slots,
      timeoutMs: context.timeoutMs,
      maxAttempts: 8,
      run: (run) => runTask(context, run),
    }));

import { textOr, type JsonObject } from '@inlay/contract';
import type { Caller } from '../access/caller.ts';
import { referenceTo, type CallerReference } from '../callers/caller-of.ts';
import type { Command, WriteResult } from '../commands/command.ts';
import { isKnown } from '../idempotency/table.ts';
import type { ResultFiles } from '../jobs/result-file.ts';
import type { JobRunner } from '../jobs/runner.ts';
import type { CreateTask } from '../pipeline/service.ts';
import { Problem } from '../problems/problem.ts';
import type { Store } from '../store/store.ts';
import { writeStoredRequest } from './stored-request.ts';

/**
 * Returns for whom a task runs. A task outlives the session of a login, so it runs for the user. The task of an API
 * token ends with the token.
 */
const runsFor = (caller: Caller): CallerReference =>
  caller.type === 'login' && caller.userId !== null ? { kind: 'person', id: caller.userId } : referenceTo(caller);

const entityOf = ({ dashboard_id: dashboardId = null }: JsonObject): string | null => textOr(dashboardId, null);

/** Creates a function that stores a task for a request and wakes the queue of this instance. */
export function taskCreator(store: Store<Command, WriteResult>, jobs: JobRunner, files: ResultFiles): CreateTask {
  return async ({ caller, resource, operation, input, lines, idempotency }) => {
    const isRepeated = idempotency !== null && (await isKnown(store, idempotency));
    if (!isRepeated) await files.requireSpace(caller.organizationId);
    const request = writeStoredRequest({ caller: runsFor(caller), operation, input, lines });
    const result = await store.write({
      kind: 'job',
      step: 'request',
      caller: referenceTo(caller),
      idempotency,
      task: { type: resource.name, entityId: entityOf(input), request },
    });
    if (result.kind === 'problem') throw new Problem(result.problem.code, result.problem);
    if (result.kind !== 'record') throw new Error('a task was answered as something else');
    jobs.wake();
    const { id, text } = result.stored;
    return { body: text, taskId: id, isReplayed: result.replayed === true };
  };
}

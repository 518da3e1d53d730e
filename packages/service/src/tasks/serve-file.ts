import { objectOr, parseObject, textOr } from '@inlay/contract';
import type { Caller } from '../access/caller.ts';
import { securable } from '../declare/roles.ts';
import type { CheckAccess } from '../data/row-access.ts';
import type { ResultFiles } from '../jobs/result-file.ts';
import { authenticate } from '../pipeline/authenticate.ts';
import { identify, type IncomingRequest } from '../pipeline/identify.ts';
import type { Service } from '../pipeline/service.ts';
import { validate } from '../pipeline/validate.ts';
import { holds, unlockedContext } from '../pipeline/rights/held-roles.ts';
import { Problem } from '../problems/problem.ts';
import type { ServedAnswer } from '../resource/served.ts';
import { recordOf, type StoredRecord } from '../resource/tables.ts';
import { findOne } from '../search/find-one.ts';
import { sql } from '../store/sql.ts';
import type { Row } from '../store/store.ts';
import { fileKeyPlace } from '../write/jobs/task.ts';
import { readAccess } from './file-access.ts';

export interface TaskFileContext {
  readonly service: Service;
  readonly files: ResultFiles;
  readonly checkAccess: CheckAccess;
  readonly openSecret: (place: TaskKeyPlace, sealed: string) => string;
}

interface TaskKeyPlace {
  readonly resource: string;
  readonly id: string;
  readonly organization: string | null;
  readonly field: string;
}

/** Answers a request for the file of a task, whose id is in the body. Raises Problem: 401, 403, 404, 429. */
export type ServeTaskFile = (incoming: IncomingRequest) => Promise<ServedAnswer>;

const refusal = 'You no longer have the rights that this file was made with. Request it again.';

/**
 * Raises Problem `forbidden` unless the caller requested the file and still has all rights with which it was created.
 */
async function requireRights(
  { service, checkAccess }: TaskFileContext,
  caller: Caller,
  stored: StoredRecord,
  hidden: Row,
): Promise<void> {
  const { user_id: userId, entity_id: dashboardId } = recordOf(stored);
  if (caller.userId === null || caller.userId !== userId)
    throw new Problem('forbidden', { message: 'Only the person who requested a file may get it.' });
  const accesses = readAccess(textOr(hidden['access'], 'null'));
  const context = unlockedContext(service.store, service.registry, caller);
  const mayRead =
    typeof dashboardId !== 'string' ||
    (await holds(context, service.registry.resource('securable'), dashboardId, securable('read')));
  if (accesses === null || !mayRead || !(await checkAccess(caller, accesses)))
    throw new Problem('forbidden', { message: refusal });
}

/**
 * Creates a function that returns the file of a task to its requester. A file is not a record, so the steps of a
 * request after authentication do not apply. The function itself checks the rights with which the file was created.
 */
export function createServeTaskFile(context: TaskFileContext): ServeTaskFile {
  const { service, files, openSecret } = context;
  return async (incoming) => {
    const authenticated = await authenticate(service, identify(service.registry, incoming));
    const { input, caller, path } = validate(service.registry, authenticated);
    if (input.kind !== 'get' || caller === null) throw new Problem('not_found');
    const visible = { reader: service.store, registry: service.registry, caller };
    const seen = await findOne(visible, path.resource, input.id, []);
    if (seen === null) throw new Problem('not_found');
    const { stored } = seen;
    const [hidden] = await service.store.rows(sql`select access, file, file_type from task where id = ${stored.id}`);
    const sealed = stored.sealed[fileKeyPlace];
    const { status, result = null } = recordOf(stored);
    const expiresAt = Date.parse(textOr(objectOr(result)['expiresAt'], ''));
    if (hidden === undefined || sealed === undefined || status !== 'completed' || !(service.now() < expiresAt))
      throw new Problem('not_found', { message: 'This task has no file, or not yet.' });
    await requireRights(context, caller, stored, hidden);
    const organizationId = stored.organizationId ?? '';
    const key = openSecret(
      { resource: path.resource.name, id: stored.id, organization: organizationId, field: fileKeyPlace },
      sealed,
    );
    const { type, name } = parseObject(textOr(hidden['file_type'], '{}'));
    const body = await files.read({ organizationId, taskId: stored.id, name: textOr(hidden['file'], '') }, key);
    return {
      body,
      type: textOr(type, 'application/octet-stream'),
      ...(typeof name === 'string' ? { fileName: name } : {}),
    };
  };
}

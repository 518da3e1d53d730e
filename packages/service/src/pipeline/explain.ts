import type { JsonObject } from '@inlay/contract';
import { unlessEnded } from '../concurrency/release.ts';
import type { ExplainedParty } from '../declare/explanation.ts';
import { Problem } from '../problems/problem.ts';
import { recordOf } from '../resource/tables.ts';
import type { VisibleRecord } from '../search/visible-records.ts';
import type { AuthorizedRequest } from './authorize.ts';
import { startDeadline } from './deadline.ts';
import { holds, refuse, unlockedContext } from './rights/held-roles.ts';
import type { Service } from './service.ts';

/**
 * Returns the members of an answer that explain a record. Raises Problem `forbidden`, `reference_unknown`,
 * `deadline_passed`.
 */
export async function explain(
  service: Service,
  { path: { resource }, caller, incoming }: AuthorizedRequest,
  { stored }: VisibleRecord,
  party: ExplainedParty,
): Promise<JsonObject> {
  const role = resource.explainedTo;
  if (role === undefined || caller === null) throw new Problem('operation_unknown');
  const context = unlockedContext(service.reader, service.registry, caller);
  if (!(await holds(context, resource, stored.id, role))) refuse(role, caller);
  await service.confirmCaller();
  const { signal, deadlineMs, done, cancel } = startDeadline(incoming, service.deadlineMs);
  try {
    const { id } = stored;
    const record = recordOf(stored);
    const request = { caller, resource, id, record, party, signal, deadlineMs, trace: incoming.trace };
    const explanation = await unlessEnded(signal, service.explain(request));
    done();
    return { explanation };
  } catch (error) {
    cancel(error);
    throw error;
  }
}

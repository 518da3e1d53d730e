import { filledText, type JsonObject } from '@inlay/contract';
import type { Caller } from '../access/caller.ts';
import { callerOfAuthorization, callerOfPerson } from '../callers/caller-of.ts';
import type { ExplainedParty } from '../declare/explanation.ts';
import { ranks } from '../declare/roles.ts';
import { Problem } from '../problems/problem.ts';
import { recordOf } from '../resource/tables.ts';
import { findOne } from '../search/find-one.ts';
import { loadNames, type RecordKey } from './records.ts';
import type { SearchContext } from '../search/visible-records.ts';

/** Whose access is explained. */
export interface Subject {
  readonly record: JsonObject;
  readonly resource: 'user' | 'authorization';
  /** Null if they may do nothing: the person is no member any more, or the authorization has ended. */
  readonly caller: Caller | null;
}

/**
 * Finds the person or authorization that a request names. Raises Problem `reference_unknown` if the caller may not see
 * it.
 */
export async function findSubject(
  context: SearchContext,
  { member, resource, id }: ExplainedParty,
  nowMs: number,
): Promise<Subject> {
  const { reader, registry } = context;
  const seen = await findOne(context, registry.resource(resource), id);
  if (seen === null)
    throw new Problem('reference_unknown', {
      validation: { [`explain.${member}`]: [`there is no such ${resource}, or you may not see it`] },
    });
  const caller = await (resource === 'user' ? callerOfPerson(reader, id) : callerOfAuthorization(reader, id, nowMs));
  return { record: recordOf(seen.stored), resource, caller };
}

const recordIn = (record: JsonObject, field: string, resource: string): RecordKey | null => {
  const id = record[field];
  return typeof id === 'string' ? { resource, id } : null;
};

/** Returns what an explanation says about its subject. */
export async function describeSubject(
  context: SearchContext,
  { record, resource, caller }: Subject,
): Promise<JsonObject> {
  const isToken = resource === 'authorization';
  const user = isToken ? recordIn(record, 'user_id', 'user') : null;
  const integration = isToken ? recordIn(record, 'integration_id', 'integration') : null;
  const describe = await loadNames(
    context,
    [user, integration].filter((key) => key !== null),
  );
  return {
    type: isToken ? (record['type'] ?? null) : 'user',
    id: record['id'] ?? null,
    name: filledText(record['name']) ?? filledText(record['username']),
    suborganization: record['suborganization'] ?? null,
    rank: caller === null || caller.type === 'embed' ? null : (ranks[caller.rank - 1] ?? null),
    role: isToken ? (record['role'] ?? null) : null,
    user: user === null ? null : describe(user),
    integration: integration === null ? null : describe(integration),
    environment: isToken ? (record['environment'] ?? null) : null,
    ended: caller === null,
  };
}

import type { Caller } from '../access/caller.ts';
import { groupsText, tokenAsSubject, personAsSubject } from '../access/subjects.ts';
import { Problem } from '../problems/problem.ts';
import { hinted, sql, text, rebind } from '../store/sql.ts';
import type { Reader } from '../store/store.ts';
import { credential, factsIn } from './facts.ts';
import { callerOfFacts, StaleCaller } from './presumed.ts';

/**
 * Refers to a caller as plain data that can be stored. The caller's rights are determined when the work runs. A login
 * ends with its session, so work that outlives the session must refer to the person.
 */
export type CallerReference =
  | { readonly kind: 'authorization'; readonly id: string }
  /** A person without an authorization. */
  | { readonly kind: 'person'; readonly id: string };

/** True for a person without an authorization, such as the owner of a development service. */
const hasNoAuthorization = ({ authorizationId, userId }: Caller): boolean => authorizationId === userId;

export const referenceTo = (caller: Caller): CallerReference => ({
  kind: hasNoAuthorization(caller) ? 'person' : 'authorization',
  id: caller.authorizationId,
});

/**
 * Returns the caller of a login, API token or embed token; null if the authorization has ended. Raises StaleCaller if
 * the facts differ from `presumed`.
 */
export async function callerOfAuthorization(
  reader: Reader,
  authorizationId: string,
  nowMs: number,
  presumedFacts?: string,
): Promise<Caller | null> {
  const statement = hinted(rebind(credential(reader.dialect), authorizationId), { cached: true });
  const [row] = await reader.rows(
    presumedFacts === undefined ? statement : hinted(statement, { expected: { facts: presumedFacts } }),
  );
  const facts = factsIn(row);
  if (presumedFacts !== undefined && facts !== presumedFacts) throw new StaleCaller('the caller was another one');
  return facts === null ? null : callerOfFacts(facts, nowMs);
}

/** Returns a person with the rights of a login; null if the person belongs to no organization. */
export async function callerOfPerson(reader: Reader, userId: string): Promise<Caller | null> {
  const [row] = await reader.rows(
    sql`select u.organization_id, u.suborganization, o.level as rank,
      ${groupsText(reader.dialect.listed, text('u.id'))} as groups
      from "user" u join link o on o.first_id = u.organization_id and o.target_id = u.id
      and o.association = 'organization.Users' where u.id = ${userId}`,
  );
  if (row === undefined) return null;
  return {
    authorizationId: userId,
    type: 'api',
    organizationId: String(row['organization_id']),
    userId,
    subjects: personAsSubject(userId, row['groups']),
    rank: Number(row['rank']),
    suborganization: typeof row['suborganization'] === 'string' ? row['suborganization'] : null,
    username: null,
    ceiling: 4,
    issuer: null,
    hiddenColumns: [],
    features: null,
  };
}

/** Returns the caller for an embed token that `issuer` creates now. */
export const callerOfNewToken = (id: string, suborganization: string | null, issuer: Caller): Caller => ({
  ...issuer,
  authorizationId: id,
  type: 'embed',
  userId: null,
  username: null,
  subjects: tokenAsSubject(id, null),
  rank: 0,
  hiddenColumns: [],
  features: [],
  issuer: { subjects: issuer.subjects, rank: issuer.rank },
  suborganization,
});

/**
 * Returns the caller that a reference identifies. Raises Problem `credentials_invalid` if the caller no longer exists,
 * and StaleCaller if the facts differ from the presumed facts.
 */
export async function callerOf(
  reader: Reader,
  reference: CallerReference,
  nowMs: number,
  presumedFacts?: string,
): Promise<Caller> {
  const caller =
    reference.kind === 'person'
      ? await callerOfPerson(reader, reference.id)
      : await callerOfAuthorization(reader, reference.id, nowMs, presumedFacts);
  if (caller === null) throw new Problem('credentials_invalid');
  return caller;
}

/** Returns the first owner in the store as a caller; null in an empty store. */
export async function callerOfFirstOwner(reader: Reader): Promise<Caller | null> {
  const [row] = await reader.rows(
    sql`select target_id from link where association = 'organization.Users' and level >= 3 order by created_at, target_id limit 1`,
  );
  const id = row?.['target_id'];
  return typeof id === 'string' ? callerOfPerson(reader, id) : null;
}

import { isList, isObject, type Json, type JsonObject } from '@inlay/contract';
import type { Caller } from '../../access/caller.ts';
import { columnsOf, condition, permits } from '../../access/permits.ts';
import { levelOf, rights, securable, type Right } from '../../declare/roles.ts';
import type { Work } from '../../resource/rules.ts';
import { list, sql, text } from '../../store/sql.ts';

/** A securable that a token can access, with the token's right on it. */
export interface SecurableGrant {
  readonly id: string;
  readonly type: 'dataset' | 'dashboard';
  readonly right: Right;
}

/** The grants of an integration, and the row filters on the links to its securables. */
export interface IntegrationGrants {
  readonly grants: readonly SecurableGrant[];
  readonly filters: readonly Json[];
}

/** Returns the ids of those securables on which the caller has a right. */
async function heldBy(caller: Caller | null, ids: readonly string[], right: Right, work: Work) {
  if (ids.length === 0) return new Set<string>();
  const rows = await work.transaction.rows(
    sql`select t.id from securable t where t.id in ${list(ids)}
      and ${condition(permits(securable(right), caller, columnsOf(text('t'))))}`,
  );
  return new Set(rows.map((row) => String(row['id'])));
}

const typeOf = (value: unknown): SecurableGrant['type'] => (value === 'dataset' ? 'dataset' : 'dashboard');

/**
 * Returns the grants of an integration, limited to the rights of the token's issuer. specification/rights#embed-tokens
 */
export async function integrationGrants(
  caller: Caller | null,
  integrationId: string,
  work: Work,
): Promise<IntegrationGrants> {
  const rows = await work.transaction.rows(
    sql`select s.id, s.type, l.properties from link l join securable s on s.id = l.first_id
      where l.target_id = ${integrationId} and l.association = 'securable.Integrations' order by s.id`,
  );
  const linked = rows.map((row) => {
    const parsed: Json = JSON.parse(String(row['properties'] ?? '{}'));
    return { id: String(row['id']), type: typeOf(row['type']), properties: isObject(parsed) ? parsed : {} };
  });
  const opened = linked.filter(({ properties }) => properties['flagUse'] === true || properties['flagRead'] !== false);
  const ids = opened.map(({ id }) => id);
  const [readable, usable] = [await heldBy(caller, ids, 'read', work), await heldBy(caller, ids, 'use', work)];
  const permitted = opened.filter(({ id }) => readable.has(id));
  return {
    grants: permitted.map(({ id, type, properties }) => ({
      id,
      type,
      right: properties['flagUse'] === true && usable.has(id) ? 'use' : 'read',
    })),
    filters: permitted.flatMap(({ properties: { filters = null } }) => (isList(filters) ? filters : [])),
  };
}

/** Returns the current grants of a token's collections, limited to the rights of its issuer. */
export async function collectionGrants(
  caller: Caller | null,
  collections: readonly { readonly id: string; readonly right: Right }[],
  work: Work,
): Promise<readonly SecurableGrant[]> {
  const grants: SecurableGrant[] = [];
  for (const { id, right } of collections) {
    const rows = await work.transaction.rows(
      sql`select s.id, s.type, c.level from link c join securable s on s.id = c.first_id
        where c.target_id = ${id} and c.association = 'securable.Collections' order by s.id`,
    );
    const inside = rows.map((row) => ({
      id: String(row['id']),
      type: typeOf(row['type']),
      level: Number(row['level'] ?? 0),
    }));
    for (const word of rights.slice(0, levelOf(right))) {
      const able = inside.filter(({ level }) => level >= levelOf(word));
      const permitted = await heldBy(
        caller,
        able.map((securable) => securable.id),
        word,
        work,
      );
      grants.push(
        ...able
          .filter((securable) => permitted.has(securable.id))
          .map((securable) => ({ id: securable.id, type: securable.type, right: word })),
      );
    }
  }
  return grants;
}

/** Returns the highest right on each securable, in the format of `access`. */
export function accessOf(grants: readonly SecurableGrant[]): JsonObject {
  const strongest = new Map<string, SecurableGrant>();
  for (const grant of grants) {
    const current = strongest.get(grant.id);
    if (current === undefined || levelOf(current.right) < levelOf(grant.right)) strongest.set(grant.id, grant);
  }
  const rightsOn = (type: SecurableGrant['type']): readonly JsonObject[] =>
    [...strongest.values()].filter((grant) => grant.type === type).map(({ id, right }) => ({ id, rights: right }));
  return { datasets: rightsOn('dataset'), dashboards: rightsOn('dashboard') };
}

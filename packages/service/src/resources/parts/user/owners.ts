import { isOverseer } from '../../../access/caller.ts';
import { Problem } from '../../../problems/problem.ts';
import type { Change, Rule, Work } from '../../../resource/rules.ts';
import { name, sql, type Sql } from '../../../store/sql.ts';
import { handOver } from './hand-over.ts';

const owning = (userId: string): Sql =>
  sql`target_id = ${userId} and (level >= 4 or (level >= 3 and association = 'organization.Users'))`;
const resourceOf = (association: unknown): string => String(association).split('.')[0] ?? '';

/** Locks the records that a person owns, so that two last owners cannot leave at the same time. */
async function lockOwned(userId: string, { transaction }: Work): Promise<void> {
  const owned = await transaction.rows(
    sql`select distinct association from link where ${owning(userId)} order by association`,
  );
  for (const { association } of owned) {
    const records = sql`select first_id from link where association = ${association ?? null} and ${owning(userId)}`;
    await transaction.rows(
      sql`select id from ${name(resourceOf(association))} where id in (${records}) order by id${transaction.dialect.forUpdate}`,
    );
  }
}

/** Refuses a hand-over that the caller may not perform, or whose recipient cannot become the owner. Raises Problem. */
async function mayHandOver({ id, caller }: Change, toId: string, work: Work): Promise<void> {
  if (caller !== null && !isOverseer(caller))
    throw new Problem('forbidden', {
      message: 'Only an Organization Owner of the whole organization hands over what somebody else owns.',
    });
  const fault = (message: string): never => {
    throw new Problem('validation_failed', { validation: { 'properties.transfer_to': [message] } });
  };
  if (toId === id) fault('must be another person than the one who is deleted');
  // Locks the recipient, so that nobody deletes the record before the commit.
  await work.record('user', toId);
  const [shared] = await work.transaction.rows(
    sql`select 1 as held from link a join link b on b.first_id = a.first_id and b.association = a.association
      where a.association = 'organization.Users' and a.target_id = ${id} and b.target_id = ${toId}`,
  );
  if (shared === undefined) fault('must be a member of the same organization');
}

export const transferOwned: Rule = {
  name: 'transfer-owned',
  on: ['delete'],
  description:
    'With transfer_to, an Organization Owner of the whole organization makes a member the owner of the records that only the deleted person owned or created, and the giver of the access that this person passed on.',
  run: async (change, work) => {
    const toId = change.sent['transfer_to'];
    if (typeof toId !== 'string') return undefined;
    await mayHandOver(change, toId, work);
    await lockOwned(change.id, work);
    await handOver(work, change.id, toId, change.now);
    return undefined;
  },
};

export const keepOwners: Rule = {
  name: 'keep-owners',
  on: ['delete'],
  description:
    'The last owner of a record or an organization cannot be deleted. If there are several owners, the record then names the newest remaining one.',
  run: async ({ id: userId }, work) => {
    await lockOwned(userId, work);
    const owned = await work.transaction.rows(
      sql`select l.association as association, count(*) as held from link l where l.target_id = ${userId}
        and (l.level >= 4 or (l.level >= 3 and l.association = 'organization.Users')) and not
        exists (select 1 from link o where o.first_id = l.first_id and o.association = l.association
        and o.target_id <> l.target_id and (o.level >= 4 or (o.level >= 3
        and o.association = 'organization.Users'))) group by l.association`,
    );
    if (owned.length > 0) {
      const counts = owned.map((row) => `${Number(row['held'])} × ${resourceOf(row['association'])}`);
      throw new Problem('last_owner', {
        validation: {
          id: [`is the only owner of: ${counts.join(', ')}; name who takes over in properties.transfer_to`],
        },
      });
    }
    return undefined;
  },
};

import { Problem } from '../problems/problem.ts';
import type { Rule, Work } from '../resource/rules.ts';
import { name, sql, type Sql } from '../store/sql.ts';

const owning = (userId: string): Sql =>
  sql`target_id = ${userId} and (level >= 4 or (level >= 3 and association = 'organization.Users'))`;
const resourceOf = (association: unknown): string => String(association).split('.')[0] ?? '';

/** Locks what somebody owns, so that of two last owners who go at the same moment the second sees the first gone. */
async function lockOwned(userId: string, { transaction }: Work): Promise<void> {
  const held = await transaction.rows(
    sql`select distinct association from link where ${owning(userId)} order by association`,
  );
  for (const { association } of held) {
    const records = sql`select first_id from link where association = ${association ?? null} and ${owning(userId)}`;
    await transaction.rows(
      sql`select id from ${name(resourceOf(association))} where id in (${records}) order by id${transaction.dialect.forUpdate}`,
    );
  }
}

export const keepOwners: Rule = {
  name: 'keep-owners',
  on: ['delete'],
  source: 'decision R4',
  sentence: 'The last owner of a record or an organization is not deleted; of several the newest other one is named.',
  run: async ({ id: userId }, work) => {
    await lockOwned(userId, work);
    const held = await work.transaction.rows(
      sql`select l.association as association, count(*) as held from link l where l.target_id = ${userId} and (l.level >= 4 or (l.level >= 3 and l.association = 'organization.Users')) and not exists (select 1 from link o where o.first_id = l.first_id and o.association = l.association and o.target_id <> l.target_id and (o.level >= 4 or (o.level >= 3 and o.association = 'organization.Users'))) group by l.association`,
    );
    if (held.length > 0) {
      const counts = held.map((row) => `${Number(row['held'])} × ${resourceOf(row['association'])}`);
      throw new Problem('last_owner', { validation: { id: [`is the only owner of: ${counts.join(', ')}`] } });
    }
    return undefined;
  },
};

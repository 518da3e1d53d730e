import type { Caller } from '../access/caller.ts';
import { groupsText, personAsSubject } from '../access/subjects.ts';
import { sql, text } from '../store/sql.ts';
import type { Reader } from '../store/store.ts';

/** A person acting without a token, for trying things out on one's own machine only. */
export async function anonymousCaller(reader: Reader, userId: string): Promise<Caller | null> {
  const rows = await reader.rows(
    sql`select u.id, u.organization_id, u.suborganization, o.level as rank,
      ${groupsText(reader.dialect.listed, text('u.id'))} as groups
      from "user" u left join link o on o.first_id = u.organization_id and o.target_id = u.id
      and o.association = 'organization.Users' where u.id = ${userId}`,
  );
  const [row] = rows;
  if (row === undefined) return null;
  return {
    authorizationId: userId,
    type: 'api',
    organizationId: String(row['organization_id']),
    userId,
    subjects: personAsSubject(userId, row['groups']),
    rank: Number(row['rank'] ?? 0),
    suborganization: typeof row['suborganization'] === 'string' ? row['suborganization'] : null,
    ceiling: 4,
    issuer: null,
    hiddenColumns: [],
  };
}

/** The first owner of the store; null in an empty one. */
export async function firstOwnerId(reader: Reader): Promise<string | null> {
  const rows = await reader.rows(
    sql`select target_id from link where association = 'organization.Users' and level >= 3 order by created_at, target_id limit 1`,
  );
  const found = rows[0]?.['target_id'];
  return typeof found === 'string' ? found : null;
}

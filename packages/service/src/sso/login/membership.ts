import { inWords, isList, isObject, type Json } from '@inlay/contract';
import { putLink, type WriteContext } from '../../write/context.ts';
import { name, sql } from '../../store/sql.ts';
import type { Mapping } from '../../resources/parts/sso-mapping.ts';

const membership = 'organization.Users';

/**
 * Sets a person's rank from the claims. Never demotes the last owner of an organization.
 * specification/sign-in#names-roles-and-groups
 */
export async function putRank(
  context: WriteContext,
  organizationId: string,
  userId: string,
  level: number | null,
): Promise<void> {
  const { transaction } = context;
  const [link] = await transaction.rows(
    sql`select level from link where first_id = ${organizationId} and target_id = ${userId} and association = ${membership}`,
  );
  const currentLevel = link === undefined ? null : Number(link['level']);
  const newLevel = level ?? currentLevel ?? 1;
  if (newLevel === currentLevel) return;
  if (currentLevel !== null && currentLevel >= 3 && newLevel < 3) {
    await transaction.rows(
      sql`select id from organization where id = ${organizationId}${transaction.dialect.forUpdate}`,
    );
    const [others] = await transaction.rows(
      sql`select count(*) as n from link where first_id = ${organizationId} and association = ${membership}
        and target_id <> ${userId} and level >= 3`,
    );
    if (Number(others?.['n']) === 0) return;
  }
  await putLink(context, organizationId, membership, userId, newLevel, {});
}

interface Group {
  readonly id: string;
  readonly names: readonly string[];
  readonly suborganization: string | null;
}

/**
 * Returns the groups that a claim controls: the groups in its mapping. If the claim contains group names, these are all
 * groups of the organization.
 */
async function decidedGroups(
  { transaction }: WriteContext,
  organizationId: string,
  mapping: Mapping,
): Promise<readonly Group[]> {
  const groupIds = mapping.groups?.values ?? null;
  const ids = groupIds === null ? null : new Set(Object.values(groupIds).map((id) => id.toLowerCase()));
  const rows = await transaction.rows(
    sql`select id, suborganization, record from ${name('group')} where organization_id = ${organizationId}`,
  );
  return rows.flatMap((row) => {
    const id = String(row['id']);
    const record: Json = JSON.parse(String(row['record']));
    const names = isObject(record) ? (record['name'] ?? null) : null;
    if (ids !== null && !ids.has(id)) return [];
    return [
      {
        id,
        suborganization: row['suborganization'] === null ? null : String(row['suborganization']),
        names: isObject(names)
          ? Object.values(names).map((word) => inWords(word))
          : isList(names)
            ? []
            : [inWords(names)],
      },
    ];
  });
}

/**
 * Adds a person to the groups that the claims name, and removes the person from other groups that the claim controls.
 */
export async function putGroups(
  context: WriteContext,
  organizationId: string,
  userId: string,
  mapping: Mapping,
  claimedGroups: readonly string[] | null,
): Promise<void> {
  if (claimedGroups === null || mapping.groups === null) return;
  const { transaction } = context;
  const rows = await transaction.rows(
    sql`select first_id, level from link where target_id = ${userId} and association = 'group.Users'`,
  );
  const levels = new Map(rows.map((row) => [String(row['first_id']), Number(row['level'])]));
  const [person] = await transaction.rows(sql`select suborganization from ${name('user')} where id = ${userId}`);
  const claimedNames = new Set(
    claimedGroups.map((word) => (mapping.groups?.values === null ? word : word.toLowerCase())),
  );
  for (const { id, names, suborganization } of await decidedGroups(context, organizationId, mapping)) {
    const isOpen = suborganization === null || suborganization === person?.['suborganization'];
    const isNamed =
      claimedNames.has(id) || (mapping.groups.values === null && names.some((word) => claimedNames.has(word)));
    const isIn = isOpen && isNamed;
    const level = levels.get(id);
    if (isIn && level === undefined) await putLink(context, id, 'group.Users', userId, 1, {});
    // Removes plain members only, since claims neither make somebody the owner of a group nor end that.
    if (!isIn && level === 1)
      await transaction.run(
        sql`delete from link where first_id = ${id} and target_id = ${userId} and association = 'group.Users'`,
      );
  }
}

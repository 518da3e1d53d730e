import { inWords } from '@inlay/contract';
import { mustOutrank } from '../../../access/outranks.ts';
import type { Change, Rule } from '../../../resource/rules.ts';
import { sql } from '../../../store/sql.ts';

/**
 * Refuses changes to a person of a higher rank, since a caller who can change a person's login could sign in as that
 * person.
 */
const withinRank = (name: string, on: Rule['on'], personOf: (change: Change) => string): Rule => ({
  name,
  on,
  description:
    'A caller cannot change a person with a higher rank, or how that person signs in, unless the caller is an owner of the whole organization.',
  run: async (change, { transaction }) => {
    const { caller } = change;
    const userId = personOf(change);
    if (caller === null || caller.userId === userId) return undefined;
    const [link] = await transaction.rows(
      sql`select level from link where first_id = ${caller.organizationId} and target_id = ${userId}
        and association = 'organization.Users'`,
    );
    mustOutrank(caller, Number(link?.['level'] ?? 0));
    return undefined;
  },
});

export const personWithinRank = withinRank('person-within-rank', ['update', 'delete'], ({ id }) => id);
export const identityWithinRank = withinRank('identity-within-rank', ['create', 'delete'], ({ after }) =>
  inWords(after['user_id']),
);

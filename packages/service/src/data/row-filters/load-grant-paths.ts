import { isList, isObject, type Json } from '@inlay/contract';
import { rowFilter } from '../../access/filter-kinds.ts';
import { isCollected } from '../../access/given.ts';
import type { LinkParty } from '../../access/subjects.ts';
import { join, list, sql, text, type Sql } from '../../store/sql.ts';
import type { Row } from '../../store/store.ts';
import type { Alternatives } from '../model/parts.ts';

const directLinks = list(['securable.Users', 'securable.Groups', 'securable.Embed']);

/**
 * A grant of access to a dataset. The grant shows no more rows than its grantor sees now; if an owner granted it,
 * `filters` limit it.
 */
export interface GrantPath {
  readonly datasetId: string;
  /** The person who granted access and whose current rights limit the grant; null if an owner granted it. */
  readonly grantorId: string | null;
  /** If an owner granted access: the row filters that applied to the owner at that time; null if there were none. */
  readonly filters: Alternatives | null;
}

/**
 * Selects the links that give a party at least this level on these datasets: direct links, and links to collections
 * that contain the datasets. `part` marks the selected rows within a union. SQLite joins the tables of a `cross join`
 * in the written order: it starts with the datasets and their collections, and never scans all links of a party.
 */
export function grantPathLinks(part: string, datasets: Sql, { from }: LinkParty, level: number): Sql {
  const ownLinks = from(text('l'), sql`in ${datasets}`).map(
    (to) => sql`select ${part} as part, l.first_id, null as association, l.target_id, l.giver_id as properties, l.given
    from link l where ${to} and l.association in ${directLinks} and l.level >= ${level}`,
  );
  const collected = from(text('g'), text('= c.target_id')).map(
    (to) => sql`select ${part} as part, c.first_id, null as association, g.target_id, c.giver_id as properties, c.given
    from link c cross join link g where c.first_id in ${datasets} and ${isCollected('c')}
    and c.level >= ${level} and ${to} and g.level >= ${level}`,
  );
  return join([...ownLinks, ...collected], ' union all ');
}

/** Selects the role of a person in organizations. The role may give access to every dataset of the organization. */
export const rankLinks = (part: string, person: Sql): Sql =>
  sql`select ${part} as part, l.first_id, 'rank' as association, l.target_id, cast(l.level as text) as properties,
    null as given from link l where l.target_id in ${person} and l.association = 'organization.Users'`;

/** Returns the level of the role from the rows of `rankLinks`; 0 if there is no role. */
export const rankIn = (rows: readonly Row[], part: string): number =>
  Math.max(
    0,
    ...rows
      .filter((row) => row['part'] === part && row['association'] === 'rank')
      .map((row) => Number(row['properties'])),
  );

/** Parses row filters that are stored with a link; null if there are none. Raises Error if they are malformed. */
function givenFilters(storedFilters: unknown): Alternatives | null {
  if (typeof storedFilters !== 'string') return null;
  const alternatives: Json = JSON.parse(storedFilters);
  if (!isList(alternatives)) throw new Error('the row filters of a giver are not a list');
  return alternatives.map((filters) => {
    if (!isList(filters)) throw new Error('the row filters of a giver are not lists');
    return filters.map((entry) => {
      const { on = null, filter = {} } = isObject(entry) ? entry : {};
      return rowFilter(typeof on === 'string' ? on : null, isObject(filter) ? filter : {});
    });
  });
}

/** Returns the grant of a link to a dataset. Raises Error if its row filters are malformed. */
export const grantPathOf = (datasetId: string, grantor: unknown, filters: unknown): GrantPath => ({
  datasetId,
  grantorId: typeof grantor === 'string' ? grantor : null,
  filters: givenFilters(filters),
});

/** Returns the grants from those rows of a statement that are marked with `part`. */
export const grantPathsIn = (rows: readonly Row[], part: string): readonly GrantPath[] =>
  rows
    .filter((row) => row['part'] === part && row['association'] !== 'rank')
    .map((row) => grantPathOf(String(row['first_id']), row['properties'], row['given']));

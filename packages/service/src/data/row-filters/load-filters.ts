import { isObject, type Json } from '@inlay/contract';
import { filtersIn, type AnyFilter, type FilterLink } from '../../access/filter-kinds.ts';
import { isCollected } from '../../access/given.ts';
import type { Caller } from '../../access/caller.ts';
import { partyOf, type LinkParty } from '../../access/subjects.ts';
import { join, list, sql, text, type Sql } from '../../store/sql.ts';
import type { Row } from '../../store/store.ts';

const datasetLinks = list(['securable.Users', 'securable.Groups']);
const accountLinks = list(['account.Users', 'account.Groups']);
const collectionLinks = list(['collection.Users', 'collection.Groups']);

/** Returns the parties whose links apply: the caller, and for an embed token also its issuer. */
export const partiesOf = ({ subjects, issuer }: Caller): readonly LinkParty[] =>
  [subjects, ...(issuer === null ? [] : [issuer.subjects])].map(partyOf);

/**
 * Returns conditions that select the links between one party and these datasets, including links to accounts,
 * collections and integrations of the datasets.
 */
function waysOf(datasets: Sql, { direct, from }: LinkParty): readonly Sql[] {
  const link = text('l');
  const accounts = sql`in (select s.account_id from securable s where s.id in ${datasets})`;
  const collections = sql`in (select c.target_id from link c where c.first_id in ${datasets} and ${isCollected('c')})`;
  return [
    ...from(link, sql`in ${datasets}`).map((to) => sql`${to} and l.association in ${datasetLinks}`),
    ...from(link, accounts).map((to) => sql`${to} and l.association in ${accountLinks}`),
    ...from(link, collections).map((to) => sql`${to} and l.association in ${collectionLinks}`),
    sql`${direct(link)} and l.association = 'integration.Users'`,
    sql`l.first_id in ${datasets} and l.association = 'securable.Integrations'
      and l.target_id in (select i.first_id from link i where ${direct(text('i'))}
      and i.association = 'integration.Users')`,
  ];
}

/**
 * Selects the links with filters between the parties and these datasets: direct links and those of groups, and links to
 * accounts, collections and integrations of the datasets. For an embed token, also selects the filter groups of the
 * datasets. The filters on all these links must match.
 */
export function filterLinks(datasets: Sql, parties: readonly LinkParty[], isEmbed: boolean): Sql {
  const select = sql`select 'filter' as part, l.first_id, l.association, l.target_id, l.properties, null as given
    from link l where l.properties is not null and`;
  const linkConditions: readonly Sql[] = [
    ...parties.flatMap((party) => waysOf(datasets, party)),
    ...(isEmbed ? [sql`l.first_id in ${datasets} and l.association = 'securable.EmbedFilterGroups'`] : []),
  ];
  return join(
    linkConditions.map((where) => sql`${select} ${where}`),
    ' union all ',
  );
}

/** Returns the link that `filterLinks` selected. */
export const filterLinkOf = (row: Row): FilterLink => ({
  association: String(row['association']),
  firstId: String(row['first_id']),
  targetId: String(row['target_id']),
  filters: filtersOf(row),
});

/** Returns the filters of a link that `filterLinks` selected. */
export function filtersOf(row: Row): readonly AnyFilter[] {
  const datasetId = String(row['association']).startsWith('securable.') ? String(row['first_id']) : null;
  const linkProperties: Json = JSON.parse(String(row['properties']));
  return filtersIn(isObject(linkProperties) ? linkProperties['filters'] : null, datasetId);
}

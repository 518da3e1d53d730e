import { join, sql, text, type Sql } from '../store/sql.ts';
import { withLookedUpBy } from './lookups.ts';
import type { Caller } from './caller.ts';
import { isCollected, isDatasetOf } from './given.ts';
import { levelOf } from '../declare/roles.ts';
import { linksTo, partyOf, type Subjects } from './subjects.ts';

/** How stored filters begin that do not restrict rows (`filterAsStored`). */
const beginnings = ['{"origin":"chart",', '{"origin":"initialization",', '{"clause":"having",'].map(
  (start) => `${start}"securable_id":`,
);

/** Condition that link properties contain a row filter. Ambiguous properties count as a row filter. */
function holdsFilters(properties: Sql): Sql {
  const remainder = beginnings.reduce<Sql>(
    (rest, start) => sql`replace(${rest}, ${text(`'${start}'`)}, '')`,
    properties,
  );
  return sql`(${properties} like '%"filters":[{%' and (${remainder} like '%"filters":[{%' or ${remainder} like '%"securable_id":%'))`;
}

const use = levelOf('use');

/**
 * Condition that the subjects have at least this level on a dataset. If `isUnbounded`, only links whose grantor has no
 * row filter count.
 */
function wayTo(id: Sql, subjects: Subjects, level: number, isUnbounded: boolean): Sql {
  const [linkCondition, collectionCondition] = isUnbounded
    ? [text(' and d.given is null'), text(' and c.giver_id is null and c.given is null')]
    : [text(''), text('')];
  const { from } = partyOf(subjects);
  const throughLinks = from(text('d'), sql`= ${id}`).map(
    (to) => sql`exists (select 1 from link d where ${to} and d.level >= ${level}${linkCondition})`,
  );
  const throughCollections = from(text('g'), text('= c.target_id')).map(
    (to) => sql`exists (select 1 from link c cross join link g where c.first_id = ${id}
    and ${isCollected('c')} and c.level >= ${level}${collectionCondition} and ${to} and g.level >= ${level})`,
  );
  return sql`(${join([...throughLinks, ...throughCollections], ' or ')})`;
}

/**
 * Condition that a link without restrictions gives the subjects the right to use the rows. If no link gives that right,
 * an unrestricted link that lets them read the dataset is enough.
 */
function reached(id: Sql, subjects: Subjects, rank: number): Sql {
  if (rank >= levelOf('admin')) return text('1 = 1');
  const asReader = sql`${wayTo(id, subjects, 1, true)} and not ${wayTo(id, subjects, use, false)}`;
  return sql`(${wayTo(id, subjects, use, true)} or (${asReader}))`;
}

/**
 * Condition that links prove that a caller sees every row of a dataset: no row filter applies to the caller, and one of
 * the caller's grants is unrestricted. False if in doubt. specification/rights#row-filters
 */
export function seesAllRows(caller: Caller, id: Sql): Sql {
  const { subjects, issuer, rank, authorizationId } = caller;
  const filteredLinks = [subjects, ...(issuer === null ? [] : [issuer.subjects])]
    .flatMap((entry) => linksTo(text('f'), entry))
    .map(
      (to) =>
        sql`select 1 from link f where ${to} and f.properties is not null and ${holdsFilters(text('f.properties'))}`,
    );
  const onDataset = ['securable.EmbedFilterGroups', 'securable.Integrations'].map(
    (association) => sql`select 1 from link f where f.first_id in ${withLookedUpBy(id)}
      and f.association = ${association} and f.properties is not null and ${holdsFilters(text('f.properties'))}`,
  );
  const ofToken = sql`select 1 from "authorization" a where a.id = ${authorizationId} and ${holdsFilters(text('a.record'))}`;
  const noFilterConditions = [...filteredLinks, ...onDataset, ...(caller.type === 'embed' ? [ofToken] : [])].map(
    (condition) => sql`not exists (${condition})`,
  );
  const unrestrictedWays = [
    reached(id, subjects, rank),
    ...(issuer === null ? [] : [reached(id, issuer.subjects, issuer.rank)]),
  ];
  return sql`(${join([...noFilterConditions, ...unrestrictedWays], ' and ')})`;
}

/** Condition that a caller sees every row of each dataset linked to a dashboard. */
export const seesWholeDashboard = (caller: Caller, id: Sql): Sql =>
  sql`not exists (select 1 from link w where w.first_id = ${id} and ${isDatasetOf('w')}
    and not ${seesAllRows(caller, text('w.target_id'))})`;

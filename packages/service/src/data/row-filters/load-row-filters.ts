import { partiesWithRank, type Caller, type Party } from '../../access/caller.ts';
import { splitFilters, type FilterLink, type FoundFilter, type FoundFilters } from '../../access/filter-kinds.ts';
import { coversAll, subjectsOf } from '../../access/given.ts';
import { levelOf, type Right } from '../../declare/roles.ts';
import { partyOf, type LinkParty, type Subjects } from '../../access/subjects.ts';
import { join, list, sql, type Sql } from '../../store/sql.ts';
import type { Reader, Row } from '../../store/store.ts';
import { filterLinkOf, filterLinks, partiesOf } from './load-filters.ts';
import { loadLookups, withLookedUp, type Lookups } from '../../access/lookups.ts';
import { rankIn, rankLinks, grantPathLinks, grantPathsIn, type GrantPath } from './load-grant-paths.ts';
import type { Alternatives, LoadedRowFilters, RowFilterSet } from '../model/parts.ts';
import { aboutDataset } from './row-filters.ts';
import { widest } from '../metadata/widest.ts';

const unboundedAlternatives: Alternatives = [[]];
const isUnbounded = (alternatives: Alternatives): boolean => alternatives.some((filters) => filters.length === 0);

const unionAll = (statements: readonly Sql[]): Sql => join(statements, ' union all ');

const linksAmong = (rows: readonly Row[]): readonly FilterLink[] =>
  rows.filter((row) => row['part'] === 'filter').map(filterLinkOf);
const filtersOn = (links: readonly FilterLink[]): FoundFilters => splitFilters(links.flatMap(({ filters }) => filters));

/** Maximum number of grantors that a request follows. Access through further grantors is ignored. */
const maxGrantors = 32;

/**
 * State while following grantors: the least right that they need, the parties already visited, how many more grantors
 * may be followed, and the links with filters that were found.
 */
interface Walk {
  readonly reader: Reader;
  readonly lookups: Lookups;
  readonly level: number;
  readonly visited: ReadonlySet<string>;
  readonly remaining: { grantors: number };
  readonly links: FilterLink[];
}

/** Returns which rows of a dataset a grantor currently sees. Returns no alternatives if the grantor has lost access. */
async function grantorSees(walk: Walk, grantorId: string, datasetId: string): Promise<Alternatives> {
  const { reader, lookups, level, visited, remaining } = walk;
  if (visited.has(grantorId) || remaining.grantors === 0) return [];
  remaining.grantors -= 1;
  const datasets = list([datasetId]);
  const isGrantor = (link: Sql): Sql => sql`${link}.target_id in ${subjectsOf(sql`cast(${grantorId} as text)`)}`;
  const grantor: LinkParty = {
    direct: isGrantor,
    from: (link, of) => [sql`${link}.first_id ${of} and ${isGrantor(link)}`],
  };
  const rows = await reader.rows(
    unionAll([
      filterLinks(withLookedUp(datasets), [grantor], false),
      grantPathLinks('grant', datasets, grantor, level),
      rankLinks('grant', list([grantorId])),
    ]),
  );
  const rank = rankIn(rows, 'grant');
  // Former members of the organization have no rights in the organization.
  if (rank === 0) return [];
  const links = linksAmong(rows);
  walk.links.push(...links);
  const ownFilters = aboutDataset(filtersOn(links).rowFilters, lookups, datasetId);
  const further = { ...walk, visited: new Set([...visited, grantorId]) };
  const alternatives = coversAll(rank, level)
    ? unboundedAlternatives
    : await alternativesOf(further, grantPathsIn(rows, 'grant'), datasetId);
  return alternatives.map((filters) => [...ownFilters, ...filters]);
}

/** Returns which rows of its dataset a grant shows. */
const grantShows = async (walk: Walk, { datasetId, grantorId, filters }: GrantPath): Promise<Alternatives> =>
  grantorId === null ? (filters ?? unboundedAlternatives) : grantorSees(walk, grantorId, datasetId);

/**
 * Returns which rows of a dataset the grants show. A grant shows at most the rows that its grantor sees. A row is
 * visible if any grant shows it. specification/rights#who-hands-on-what
 */
async function alternativesOf(walk: Walk, grantPaths: readonly GrantPath[], datasetId: string): Promise<Alternatives> {
  const ofDataset = grantPaths.filter((path) => path.datasetId === datasetId);
  if (ofDataset.some(({ grantorId, filters }) => grantorId === null && filters === null)) return unboundedAlternatives;
  const alternatives: (readonly FoundFilter[])[] = [];
  for (const path of ofDataset) {
    const sees = await grantShows(walk, path);
    if (isUnbounded(sees)) return unboundedAlternatives;
    alternatives.push(...sees);
  }
  return widest(alternatives);
}

/**
 * Returns which rows a grant to a party shows, for the least right that the rows are read with. Adds the links with
 * filters of its grantors to `links`.
 */
export const loadGrant = (
  { reader, lookups, links }: Pick<Walk, 'reader' | 'lookups' | 'links'>,
  { ids }: Subjects,
  right: Right,
  path: GrantPath,
): Promise<Alternatives> =>
  grantShows(
    { reader, lookups, links, level: levelOf(right), visited: new Set(ids), remaining: { grantors: maxGrantors } },
    path,
  );

/**
 * Loads the row restrictions on datasets for a caller who has a right on them. All row filters on the links must match.
 * The caller must have the right, and for an embed token also its issuer; for each of these parties, at least one grant
 * must show the row. Also loads the filters of other kinds on the links. Uses one statement, and another one for each
 * grantor who is not an owner.
 */
export async function loadRowFilters(
  reader: Reader,
  caller: Caller,
  datasetIds: readonly string[],
  right: Right = 'use',
): Promise<LoadedRowFilters> {
  if (datasetIds.length === 0)
    return {
      filters: [],
      grantPaths: new Map(),
      boundParties: new Map(),
      lookups: new Map(),
      others: splitFilters([]),
      links: [],
    };
  const level = levelOf(right);
  const datasets = list(datasetIds);
  const parties = partiesWithRank(caller);
  const [lookups, rows] = await Promise.all([
    loadLookups(reader, datasets),
    reader.rows(
      unionAll([
        filterLinks(withLookedUp(datasets), partiesOf(caller), caller.type === 'embed'),
        ...parties.map(({ party, subjects }) => grantPathLinks(party, datasets, partyOf(subjects), level)),
      ]),
    ),
  ]);
  const grantPaths = new Map<string, readonly Alternatives[]>();
  const remaining = { grantors: maxGrantors };
  const ownLinks = linksAmong(rows);
  const links = [...ownLinks];
  const boundParties = new Map<string, readonly Party[]>();
  for (const id of datasetIds) {
    const ofParties: (readonly [Party, Alternatives])[] = [];
    for (const { party, subjects, rank } of parties) {
      const walk = { reader, lookups, level, remaining, links, visited: new Set(subjects.ids) };
      const alternatives = coversAll(rank, level)
        ? unboundedAlternatives
        : await alternativesOf(walk, grantPathsIn(rows, party), id);
      if (!isUnbounded(alternatives)) ofParties.push([party, alternatives]);
    }
    if (ofParties.length === 0) continue;
    boundParties.set(
      id,
      ofParties.map(([party]) => party),
    );
    grantPaths.set(
      id,
      ofParties.map(([, alternatives]) => alternatives),
    );
  }
  const { rowFilters, ...others } = filtersOn(ownLinks);
  return { filters: rowFilters, grantPaths, boundParties, lookups, others, links };
}

/** Combines filters and grants to alternatives; null if the caller sees all rows. */
export function alternativesFor(bounds: RowFilterSet, datasetId: string): Alternatives | null {
  const ownFilters = aboutDataset(bounds.filters, bounds.lookups, datasetId);
  const alternatives = (bounds.grantPaths.get(datasetId) ?? []).reduce<Alternatives>(
    (combinedFilters, party) =>
      combinedFilters.flatMap((filters) => party.map((partyFilters) => [...filters, ...partyFilters])),
    [ownFilters],
  );
  return isUnbounded(alternatives) ? null : widest(alternatives);
}

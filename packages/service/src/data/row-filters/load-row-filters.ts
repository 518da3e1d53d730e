import type { Caller } from '../../access/caller.ts';
import { splitFilters, type FoundFilter, type FoundFilters } from '../../access/filter-kinds.ts';
import { subjectsOf } from '../../access/given.ts';
import { levelOf, type Right } from '../../declare/roles.ts';
import { partyOf, type LinkParty } from '../../access/subjects.ts';
import { join, list, sql, type Sql } from '../../store/sql.ts';
import type { Reader, Row } from '../../store/store.ts';
import { filterLinks, filtersOf, partiesOf } from './load-filters.ts';
import { loadLookups, withLookedUp, type Lookups } from '../../access/lookups.ts';
import { coversAll, rankIn, rankLinks, grantPathLinks, grantPathsIn, type GrantPath } from './load-grant-paths.ts';
import type { Alternatives, LoadedRowFilters, RowFilterSet } from '../model/parts.ts';
import { aboutDataset } from './row-filters.ts';
import { widest } from '../metadata/widest.ts';

const unboundedAlternatives: Alternatives = [[]];
const isUnbounded = (alternatives: Alternatives): boolean => alternatives.some((filters) => filters.length === 0);

const unionAll = (statements: readonly Sql[]): Sql => join(statements, ' union all ');

const filtersAmong = (rows: readonly Row[]): FoundFilters =>
  splitFilters(rows.filter((row) => row['part'] === 'filter').flatMap(filtersOf));

/** Maximum number of grantors that a request follows. Access through further grantors is ignored. */
const maxGrantors = 32;

/**
 * State while following grantors: the least right that they need, the parties already visited, and how many more
 * grantors may be followed.
 */
interface Walk {
  readonly reader: Reader;
  readonly lookups: Lookups;
  readonly level: number;
  readonly visited: ReadonlySet<string>;
  readonly remaining: { grantors: number };
}

/** Returns which rows of a dataset a grantor currently sees. Returns no alternatives if the grantor has lost access. */
async function grantorSees(
  { reader, lookups, level, visited, remaining }: Walk,
  grantorId: string,
  datasetId: string,
): Promise<Alternatives> {
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
  const ownFilters = aboutDataset(filtersAmong(rows).rowFilters, lookups, datasetId);
  const walk = { reader, lookups, level, remaining, visited: new Set([...visited, grantorId]) };
  const alternatives = coversAll(rank, level)
    ? unboundedAlternatives
    : await alternativesOf(walk, grantPathsIn(rows, 'grant'), datasetId);
  return alternatives.map((filters) => [...ownFilters, ...filters]);
}

/**
 * Returns which rows of a dataset the grants show. A grant shows at most the rows that its grantor sees. A row is
 * visible if any grant shows it. specification/rights#who-hands-on-what
 */
async function alternativesOf(walk: Walk, grantPaths: readonly GrantPath[], datasetId: string): Promise<Alternatives> {
  const ofDataset = grantPaths.filter((path) => path.datasetId === datasetId);
  if (ofDataset.some(({ grantorId, filters }) => grantorId === null && filters === null)) return unboundedAlternatives;
  const alternatives: (readonly FoundFilter[])[] = [];
  for (const { grantorId, filters } of ofDataset) {
    const sees =
      grantorId === null ? (filters ?? unboundedAlternatives) : await grantorSees(walk, grantorId, datasetId);
    if (isUnbounded(sees)) return unboundedAlternatives;
    alternatives.push(...sees);
  }
  return widest(alternatives);
}

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
    return { filters: [], grantPaths: new Map(), lookups: new Map(), others: splitFilters([]) };
  const level = levelOf(right);
  const datasets = list(datasetIds);
  const parties = [
    { part: 'caller', subjects: caller.subjects, rank: caller.rank },
    ...(caller.issuer === null ? [] : [{ part: 'issuer', ...caller.issuer }]),
  ];
  const [lookups, rows] = await Promise.all([
    loadLookups(reader, datasets),
    reader.rows(
      unionAll([
        filterLinks(withLookedUp(datasets), partiesOf(caller), caller.type === 'embed'),
        ...parties.map(({ part, subjects }) => grantPathLinks(part, datasets, partyOf(subjects), level)),
      ]),
    ),
  ]);
  const grantPaths = new Map<string, readonly Alternatives[]>();
  const remaining = { grantors: maxGrantors };
  for (const id of datasetIds) {
    const ofParties: Alternatives[] = [];
    for (const { part, subjects, rank } of parties) {
      const walk = { reader, lookups, level, remaining, visited: new Set(subjects.ids) };
      const alternatives = coversAll(rank, level)
        ? unboundedAlternatives
        : await alternativesOf(walk, grantPathsIn(rows, part), id);
      if (!isUnbounded(alternatives)) ofParties.push(alternatives);
    }
    if (ofParties.length > 0) grantPaths.set(id, ofParties);
  }
  const { rowFilters, ...others } = filtersAmong(rows);
  return { filters: rowFilters, grantPaths, lookups, others };
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

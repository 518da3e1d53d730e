import type { Caller } from '../../access/caller.ts';
import { splitFilters, type FoundFilter, type FoundFilters } from '../../access/filter-kinds.ts';
import { subjectsOf } from '../../access/given.ts';
import { levelOf, type Right } from '../../declare/roles.ts';
import { partyOf, type LinkParty } from '../../access/subjects.ts';
import { join, list, sql, type Sql } from '../../store/sql.ts';
import type { Reader, Row } from '../../store/store.ts';
import { filterLinks, filtersOf, partiesOf } from './load-filters.ts';
import { loadLookups, withLookedUp, type Lookups } from '../../access/lookups.ts';
import { opensAll, rankIn, rankLinks, wayLinks, waysIn, type Way } from './load-ways.ts';
import type { Alternatives, LoadedBounds, RowBounds } from '../model/parts.ts';
import { aboutDataset } from './row-filters.ts';
import { widest } from '../metadata/widest.ts';

const unbounded: Alternatives = [[]];
const isUnbounded = (alternatives: Alternatives): boolean => alternatives.some((filters) => filters.length === 0);

const together = (statements: readonly Sql[]): Sql => join(statements, ' union all ');

const filtersAmong = (rows: readonly Row[]): FoundFilters =>
  splitFilters(rows.filter((row) => row['part'] === 'filter').flatMap(filtersOf));

/** Maximum grantors of a request; access by further ones is ignored. */
const mostGivers = 32;

/** State of the traversal of grantors: the minimum right, visited parties, and the remaining number. */
interface Walk {
  readonly reader: Reader;
  readonly lookups: Lookups;
  readonly level: number;
  readonly asked: ReadonlySet<string>;
  readonly left: { givers: number };
}

/** Returns what a grantor currently sees of a dataset; no alternative if they have lost access. */
async function giverSees(
  { reader, lookups, level, asked, left }: Walk,
  giverId: string,
  datasetId: string,
): Promise<Alternatives> {
  if (asked.has(giverId) || left.givers === 0) return [];
  left.givers -= 1;
  const datasets = list([datasetId]);
  const isGiver = (link: Sql): Sql => sql`${link}.target_id in ${subjectsOf(sql`cast(${giverId} as text)`)}`;
  const giver: LinkParty = {
    direct: isGiver,
    from: (link, of) => [sql`${link}.first_id ${of} and ${isGiver(link)}`],
  };
  const rows = await reader.rows(
    together([
      filterLinks(withLookedUp(datasets), [giver], false),
      wayLinks('way', datasets, giver, level),
      rankLinks('way', list([giverId])),
    ]),
  );
  const rank = rankIn(rows, 'way');
  // Former members of the organization have no rights in it.
  if (rank === 0) return [];
  const ownFilters = aboutDataset(filtersAmong(rows).rowFilters, lookups, datasetId);
  const walk = { reader, lookups, level, left, asked: new Set([...asked, giverId]) };
  const ways = opensAll(rank, level) ? unbounded : await alternativesOf(walk, waysIn(rows, 'way'), datasetId);
  return ways.map((filters) => [...ownFilters, ...filters]);
}

/**
 * Returns the rows visible through grants of a dataset, each limited to those of its grantor; a row is visible if any
 * grant shows it. specification/rights#who-hands-on-what
 */
async function alternativesOf(walk: Walk, ways: readonly Way[], datasetId: string): Promise<Alternatives> {
  const mine = ways.filter((way) => way.datasetId === datasetId);
  if (mine.some(({ giverId, given }) => giverId === null && given === null)) return unbounded;
  const alternatives: (readonly FoundFilter[])[] = [];
  for (const { giverId, given } of mine) {
    const sees = giverId === null ? (given ?? unbounded) : await giverSees(walk, giverId, datasetId);
    if (isUnbounded(sees)) return unbounded;
    alternatives.push(...sees);
  }
  return widest(alternatives);
}

/**
 * Loads the restrictions on rows of these datasets for a caller with a right on them. All row filters on the links used
 * must match. For each party that must have the right (the caller, and the issuer of an embed token), at least one
 * grant must show the row. Also loads the other filters on those links. Uses one statement, and one for each grantor
 * who is not an owner.
 */
export async function loadRowBounds(
  reader: Reader,
  caller: Caller,
  datasetIds: readonly string[],
  right: Right = 'use',
): Promise<LoadedBounds> {
  if (datasetIds.length === 0) return { filters: [], ways: new Map(), lookups: new Map(), others: splitFilters([]) };
  const level = levelOf(right);
  const datasets = list(datasetIds);
  const parties = [
    { part: 'caller', subjects: caller.subjects, rank: caller.rank },
    ...(caller.issuer === null ? [] : [{ part: 'issuer', ...caller.issuer }]),
  ];
  const [lookups, rows] = await Promise.all([
    loadLookups(reader, datasets),
    reader.rows(
      together([
        filterLinks(withLookedUp(datasets), partiesOf(caller), caller.type === 'embed'),
        ...parties.map(({ part, subjects }) => wayLinks(part, datasets, partyOf(subjects), level)),
      ]),
    ),
  ]);
  const ways = new Map<string, readonly Alternatives[]>();
  const left = { givers: mostGivers };
  for (const id of datasetIds) {
    const ofParties: Alternatives[] = [];
    for (const { part, subjects, rank } of parties) {
      const walk = { reader, lookups, level, left, asked: new Set(subjects.ids) };
      const opened = opensAll(rank, level) ? unbounded : await alternativesOf(walk, waysIn(rows, part), id);
      if (!isUnbounded(opened)) ofParties.push(opened);
    }
    if (ofParties.length > 0) ways.set(id, ofParties);
  }
  const { rowFilters, ...others } = filtersAmong(rows);
  return { filters: rowFilters, ways, lookups, others };
}

/** Combines filters and grants to alternatives; null without restrictions. */
export function alternativesFor(bounds: RowBounds, datasetId: string): Alternatives | null {
  const ownFilters = aboutDataset(bounds.filters, bounds.lookups, datasetId);
  const all = (bounds.ways.get(datasetId) ?? []).reduce<Alternatives>(
    (before, party) => before.flatMap((filters) => party.map((more) => [...filters, ...more])),
    [ownFilters],
  );
  return isUnbounded(all) ? null : widest(all);
}

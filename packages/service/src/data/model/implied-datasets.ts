import { datasetsOf, measuresOf, QueryProblem, type ModelDataset, type Query } from '@inlay/query';
import { list, sql } from '../../store/sql.ts';
import type { Reader } from '../../store/store.ts';
import type { QueryService, QueryRequest } from '../query-request.ts';

const referenced = /\{([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\}/giu;

/** Returns the columns in formulas of a query that do not belong to the datasets that the query names. */
function columnsElsewhere(query: Query, models: readonly ModelDataset[]): readonly string[] {
  const texts = measuresOf(query).flatMap((measure) => {
    if (measure.kind === 'expression') return [measure.text];
    if (measure.kind !== 'formula') return [];
    return models.flatMap(({ formulas }) => formulas.get(measure.formulaId)?.expression ?? []);
  });
  const columnIds = texts.flatMap((text) => [...text.matchAll(referenced)].map(([, id = '']) => id.toLowerCase()));
  return columnIds.filter(
    (id) => !models.some(({ columns, unproven }) => columns.has(id) || unproven?.has(id) === true),
  );
}

type Neighbours = ReadonlyMap<string, ReadonlySet<string>>;

function neighbours(pairs: Iterable<readonly [string, string]>): Neighbours {
  const byDataset = new Map<string, Set<string>>();
  for (const [from, to] of pairs)
    for (const [start, end] of [[from, to] as const, [to, from] as const])
      byDataset.set(start, (byDataset.get(start) ?? new Set()).add(end));
  return byDataset;
}

/**
 * Returns a shortest path from any dataset in `from` to the dataset `to`, including both ends; null if there is no
 * path.
 */
function shortestPath(links: Neighbours, from: ReadonlySet<string>, to: string): readonly string[] | null {
  const paths = new Map<string, readonly string[]>([...from].map((id) => [id, [id]]));
  for (const [id, path] of paths) {
    if (id === to) return path;
    for (const neighbour of links.get(id) ?? []) if (!paths.has(neighbour)) paths.set(neighbour, [...path, neighbour]);
  }
  return null;
}

/** Returns datasets that connect the named datasets indirectly. Ignores named datasets that cannot be connected. */
function between(links: Neighbours, namedIds: readonly string[]): readonly string[] {
  const reachedIds = new Set(namedIds.slice(0, 1));
  for (const id of namedIds.slice(1))
    for (const step of shortestPath(links, reachedIds, id) ?? []) reachedIds.add(step);
  return [...reachedIds].filter((id) => !namedIds.includes(id));
}

/** Loads the current lookups among all datasets that are connected with these datasets, directly or indirectly. */
async function lookupsAround(reader: Reader, ids: readonly string[]): Promise<Neighbours> {
  const rows = await reader.rows(
    sql`with recursive around(id) as (select s.id from securable s where s.id in ${list(ids)} union
      select case when l.dataset_id = a.id then l.looked_up_id else l.dataset_id end
      from around a join lookup_link l on l.dataset_id = a.id or l.looked_up_id = a.id)
      select l.dataset_id, l.looked_up_id from lookup_link l where l.dataset_id in (select id from around)
      and exists (select 1 from "column" c join link j on j.first_id = c.id and j.association = 'column.Joins'
        join "column" o on o.id = j.target_id where c.securable_id = l.dataset_id and o.securable_id = l.looked_up_id)`,
  );
  return neighbours(rows.map((row) => [String(row['dataset_id']), String(row['looked_up_id'])]));
}

/**
 * Returns the datasets that a query needs besides those it names: the datasets of columns in its formulas, and datasets
 * that connect the others. The caller's rights are checked when these datasets are loaded.
 */
async function furtherDatasets(
  { reader }: QueryService,
  { datasets, right }: QueryRequest,
  query: Query,
): Promise<readonly string[]> {
  const namedIds = datasetsOf(query);
  const models = namedIds.flatMap((id) => datasets.get(id)?.model ?? []);
  // Stored items may use only datasets that are linked to the dashboard, even if their formulas refer to other
  // datasets.
  const otherColumns = right === 'read' ? [] : columnsElsewhere(query, models);
  const rows =
    otherColumns.length === 0
      ? []
      : await reader.rows(sql`select distinct c.securable_id from "column" c where c.id in ${list(otherColumns)}`);
  const allIds = [...new Set([...namedIds, ...rows.map((row) => String(row['securable_id']))])];
  const connectingIds = allIds.length < 2 ? [] : between(await lookupsAround(reader, allIds), allIds);
  return [...allIds.filter((id) => !namedIds.includes(id)), ...connectingIds];
}

const needsMore: readonly string[] = ['join_missing', 'formula_invalid'];

/**
 * Runs work over the datasets that a query names. If the query needs further datasets, runs the work again with them.
 * Raises what `work` raises.
 */
export async function withImpliedDatasets<Given>(
  service: QueryService,
  request: QueryRequest,
  query: Query,
  work: (asking: QueryRequest) => Promise<Given>,
): Promise<Given> {
  try {
    return await work(request);
  } catch (error) {
    if (!(error instanceof QueryProblem) || !needsMore.includes(error.code)) throw error;
    const furtherIds = await furtherDatasets(service, request, query);
    if (furtherIds.length === 0) throw error;
    return work(await request.with(furtherIds));
  }
}

import { createHash } from 'node:crypto';
import {
  duckdb,
  emit,
  emitOrNull,
  emitScan,
  isCondition,
  overRollups,
  plan,
  scansOf,
  type QueryContext,
  type Dialect,
  type Lines,
  type Model,
  type ModelDataset,
  type Plan,
  type Query,
  type Relation,
  type Rollup,
  type RollupUse,
  type RowFilter,
  type ScanColumn,
  type Statement,
} from '@inlay/query';
import type { PluginRequest } from '../connectors/connector.ts';
import { sameText } from '../engine/engine.ts';
import { clusterAccount, publishedDialect, publishedRelation, type Cluster } from './cluster/cluster.ts';
import type { Publication } from './model/parts.ts';
import type { RowSource } from './sources.ts';

export type SqlSource = RowSource & { readonly kind: 'sql' };
type PluginSource = RowSource & { readonly kind: 'plugin' };

/** Rows that are fetched from the source of a dataset, so that the engine can use them. */
export type Fetch =
  | {
      readonly datasetId: string;
      readonly source: SqlSource;
      readonly statement: Statement;
      readonly columns: readonly ScanColumn[];
    }
  | { readonly datasetId: string; readonly source: PluginSource; readonly request: PluginRequest };

/** A query that runs at the source of its datasets. */
export interface SourceChoice {
  readonly place: 'source';
  readonly source: SqlSource;
  readonly statement: Statement;
}

/** A query that runs in the engine, over stored rows and rows that are fetched from sources. */
export interface EngineChoice {
  readonly place: 'engine';
  readonly statement: Statement;
  readonly fetches: readonly Fetch[];
  /** The plan, if the query reads copies of sources; otherwise null. */
  readonly plan: Plan | null;
  /** The plan over rollups of these copies that the statement is written from; null if it reads no rollup. */
  readonly rolledUp: RolledUpPlan | null;
}

/** A plan that reads rollups, and which ones. */
export interface RolledUpPlan {
  readonly plan: Plan;
  readonly uses: readonly RollupUse[];
}

/** A query that runs at the cluster, over published rows. */
export interface ClusterChoice {
  readonly place: 'cluster';
  readonly source: SqlSource;
  readonly statement: Statement;
  /** Returns the same query for the engine, which answers it where the cluster does not. */
  readonly inEngine: () => EngineChoice;
}

/** The place where a query runs, and the statement that runs there. */
export type Choice = SourceChoice | EngineChoice | ClusterChoice;

/** Names of places in answers, metrics and logs. */
export type PlaceLabel = 'pushdown' | 'engine' | 'mixed' | 'cluster';

/** Returns the name of a place: `mixed` is the engine over rows that are fetched from sources. */
export function placeLabel(choice: Choice): PlaceLabel {
  if (choice.place === 'source') return 'pushdown';
  if (choice.place === 'cluster') return 'cluster';
  return choice.fetches.length > 0 ? 'mixed' : 'engine';
}

export type Sources = ReadonlyMap<string, RowSource>;

/** A query with the models of its datasets. */
export interface PlannableQuery {
  readonly query: Query;
  readonly model: Model;
  readonly context: QueryContext;
  /** File format in which rows are written; null for JSON arrays. */
  readonly lines: Lines | null;
  /** The cluster with the published rows, and the organization of the caller; null if there is none. */
  readonly cluster: { readonly cluster: Cluster; readonly organizationId: string } | null;
}

const isSql = (source: RowSource): source is SqlSource => source.kind === 'sql';

/** Returns the source if all datasets have the same connection; otherwise undefined. */
function sharedSource(sources: Sources): SqlSource | undefined {
  const [first, ...others] = sources.values();
  if (first === undefined || !isSql(first)) return undefined;
  const { account, overriddenBy } = first.resolved;
  const isSameConnection = others.every(
    (other) => isSql(other) && other.resolved.account.id === account.id && other.resolved.overriddenBy === overriddenBy,
  );
  return isSameConnection ? first : undefined;
}

/** Returns the relation that a dataset reads at its source. Raises SourceProblem for an invalid name or query. */
export const relationAtSource = ({ of, connector }: SqlSource): Relation =>
  'query' in of
    ? { kind: 'query', sql: connector.checkQuery(of.query) }
    : { kind: 'table', path: connector.traits.path(of.table) };

function relationInEngine(datasetId: string, source: RowSource | undefined): Relation {
  const table = { kind: 'table', path: [datasetId] } as const;
  return source?.kind === 'version' ? { ...table, same: (column) => sameText(datasetId, column) } : table;
}

const sourceOf = (sources: Sources, datasetId: string): RowSource => {
  const source = sources.get(datasetId);
  if (source === undefined) throw new Error('a plan speaks of a dataset that was not resolved');
  return source;
};

/**
 * Returns the datasets that row filters look up. A lookup needs all rows of such a dataset, whether the caller may see
 * them or not.
 */
const lookedUp = (filters: readonly RowFilter[]): readonly string[] =>
  filters.flatMap((filter) => {
    if (filter.kind === 'test' || filter.kind === 'keys' || filter.kind === 'empty') return [];
    return [...(filter.kind === 'lookup' ? [filter.to.datasetId] : []), ...lookedUp(filter.of)];
  });

/**
 * Plans which rows of a plugin's table to fetch. If the query has several datasets, the plugin gets only row filters: a
 * join may need rows that a filter on another dataset excludes.
 */
function rowsOf(
  source: PluginSource,
  dataset: ModelDataset,
  { query, context }: PlannableQuery,
  isAlone: boolean,
): Fetch {
  const { connector, of } = source;
  const ownConditions = (context.rowFilters.get(dataset.id) ?? []).filter(isCondition);
  const isLookedUp = lookedUp([...context.rowFilters.values()].flat()).includes(dataset.id);
  const conditions = isLookedUp ? [] : [...(isAlone ? query.where : []), ...ownConditions];
  const table = 'table' in of ? of.table : '';
  return {
    datasetId: dataset.id,
    source,
    request: { table, filters: connector.hints(conditions, dataset), groups: null },
  };
}

/** Plans that a plugin aggregates rows and the engine does the rest; null if the query needs the rows themselves. */
function rolledUp({ query, model, context, lines }: PlannableQuery, sources: Sources): Choice | null {
  const [[datasetId, source] = []] = [...sources];
  if (sources.size !== 1 || datasetId === undefined || source?.kind !== 'plugin' || !('table' in source.of))
    return null;
  if (source.resolved.params.plugin?.target.pushdown !== true) return null;
  const rollUp = source.connector.rollUp(query, model, context);
  if (rollUp === null) return null;
  const { groups, columns, filters } = rollUp;
  const request = { table: source.of.table, filters, groups: { groups, columns } };
  // The plugin's result has the columns of `rollUp.model`, so row filters use these columns too.
  const finish = plan(rollUp.query, rollUp.model, { ...context, wholeModel: rollUp.model });
  const statement = emit(finish, duckdb, () => ({ kind: 'table', path: [datasetId] }), lines ?? 'json');
  const fetches = [{ datasetId, source, request }];
  return { place: 'engine', statement, fetches, plan: null, rolledUp: null };
}

/** Returns the rows that a plan needs from databases. */
function fetchesOf(planned: Plan, sources: Sources, dialectOf: (source: SqlSource) => Dialect): readonly Fetch[] {
  return scansOf(planned).flatMap((scan): readonly Fetch[] => {
    const source = sourceOf(sources, scan.datasetId);
    if (!isSql(source)) return [];
    const statement = emitScan(scan, dialectOf(source), relationAtSource(source));
    // A scan without columns only counts rows, so it reads a constant column.
    const columns = scan.columns.length === 0 ? [{ name: 'one', storageType: 'integer' as const }] : scan.columns;
    return [{ datasetId: scan.datasetId, source, statement, columns }];
  });
}

/**
 * Decides where a query runs. The query runs at the source if all its datasets have the same connection and the dialect
 * supports the whole plan exactly. It runs at the cluster if the cluster has the current rows of all its datasets.
 * Otherwise it runs in the engine, over rows that are fetched with the filters that the source supports. A pure
 * function. Raises QueryProblem, and SourceProblem for invalid names and queries.
 */
export function choose(planning: PlannableQuery, sources: Sources, dialectOf: (source: SqlSource) => Dialect): Choice {
  const planned = plan(planning.query, planning.model, planning.context);
  const remoteChoice =
    pushedDown(planned, sources, dialectOf) ?? rolledUp(planning, sources) ?? onCluster(planned, sources, planning);
  if (remoteChoice !== null) return remoteChoice;
  const pluginFetches = [...sources].flatMap(([id, source]): readonly Fetch[] => {
    const dataset = (planning.context.wholeModel ?? planning.model).datasets.get(id);
    if (source.kind !== 'plugin' || dataset === undefined) return [];
    return [rowsOf(source, dataset, planning, sources.size === 1)];
  });
  return inEngine(planned, sources, [...fetchesOf(planned, sources, dialectOf), ...pluginFetches], planning.lines);
}

/**
 * Decides where a plan of the service itself runs. Reads all rows of plugin tables. Raises the same errors as `choose`.
 */
export function choosePlace(
  planned: Plan,
  { datasets }: Model,
  sources: Sources,
  dialectOf: (source: SqlSource) => Dialect,
): Choice {
  const pluginFetches = [...sources].flatMap(([datasetId, source]): readonly Fetch[] => {
    if (source.kind !== 'plugin' || !datasets.has(datasetId)) return [];
    const table = 'table' in source.of ? source.of.table : '';
    return [{ datasetId, source, request: { table, filters: [], groups: null } }];
  });
  return (
    pushedDown(planned, sources, dialectOf) ??
    inEngine(planned, sources, [...fetchesOf(planned, sources, dialectOf), ...pluginFetches], null)
  );
}

/**
 * Compiles a plan for its source. Returns null if the datasets have different connections or the dialect does not
 * support the plan exactly.
 */
function pushedDown(planned: Plan, sources: Sources, dialectOf: (source: SqlSource) => Dialect): Choice | null {
  const entry = sharedSource(sources);
  if (entry !== undefined) {
    const relations = (datasetId: string): Relation => {
      const source = sourceOf(sources, datasetId);
      if (!isSql(source)) throw new Error('a dataset of another kind was taken along');
      return relationAtSource(source);
    };
    const statement = emitOrNull(planned, dialectOf(entry), relations, 'rows');
    if (statement !== null) return { place: 'source', source: entry, statement };
  }
  return null;
}

/** Returns the publications of all datasets by id; null if the cluster does not have the rows of one. */
function publicationsOf(sources: Sources): ReadonlyMap<string, Publication> | null {
  const publications = new Map<string, Publication>();
  for (const [id, source] of sources) {
    if (source.kind !== 'version' || source.publication === null) return null;
    publications.set(id, source.publication);
  }
  return publications;
}

/**
 * Compiles a plan for the cluster. Returns null if the cluster does not have all rows, its dialect does not support the
 * plan exactly, or rollups answer it.
 */
function onCluster(
  planned: Plan,
  sources: Sources,
  { cluster: target, lines }: Pick<PlannableQuery, 'cluster' | 'lines'>,
): ClusterChoice | null {
  if (target === null || sources.size === 0) return null;
  const publications = publicationsOf(sources);
  // Rollups are small, so the engine reads them faster.
  if (publications === null || rolledUpOf(planned, sources) !== null) return null;
  const relations = (datasetId: string): Relation => {
    const publication = publications.get(datasetId);
    if (publication === undefined) throw new Error('a plan speaks of a dataset that was not resolved');
    return publishedRelation(publication);
  };
  const statement = emitOrNull(planned, publishedDialect, relations, 'rows');
  if (statement === null) return null;
  const { cluster, organizationId } = target;
  const source: SqlSource = {
    kind: 'sql',
    connector: cluster.connector,
    resolved: clusterAccount(cluster, organizationId),
    of: { table: '' },
  };
  return { place: 'cluster', source, statement, inEngine: () => inEngine(planned, sources, [], lines) };
}

const rollupsOf = (source: RowSource | undefined): readonly Rollup[] | undefined =>
  source?.kind === 'version' ? source.rollups : undefined;

const readsCopy = (sources: Sources): boolean =>
  [...sources.values()].some((source) => rollupsOf(source) !== undefined);

/** Returns the plan over rollups; null if the query reads no copy or no rollup answers it. */
const rolledUpOf = (planned: Plan, sources: Sources): RolledUpPlan | null =>
  readsCopy(sources) ? overRollups(planned, (datasetId) => rollupsOf(sources.get(datasetId)) ?? []) : null;

function inEngine(planned: Plan, sources: Sources, fetches: readonly Fetch[], lines: Lines | null): EngineChoice {
  const rolledUp = rolledUpOf(planned, sources);
  const statement = emitInEngine(rolledUp?.plan ?? planned, sources, lines);
  return { place: 'engine', statement, fetches, plan: readsCopy(sources) ? planned : null, rolledUp };
}

/** Writes the statement of a plan for the engine. Raises QueryProblem. */
export const emitInEngine = (planned: Plan, sources: Sources, lines: Lines | null): Statement =>
  emit(planned, duckdb, (datasetId) => relationInEngine(datasetId, sources.get(datasetId)), lines ?? 'json');

/**
 * Returns a value that identifies the rows of a dataset. It changes with the version, the connection or the override.
 */
function rowsIdentity(datasetId: string, revision: number, source: RowSource): readonly unknown[] {
  if (source.kind === 'version') return [datasetId, source.version];
  const { account, overriddenBy, params } = source.resolved;
  return [datasetId, revision, account.id, account.revision, overriddenBy, source.of, params.plugin ?? null];
}

/**
 * Returns the cache key of an answer, which includes everything that determines its rows. Row filters and hidden
 * columns are included as parts of the statement. specification/data-queries#cache
 */
export function keyOf(
  organizationId: string,
  choice: Choice,
  sources: Sources,
  revisions: ReadonlyMap<string, number>,
  locale: string,
  rowLimit: number,
): string {
  const identities = [...sources].map(([id, source]) => rowsIdentity(id, revisions.get(id) ?? 0, source));
  const fetchedIds =
    choice.place !== 'engine'
      ? []
      : choice.fetches.map((fetch) => [fetch.datasetId, 'statement' in fetch ? fetch.statement : fetch.request]);
  const keyText = JSON.stringify([
    organizationId,
    choice.place,
    choice.statement,
    fetchedIds,
    identities,
    locale,
    rowLimit,
  ]);
  return createHash('sha256').update(keyText).digest('base64url');
}

import { createHash } from 'node:crypto';
import {
  duckdb,
  emit,
  emitOrNull,
  emitScan,
  isCondition,
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
  type RowFilter,
  type ScanColumn,
  type Statement,
} from '@inlay/query';
import type { PluginRequest } from '../connectors/connector.ts';
import { sameText } from '../engine/engine.ts';
import type { RowSource } from './sources.ts';

export type SqlSource = RowSource & { readonly kind: 'sql' };
type PluginSource = RowSource & { readonly kind: 'plugin' };

/** Rows to fetch from the source of a dataset for the engine. */
export type Fetch =
  | {
      readonly datasetId: string;
      readonly source: SqlSource;
      readonly statement: Statement;
      readonly columns: readonly ScanColumn[];
    }
  | { readonly datasetId: string; readonly source: PluginSource; readonly request: PluginRequest };

/** Where a plan runs, and the statement to run there. */
export type Choice =
  | { readonly kind: 'pushdown'; readonly source: SqlSource; readonly statement: Statement }
  | { readonly kind: 'engine' | 'mixed'; readonly statement: Statement; readonly fetches: readonly Fetch[] };

export type Sources = ReadonlyMap<string, RowSource>;

/** A query with the models it refers to. */
export interface PlannableQuery {
  readonly query: Query;
  readonly model: Model;
  readonly context: QueryContext;
  /** File format of the rows; null for JSON lists. */
  readonly lines: Lines | null;
}

const isSql = (source: RowSource): source is SqlSource => source.kind === 'sql';

/** Returns the source if all datasets share one connection; undefined otherwise. */
function together(sources: Sources): SqlSource | undefined {
  const [first, ...others] = sources.values();
  if (first === undefined || !isSql(first)) return undefined;
  const { account, overriddenBy } = first.resolved;
  const isSameConnection = others.every(
    (other) => isSql(other) && other.resolved.account.id === account.id && other.resolved.overriddenBy === overriddenBy,
  );
  return isSameConnection ? first : undefined;
}

/** Returns the relation of a dataset at its source. Raises SourceProblem for an invalid name or query. */
const relationThere = ({ of, connector }: SqlSource): Relation =>
  'query' in of
    ? { kind: 'query', sql: connector.checkQuery(of.query) }
    : { kind: 'table', path: connector.path(of.table) };

function relationHere(datasetId: string, source: RowSource | undefined): Relation {
  const table = { kind: 'table', path: [datasetId] } as const;
  return source?.kind === 'version' ? { ...table, same: (column) => sameText(datasetId, column) } : table;
}

const sourceAt = (sources: Sources, datasetId: string): RowSource => {
  const source = sources.get(datasetId);
  if (source === undefined) throw new Error('a plan speaks of a dataset that was not resolved');
  return source;
};

/** Returns the datasets that row filters look up. All their rows count, visible or not. */
const lookedUp = (filters: readonly RowFilter[]): readonly string[] =>
  filters.flatMap((filter) => {
    if (filter.kind === 'test' || filter.kind === 'keys' || filter.kind === 'empty') return [];
    return [...(filter.kind === 'lookup' ? [filter.to.datasetId] : []), ...lookedUp(filter.of)];
  });

/**
 * Plans to fetch the rows of a plugin's table. With several datasets a plugin receives only row filters, since a join
 * may need rows that another filter excludes.
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

/** Plans to let a plugin aggregate, with the rest in the engine; null if plain rows are needed. */
function rolledUp({ query, model, context, lines }: PlannableQuery, sources: Sources): Choice | null {
  const [[datasetId, source] = []] = [...sources];
  if (sources.size !== 1 || datasetId === undefined || source?.kind !== 'plugin' || !('table' in source.of))
    return null;
  if (source.resolved.params.plugin?.target.pushdown !== true) return null;
  const rollUp = source.connector.rollUp(query, model, context);
  if (rollUp === null) return null;
  const { groups, columns, filters } = rollUp;
  const request = { table: source.of.table, filters, groups: { groups, columns } };
  // The returned rows have the columns of `split.model`, for row filters too.
  const finish = plan(rollUp.query, rollUp.model, { ...context, wholeModel: rollUp.model });
  const statement = emit(finish, duckdb, () => ({ kind: 'table', path: [datasetId] }), lines ?? 'json');
  return { kind: 'mixed', statement, fetches: [{ datasetId, source, request }] };
}

/** Plans the rows to fetch from databases for a plan. */
function fetchesOf(planned: Plan, sources: Sources, dialectOf: (source: SqlSource) => Dialect): readonly Fetch[] {
  return scansOf(planned).flatMap((scan): readonly Fetch[] => {
    const source = sourceAt(sources, scan.datasetId);
    if (!isSql(source)) return [];
    const statement = emitScan(scan, dialectOf(source), relationThere(source));
    // A scan without columns still counts rows.
    const columns = scan.columns.length === 0 ? [{ name: 'one', storageType: 'integer' as const }] : scan.columns;
    return [{ datasetId: scan.datasetId, source, statement, columns }];
  });
}

/**
 * Decides where a query runs. It runs at the source if a single connection has all datasets and the dialect supports
 * the whole plan exactly; otherwise in the engine, over rows fetched with the filters that the source supports. Pure.
 * Raises QueryProblem, and SourceProblem for invalid names and queries.
 */
export function choose(planning: PlannableQuery, sources: Sources, dialectOf: (source: SqlSource) => Dialect): Choice {
  const planned = plan(planning.query, planning.model, planning.context);
  const pushedChoice = pushedDown(planned, sources, dialectOf) ?? rolledUp(planning, sources);
  if (pushedChoice !== null) return pushedChoice;
  const byPlugin = [...sources].flatMap(([id, source]): readonly Fetch[] => {
    const dataset = (planning.context.wholeModel ?? planning.model).datasets.get(id);
    if (source.kind !== 'plugin' || dataset === undefined) return [];
    return [rowsOf(source, dataset, planning, sources.size === 1)];
  });
  return inEngine(planned, sources, [...fetchesOf(planned, sources, dialectOf), ...byPlugin], planning.lines);
}

/** Decides where an internal plan runs; reads all rows of plugin tables. Raises the same errors as `choose`. */
export function choosePlace(
  planned: Plan,
  { datasets }: Model,
  sources: Sources,
  dialectOf: (source: SqlSource) => Dialect,
): Choice {
  const byPlugin = [...sources].flatMap(([datasetId, source]): readonly Fetch[] => {
    if (source.kind !== 'plugin' || !datasets.has(datasetId)) return [];
    const table = 'table' in source.of ? source.of.table : '';
    return [{ datasetId, source, request: { table, filters: [], groups: null } }];
  });
  return (
    pushedDown(planned, sources, dialectOf) ??
    inEngine(planned, sources, [...fetchesOf(planned, sources, dialectOf), ...byPlugin], null)
  );
}

/**
 * Compiles a plan for its source, if a single connection has all datasets and the dialect supports the plan exactly;
 * otherwise null.
 */
function pushedDown(planned: Plan, sources: Sources, dialectOf: (source: SqlSource) => Dialect): Choice | null {
  const entry = together(sources);
  if (entry !== undefined) {
    const relations = (datasetId: string): Relation => {
      const source = sourceAt(sources, datasetId);
      if (!isSql(source)) throw new Error('a dataset of another kind was taken along');
      return relationThere(source);
    };
    const statement = emitOrNull(planned, dialectOf(entry), relations, 'rows');
    if (statement !== null) return { kind: 'pushdown', source: entry, statement };
  }
  return null;
}

function inEngine(planned: Plan, sources: Sources, fetches: readonly Fetch[], lines: Lines | null): Choice {
  const relationOf = (datasetId: string): Relation => relationHere(datasetId, sources.get(datasetId));
  return {
    kind: fetches.length > 0 ? 'mixed' : 'engine',
    statement: emit(planned, duckdb, relationOf, lines ?? 'json'),
    fetches,
  };
}

/** Identifies the rows of a dataset: they change with the version, connection or override. */
function placeOf(datasetId: string, revision: number, source: RowSource): readonly unknown[] {
  if (source.kind === 'version') return [datasetId, source.version];
  const { account, overriddenBy, params } = source.resolved;
  return [datasetId, revision, account.id, account.revision, overriddenBy, source.of, params.plugin ?? null];
}

/**
 * Returns the cache key of an answer, which covers everything that determines its rows. Row filters and hidden columns
 * are part of the statement itself. specification/data-queries#cache
 */
export function keyOf(
  organizationId: string,
  choice: Choice,
  sources: Sources,
  revisions: ReadonlyMap<string, number>,
  locale: string,
  rowLimit: number,
): string {
  const places = [...sources].map(([id, source]) => placeOf(id, revisions.get(id) ?? 0, source));
  const fetchedIds =
    choice.kind === 'pushdown'
      ? []
      : choice.fetches.map((fetch) => [fetch.datasetId, 'statement' in fetch ? fetch.statement : fetch.request]);
  const keyText = JSON.stringify([organizationId, choice.kind, choice.statement, fetchedIds, places, locale, rowLimit]);
  return createHash('sha256').update(keyText).digest('base64url');
}

import type { JsonObject } from '@inlay/contract';
import { isOverseer, type Caller } from '../access/caller.ts';
import type { FilterLink } from '../access/filter-kinds.ts';
import type { ExplainRows, RowCount, RowsExplanation } from '../data/explanation/explain-rows.ts';
import type { Alternatives } from '../data/model/parts.ts';
import { loadGrant } from '../data/row-filters/load-row-filters.ts';
import { rowFiltersOn } from '../data/row-filters/unfiltered.ts';
import { maxPaths, partyWords } from '../declare/explanation.ts';
import { levelOf, type Right } from '../declare/roles.ts';
import type { ProblemCode } from '../problems/catalogue.ts';
import { Problem, type ProblemData } from '../problems/problem.ts';
import type { SearchContext } from '../search/visible-records.ts';
import type { CallContext } from '../tracing/call-context.ts';
import { describeProblem, loadFilterWords, originOf, type FilterOrigin, type FilterWords } from './filters.ts';
import { loadPaths, type AccessPath, type HeldLevel } from './levels.ts';
import type { RecordKey } from './records.ts';

/** Who asks, whose access is explained, and until when. */
export interface ExplanationContext {
  readonly context: SearchContext & { readonly caller: Caller };
  readonly subject: Caller;
  readonly explainRows: ExplainRows;
  readonly call: CallContext;
}

/** What the explanation of a securable has where nothing is explained. */
export const unexplained = {
  level: null,
  bounds: [],
  paths: [],
  paths_count: 0,
  hidden_columns: [],
  rows: null,
} as const;

/** True if the caller of an explanation may know how many rows a dataset has: no row filter bounds them. */
async function mayCount({ reader, caller }: ExplanationContext['context'], id: string): Promise<boolean> {
  if (isOverseer(caller)) return true;
  const { alternatives, byToken } = await rowFiltersOn(reader, caller, id, 'use');
  return alternatives === null && !byToken;
}

type LoadedRows = RowsExplanation | ProblemData;
const isLoaded = (rows: LoadedRows | null): rows is RowsExplanation => rows !== null && 'request' in rows;

async function loadRows(
  { subject, explainRows, context, call }: ExplanationContext,
  datasetId: string,
  level: Right,
  isCounted: boolean,
): Promise<LoadedRows> {
  const mayUse = levelOf(level) >= levelOf('use');
  try {
    return await explainRows({ subject, datasetId, mayUse, asker: context.caller, isCounted }, call);
  } catch (error) {
    if (error instanceof Problem) return error.data;
    throw error;
  }
}

/** The rows that a path opens; null if it does not give the right that rows are read with. */
interface PathRows {
  readonly path: AccessPath;
  readonly opens: 'all' | 'filtered' | 'none' | null;
  readonly anyOf: readonly (readonly FilterOrigin[])[];
}

const opening = (alternatives: Alternatives): 'all' | 'filtered' | 'none' => {
  if (alternatives.length === 0) return 'none';
  return alternatives.some((filters) => filters.length === 0) ? 'all' : 'filtered';
};

/** Finds out which rows each path opens, as for the queries of the subject. */
async function rowsOfPath(
  { context }: ExplanationContext,
  path: AccessPath,
  id: string,
  loaded: LoadedRows | null,
): Promise<PathRows> {
  const level = path.level === null ? 0 : levelOf(path.level);
  if (!isLoaded(loaded) || level < levelOf(loaded.right)) return { path, opens: null, anyOf: [] };
  if (path.kind === 'rank') return { path, opens: 'all', anyOf: [] };
  const { right, request } = loaded;
  const links: FilterLink[] = [...request.bounds.links];
  const { reader } = context;
  const alternatives = await loadGrant(
    { reader, lookups: request.bounds.lookups, links },
    path.subjects,
    right,
    path.grant,
  );
  const opens = opening(alternatives);
  const { grantorId } = path.grant;
  const dataset = { resource: 'securable', id };
  const copied = {
    from: grantorId === null ? (path.to ?? dataset) : { resource: 'user', id: grantorId },
    via: dataset,
  };
  const origins = alternatives.map((filters) => filters.map((filter) => originOf(context, filter, links, copied)));
  return { path, opens, anyOf: opens === 'filtered' ? origins : [] };
}

const keysOfPath = ({ path }: PathRows): readonly RecordKey[] => {
  if (path.kind === 'rank') return [];
  const { to, collectionId, grant } = path;
  return [
    ...(to === null ? [] : [to]),
    ...(collectionId === null ? [] : [{ resource: 'collection', id: collectionId }]),
    ...(grant.grantorId === null ? [] : [{ resource: 'user', id: grant.grantorId }]),
  ];
};

function describePath({ path, opens, anyOf }: PathRows, { record, describe }: FilterWords): JsonObject {
  const { party, level } = path;
  const opened = { level, rows: opens, any_of: anyOf.map((all) => all.map(describe)) };
  if (path.kind === 'rank') {
    const nobody = { to: null, collection: null, giver: null };
    return { party: partyWords[party], type: 'rank', ...nobody, linked_level: level, ...opened };
  }
  const { type, to, collectionId, linkedLevel, grant } = path;
  return {
    party: partyWords[party],
    type: collectionId === null ? type : 'collection',
    to: to === null ? null : record(to),
    collection: collectionId === null ? null : record({ resource: 'collection', id: collectionId }),
    giver: grant.grantorId === null ? null : record({ resource: 'user', id: grant.grantorId }),
    linked_level: linkedLevel,
    ...opened,
  };
}

/** Describes a step of counting. Steps after one with a problem have the same problem, so only the first names it. */
function describeStep(count: RowCount, before: RowCount, own: ProblemData | null, isWhole: boolean): JsonObject {
  const problem = own ?? (before.problem === null ? count.problem : null);
  return { rows: count.rows, problem: describeProblem(problem, isWhole) };
}

/** Problems of restrictions: every query for rows is refused. With other problems, rows could not be counted. */
const refusals: readonly ProblemCode[] = ['row_filter_invalid', 'parameter_missing', 'forbidden'];

const visibleRows = ({ rows, problem }: RowCount): number | null =>
  problem !== null && refusals.includes(problem.code) ? 0 : rows;

function describeRows(
  loaded: LoadedRows | null,
  origins: readonly FilterOrigin[],
  { describe, problemOf }: FilterWords,
  { isCounted, isWhole }: { readonly isCounted: boolean; readonly isWhole: boolean },
): JsonObject | null {
  if (loaded === null) return null;
  if (!isLoaded(loaded))
    return {
      right: null,
      total: null,
      filters: [],
      givers: [],
      visible: visibleRows({ rows: null, problem: loaded }),
      problem: describeProblem(loaded, isWhole),
      counted: isCounted,
    };
  const { right, total, filters, parties, visible } = loaded;
  const counts = [total, ...[...filters, ...parties].map(({ count }) => count)];
  const problem = visible.problem ?? total.problem;
  return {
    right,
    total: total.rows,
    filters: origins.map((origin, index) => ({
      filter: describe(origin),
      ...describeStep(counts[index + 1] ?? total, counts[index] ?? total, problemOf(origin), isWhole),
    })),
    givers: parties.map(({ party, count }, index) => ({
      party: partyWords[party],
      ...describeStep(count, counts[filters.length + index] ?? total, null, isWhole),
    })),
    visible: visibleRows(visible),
    problem: describeProblem(problem, isWhole),
    counted: isCounted,
  };
}

/** Parts of a level that say something about a subject: the others hold for everybody of the organization. */
const partsOf = ({ type, environment }: Caller): readonly ('paths' | 'issuer' | 'role' | 'environment')[] => [
  'paths',
  ...(type === 'embed' ? (['issuer', 'role'] as const) : []),
  ...(environment === undefined ? [] : (['environment'] as const)),
];

/** Explains the access of the subject to a securable: level, paths, and the rows of a dataset. */
export async function explainSecurable(
  explaining: ExplanationContext,
  id: string,
  { type, level, parts }: HeldLevel,
): Promise<JsonObject> {
  const { context, subject } = explaining;
  const [paths, isCounted] = await Promise.all([
    loadPaths(context.reader, subject, id),
    type === 'dataset' ? mayCount(context, id) : false,
  ]);
  const loaded = type === 'dataset' && level !== null ? await loadRows(explaining, id, level, isCounted) : null;
  const pathRows: PathRows[] = [];
  for (const path of paths.slice(0, maxPaths)) pathRows.push(await rowsOfPath(explaining, path, id, loaded));
  const byToken = { from: { resource: 'authorization', id: subject.authorizationId }, via: null };
  const origins = isLoaded(loaded)
    ? loaded.filters.map(({ filter }) => originOf(context, filter, loaded.request.bounds.links, byToken))
    : [];
  const ofPaths = pathRows.flatMap(({ anyOf }) => anyOf.flat());
  const hidden = isLoaded(loaded) ? loaded.hiddenColumns.map((column) => ({ resource: 'column', id: column })) : [];
  const words = await loadFilterWords(
    context,
    isLoaded(loaded) ? loaded.request : null,
    [...origins, ...ofPaths],
    [...hidden, ...pathRows.flatMap(keysOfPath)],
  );
  return {
    level,
    bounds: partsOf(subject).map((part) => ({ by: part, level: parts.get(part) ?? null })),
    paths: pathRows.map((path) => describePath(path, words)),
    paths_count: paths.length,
    hidden_columns: hidden.map(words.record),
    rows: describeRows(loaded, origins, words, { isCounted, isWhole: words.showsAll([...origins, ...ofPaths]) }),
  };
}

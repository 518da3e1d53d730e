import type { ModelDataset, TestCondition } from '@inlay/query';
import type { Caller, Party } from '../../access/caller.ts';
import type { FoundFilter } from '../../access/filter-kinds.ts';
import { onEnd, unlessEnded } from '../../concurrency/release.ts';
import type { Right } from '../../declare/roles.ts';
import { Problem, type ProblemData } from '../../problems/problem.ts';
import type { CallContext } from '../../tracing/call-context.ts';
import type { Admission, AdmittedCaller } from '../admission.ts';
import type { QueryRequest, QueryService } from '../query-request.ts';
import { mayAskFreely, QueryReader } from '../requested-queries.ts';
import { aboutDataset, conditionOn, datasetOf, visibleModel } from '../row-filters/row-filters.ts';
import { createCountRows, rowsOf } from './count-rows.ts';

/** A number of rows; null with the problem of counting them, or if they are not to be counted. */
export interface RowCount {
  readonly rows: number | null;
  readonly problem: ProblemData | null;
}

/** The rows of a dataset that somebody sees, and how each restriction reduces them. */
export interface RowsExplanation {
  /** The right with which the rows are read. */
  readonly right: Right;
  readonly request: QueryRequest;
  /** Ids of columns that do not exist for the person. */
  readonly hiddenColumns: readonly string[];
  /** Before any restriction. */
  readonly total: RowCount;
  /** After each row filter, in this order. */
  readonly filters: readonly { readonly filter: FoundFilter; readonly count: RowCount }[];
  /** After what the givers of each party see. */
  readonly parties: readonly { readonly party: Party; readonly count: RowCount }[];
  /** After all restrictions: what queries read. */
  readonly visible: RowCount;
}

/** What is to be explained: the rows of a dataset for a subject, who holds a right on it. */
export interface ExplainableRows {
  readonly subject: Caller;
  readonly datasetId: string;
  readonly mayUse: boolean;
  /** Who asks, and is charged with the work. */
  readonly asker: AdmittedCaller;
  /** False if the asker may not know how many rows there are. Then they are only read for problems. */
  readonly isCounted: boolean;
}

/** Explains rows. Raises the Problem of loading the restrictions, such as `row_filter_invalid`. */
export type ExplainRows = (rows: ExplainableRows, context: CallContext) => Promise<RowsExplanation>;

/** Maximum number of restrictions after which rows are counted. After further ones they are not, but after the last. */
const maxCounted = 50;

/** Number of counts of an explanation that run at the same time. */
const maxConcurrent = 4;

/**
 * Returns filters in a fixed order: those of the token, those of links to the dataset, others. A link that bounds a caller
 * and the issuer counts once.
 */
function inOrder(filters: readonly FoundFilter[], { links }: QueryRequest['bounds']): readonly FoundFilter[] {
  const keyOf = (filter: FoundFilter): string => {
    const link = links.find(({ filters: of }) => of.includes(filter));
    return JSON.stringify([link?.association, link?.firstId, link?.targetId, filter]);
  };
  const byKey = new Map(filters.map((filter) => [keyOf(filter), filter]));
  return [...byKey].toSorted(([one], [other]) => (one > other ? -1 : 1)).map(([, filter]) => filter);
}

/** Returns the request with the first of the filters, and with what the first of the parties see. */
function narrowedTo(
  request: QueryRequest,
  datasetId: string,
  filters: readonly FoundFilter[],
  parties: number,
): QueryRequest {
  const grants = (request.bounds.grantPaths.get(datasetId) ?? []).slice(0, parties);
  const grantPaths = grants.length === 0 ? [] : [[datasetId, grants] as const];
  return { ...request, bounds: { ...request.bounds, filters, grantPaths: new Map(grantPaths) } };
}

/** Returns the condition of a row filter with its value. Raises Problem `row_filter_invalid`, `parameter_missing`. */
export function conditionOfFilter({ datasets, reached, parameters }: QueryRequest, filter: FoundFilter): TestCondition {
  const id = datasetOf(filter) ?? '';
  const model = (datasets.get(id) ?? reached.get(id))?.model;
  const columns: ModelDataset['columns'] = new Map([...(model?.unproven ?? []), ...(model?.columns ?? [])]);
  return conditionOn(filter, parameters, { id, columns, formulas: new Map() });
}

/** Runs work for each entry, some at the same time, and returns the results in order. */
async function inTurns<Entry, Result>(
  entries: readonly Entry[],
  work: (entry: Entry) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < entries.length; start += maxConcurrent)
    results.push(...(await Promise.all(entries.slice(start, start + maxConcurrent).map(work))));
  return results;
}

/**
 * Creates the explanation of rows. The restrictions are loaded and applied as for queries, first none of them, then one
 * more at a time. A failure to count, such as that of a source, is part of the explanation.
 */
export function createExplainRows(service: QueryService, admission: Admission): ExplainRows {
  const reader = new QueryReader(service);
  const countRows = createCountRows(service, admission);
  return async ({ subject, datasetId, mayUse, asker, isCounted }, context) => {
    const right = mayUse && mayAskFreely(subject, rowsOf(datasetId)) ? 'use' : 'read';
    const request = await reader.request(subject, [datasetId], right, context);
    const { bounds } = request;
    const filters = inOrder(aboutDataset(bounds.filters, bounds.lookups, datasetId), bounds);
    const parties = bounds.boundParties.get(datasetId) ?? [];
    const steps = [
      narrowedTo(request, datasetId, [], 0),
      ...filters.map((_filter, index) => narrowedTo(request, datasetId, filters.slice(0, index + 1), 0)),
      ...parties.map((_party, index) => narrowedTo(request, datasetId, filters, index + 1)),
    ].with(-1, request);
    const uncounted: RowCount = { rows: null, problem: null };
    const counted = new Set([...(isCounted ? steps.slice(0, maxCounted) : []), request]);
    const count = async (step: QueryRequest): Promise<RowCount> => {
      if (!counted.has(step)) return uncounted;
      try {
        const rows = await unlessEnded(context.signal, countRows(asker, step, datasetId));
        return { rows: isCounted ? rows : null, problem: null };
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        return { rows: null, problem: error.data };
      }
    };
    const counts = await inTurns(steps, count);
    const countAt = (index: number): RowCount => counts[index] ?? uncounted;
    const model = request.datasets.get(datasetId)?.model;
    const shown = model === undefined ? undefined : visibleModel(model, new Set(subject.hiddenColumns));
    const all = [...(model?.columns.keys() ?? []), ...(model?.unproven?.keys() ?? [])];
    return {
      right,
      request,
      hiddenColumns: all.filter((id) => shown?.columns.has(id) !== true && shown?.unproven?.has(id) !== true),
      total: countAt(0),
      filters: filters.map((filter, index) => ({ filter, count: countAt(index + 1) })),
      parties: parties.map((party, index) => ({ party, count: countAt(filters.length + 1 + index) })),
      visible: countAt(counts.length - 1),
    };
  };
}

/**
 * Returns a context that ends shortly before a deadline, so that what was counted by then is still answered. Call `end`
 * when the work is done.
 */
export function endingEarly(context: CallContext, byMs: number): CallContext & { readonly end: () => void } {
  const ended = new AbortController();
  const deadlineMs = context.deadlineMs - byMs;
  const timer = setTimeout(
    () => ended.abort(new Problem('deadline_passed')),
    Math.max(1, deadlineMs - performance.now()),
  );
  const end = (): void => clearTimeout(timer);
  onEnd(context.signal, () => ended.abort(context.signal.reason));
  onEnd(ended.signal, end);
  return { ...context, signal: ended.signal, deadlineMs, end };
}

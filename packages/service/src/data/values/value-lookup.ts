import { isObject, textOr, type Json } from '@inlay/contract';
import type { Query } from '@inlay/query';
import { Problem } from '../../problems/problem.ts';
import { readRows, rowText } from '../answers/row-text.ts';
import type { QueryRequest, QueryService } from '../query-request.ts';
import { runKeyedQuery } from '../run-query.ts';
import type { KnownMembers } from './member-cache.ts';
import { MemberIndex, type ColumnMember, type MemberMatch } from './member-index.ts';

/** A column in which values can be looked up. */
export interface SearchableColumn {
  readonly id: string;
  readonly type: string;
  /** Number of distinct values; null if unknown. */
  readonly cardinality: number | null;
}

/** A dataset whose columns the caller may see. */
export interface SearchableDataset {
  readonly id: string;
  readonly columns: readonly SearchableColumn[];
}

/** A member of a column that words of a question name. */
export interface FoundValue {
  /** Index in the columns of the dataset. */
  readonly column: number;
  /** Id of the member, as a filter takes it. */
  readonly value: string;
  /** The member as it is shown. */
  readonly text: string;
  /** 0 if the texts are equal after folding, otherwise the number of typos; 1 for a part of the member. */
  readonly distance: number;
}

export interface FoundValues {
  /** By text. A text that is not found has an empty list. */
  readonly found: ReadonlyMap<string, readonly FoundValue[]>;
  /** Indices of the columns that were searched completely. */
  readonly searched: readonly number[];
  /** Indices of text columns that were not: too many members or columns, or too slow. */
  readonly skipped: readonly number[];
  /** Indices of those of them that could not be searched now, and perhaps can another time. */
  readonly failed: readonly number[];
}

/**
 * Looks texts up among the members of the text columns that the caller may see. `equalTexts` are found only where they
 * equal a member, without parts and typos.
 */
export type ValueLookup = (
  texts: readonly string[],
  signal: AbortSignal,
  equalTexts?: readonly string[],
) => Promise<FoundValues>;

const maxColumns = 20;
const maxMembers = 20_000;
const maxConcurrent = 4;
/** Time for all columns of a lookup, in ms. */
const defaultLookupMs = 1000;

const at = 'find';

const membersQuery = (datasetId: string, columnId: string): Query => ({
  dimensions: [{ datasetId, columnId, level: null, part: null, bins: null }],
  measures: [],
  where: [],
  having: [],
  order: [],
  limit: { by: maxMembers + 1, offset: 0 },
  options: { localeId: null, timezoneId: null, rollupData: true, weekstart: null },
});

function memberIn(cell: Json | undefined): readonly ColumnMember[] {
  if (!isObject(cell)) return [];
  const id = textOr(cell['id'], null);
  const names = isObject(cell['name']) ? Object.values(cell['name']) : [];
  return id === null ? [] : [{ id, texts: names.filter((name) => typeof name === 'string') }];
}

/** Reads the members of one column through the ordinary query path, or takes those that are kept. Raises Problem. */
async function membersOf(service: QueryService, request: QueryRequest, query: Query): Promise<KnownMembers> {
  const { members, now } = service;
  const outcome = await runKeyedQuery(service, request, query, at, (key) => members.get(key, now()));
  if (outcome.kind === 'kept') return outcome.kept;
  const { rows, facts } = await readRows(rowText(outcome.result, at, () => undefined));
  const isCut = facts.truncated || rows.length > maxMembers;
  const known = isCut ? 'too many' : new MemberIndex(rows.flatMap(([cell]) => memberIn(cell)));
  // Rows from the cache are older than this query, so how long they may be kept is not known here.
  if (outcome.key !== null && !facts.cached) members.put(outcome.key, known, outcome.untilMs);
  return known;
}

/** Returns the indices of the text columns, those with the fewest distinct values first and unknown numbers last. */
function textColumns({ datasets }: QueryRequest, { id, columns }: SearchableDataset): readonly number[] {
  const model = datasets.get(id)?.model;
  const isText = ({ id: columnId, type }: SearchableColumn): boolean =>
    type === 'hierarchy' && model?.columns.get(columnId)?.storageType !== 'boolean';
  const rank = (index: number): number => columns[index]?.cardinality ?? Number.MAX_SAFE_INTEGER;
  return columns.flatMap((column, index) => (isText(column) ? [index] : [])).toSorted((a, b) => rank(a) - rank(b));
}

/**
 * Creates a lookup with the rights, row filters and hidden columns of a request. It never raises a problem of a column:
 * such a column is among the skipped ones. specification/ai-charts#values
 */
export function createValueLookup(
  service: QueryService,
  request: QueryRequest,
  dataset: SearchableDataset,
  lookupMs = defaultLookupMs,
): ValueLookup {
  const candidates = textColumns(request, dataset);
  return async (texts, callerSignal, equalTexts = []) => {
    const late = AbortSignal.timeout(lookupMs);
    const signal = AbortSignal.any([request.signal, callerSignal, late]);
    const deadlineMs = Math.min(request.deadlineMs, performance.now() + lookupMs);
    const { promise: isOver, resolve } = Promise.withResolvers<null>();
    signal.addEventListener('abort', () => resolve(null), { once: true });
    const bounded: QueryRequest = { ...request, signal, deadlineMs };
    const indexes = new Map<number, MemberIndex>();
    const searchable = candidates
      .slice(0, maxColumns)
      .filter((index) => (dataset.columns[index]?.cardinality ?? 0) <= maxMembers);
    const unsearchable = new Set<number>();
    const waiting = searchable.values();
    const searchNext = async (): Promise<void> => {
      for (const index of waiting) {
        const column = dataset.columns[index];
        if (signal.aborted || column === undefined) return;
        const known = membersOf(service, bounded, membersQuery(dataset.id, column.id)).catch((error: unknown) => {
          if (error instanceof Problem && error.data.code === 'rows_missing') return 'no rows';
          if (error instanceof Problem || signal.aborted) return null;
          throw error;
        });
        const members = await Promise.race([known, isOver]);
        if (members instanceof MemberIndex) indexes.set(index, members);
        else if (members !== null) unsearchable.add(index);
      }
    };
    await Promise.all(Array.from({ length: maxConcurrent }, searchNext));
    callerSignal.throwIfAborted();
    const columnsInOrder = candidates.filter((index) => indexes.has(index));
    const valuesOf = (find: (index: MemberIndex) => readonly MemberMatch[]): readonly FoundValue[] =>
      columnsInOrder
        .flatMap((column) => {
          const index = indexes.get(column);
          const matches = index === undefined ? [] : find(index);
          return matches.map(({ member: { id, texts: names }, distance }) => ({
            column,
            value: id,
            text: names[0] ?? id,
            distance,
          }));
        })
        .toSorted((left, right) => left.distance - right.distance);
    const equalValues = equalTexts.map((text) => [text, valuesOf((index) => index.findEqual(text))] as const);
    const values = texts.map((text) => [text, valuesOf((index) => index.find(text))] as const);
    return {
      found: new Map([...equalValues, ...values]),
      searched: columnsInOrder,
      skipped: candidates.filter((index) => !indexes.has(index)),
      failed: searchable.filter((index) => !indexes.has(index) && !unsearchable.has(index)),
    };
  };
}

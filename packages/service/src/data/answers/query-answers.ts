import type { Json, JsonObject } from '@inlay/contract';
import { maxQueries, type ParsedQueries, type Query } from '@inlay/query';
import type { Caller } from '../../access/caller.ts';
import { onEnd } from '../../concurrency/release.ts';
import { createTurns, type Turn } from '../../concurrency/turns.ts';
import { isLarger, largeRequest } from '../../concurrency/large.ts';
import { Problem } from '../../problems/problem.ts';
import type { CallContext } from '../../tracing/call-context.ts';
import type { Admission, AdmittedQueries, QueuePlace } from '../admission.ts';
import { runQuery } from '../run-query.ts';
import type { QueryService } from '../query-request.ts';
import { QueryReader, type AnswerableQuery, type AuthorizedQueries } from '../requested-queries.ts';
import { withAllMembers, withOthers } from '../../dashboards/stored-items/others.ts';
import { observeQuery, recordAnswer, recordFailure, type QuerySource, type QueryTimes } from '../query-record.ts';
import { readRows, rowText, shownRowText, startedRows, type RowText } from './row-text.ts';
import type { AnswerTimes } from './write-answer.ts';

/** The answer to one of several queries. */
export type QueryAnswer =
  | { readonly kind: 'rows'; readonly rows: RowText }
  | { readonly kind: 'failed'; readonly problem: Problem };

/** An answer, and the index of its query. */
export type IndexedAnswer = readonly [number, QueryAnswer];

/** Maximum number of queries of a request that run concurrently. */
const maxConcurrent = 4;
/**
 * Queries without an answer fail this long before the deadline, so that the response can be completed in time. If the
 * whole time is short, they fail in its last tenth.
 */
const lateMs = 500;
const lateShare = 0.1;

function raise(faults: ParsedQueries['faults']): void {
  if (faults.length === 0) return;
  const places: Record<string, readonly string[]> = {};
  for (const { at, message } of faults.slice(0, 100)) places[at] = [...(places[at] ?? []), message];
  throw new Problem('query_invalid', { validation: places });
}

const isWithin = (at: string, place: string): boolean =>
  at === place || at.startsWith(`${place}.`) || at.startsWith(`${place}[`);

/** Context of the queries of one request. */
interface RequestParts {
  readonly service: QueryService;
  readonly context: CallContext;
  readonly parsed: ParsedQueries;
  readonly queries: AuthorizedQueries;
  readonly admitted: AdmittedQueries;
  /** Where each query is expected to run. */
  readonly places: readonly QueuePlace[];
  /** Lets other requests run before a query is compiled; null if the request is small. */
  readonly turn: Turn | null;
  readonly times: AnswerTimes;
}

/** The admitted queries of one request, with everything loaded about their caller. */
export class RequestQueries {
  readonly #parts: RequestParts;
  constructor(parts: RequestParts) {
    this.#parts = parts;
  }

  get times(): AnswerTimes {
    return this.#parts.times;
  }

  /** True if the request is a list of queries. */
  get isBatch(): boolean {
    return this.#parts.parsed.batch;
  }

  #placeOf(index: number): string {
    return this.isBatch ? `find.queries[${index}]` : 'find';
  }

  /** Returns the rows of one query. Raises Problem. */
  async rows(index: number): Promise<RowText> {
    const { service, queries, admitted, turn } = this.#parts;
    let ranAt: QuerySource = 'none';
    const note = (source: QuerySource): void => {
      ranAt = source;
    };
    try {
      await turn?.();
      return await startedRows(await this.#shownRows(queries.query(index), index, note));
    } catch (error) {
      recordFailure(service.recorder, ranAt, error);
      throw error;
    } finally {
      admitted.answered(index);
    }
  }

  async #shownRows(answerable: AnswerableQuery, index: number, note: (source: QuerySource) => void): Promise<RowText> {
    const { query, shown } = answerable;
    const at = this.#placeOf(index);
    if (query.limit.others !== true) {
      const rows = await this.#read(answerable, query, index, note);
      return shown === null ? rows : shownRowText(rows, shown);
    }
    const members = await this.#read(answerable, withAllMembers(query), index, note);
    const remainder = async (others: Query) => (await readRows(await this.#read(answerable, others, index, note))).rows;
    return shownRowText(members, (rows, isTruncated) => withOthers(query, { rows, isTruncated, at }, remainder));
  }

  async #read(
    { asking }: AnswerableQuery,
    query: Query,
    index: number,
    note: (source: QuerySource) => void,
  ): Promise<RowText> {
    const { service, admitted, places } = this.#parts;
    const at = this.#placeOf(index);
    const expectedPlace = places[index] ?? 'engine';
    const result = await runQuery(service, asking, query, at);
    const source = result.kind === 'ready' ? (result.cached ? 'cache' : 'shared') : result.running.place;
    note(source);
    const finishAnswer = (times: QueryTimes): void => {
      recordAnswer(service.recorder, source, times);
      if (result.kind === 'running') observeQuery(service, result.subjects, times);
      const isInEngine = source === 'engine' || source === 'mixed';
      const place = isInEngine ? 'engine' : expectedPlace;
      admitted.ran(place, isInEngine || source === 'pushdown' ? times.queryMs : 0);
      if (place !== expectedPlace) admitted.ran(expectedPlace, 0);
    };
    return rowText(result, at, finishAnswer);
  }

  /** Returns the rows of a query, or its problem. Throws the signal's reason if it aborts. */
  async #answer(index: number): Promise<QueryAnswer> {
    const { parsed, context } = this.#parts;
    const at = this.#placeOf(index);
    try {
      raise(parsed.faults.filter((fault) => isWithin(fault.at, at)));
      return { kind: 'rows', rows: await this.rows(index) };
    } catch (error) {
      context.signal.throwIfAborted();
      if (error instanceof Problem) return { kind: 'failed', problem: error };
      throw error;
    }
  }

  /** Yields every answer, in the order of the queries. */
  async *inOrder(): AsyncGenerator<QueryAnswer> {
    const startedAnswers: Promise<QueryAnswer>[] = [];
    const { parsed, admitted } = this.#parts;
    try {
      for (const index of parsed.queries.keys()) {
        while (startedAnswers.length < Math.min(index + maxConcurrent, parsed.queries.length)) {
          const answer = this.#answer(startedAnswers.length);
          // The answer is awaited later. Until then, this avoids an unhandled rejection.
          answer.catch(() => undefined);
          startedAnswers.push(answer);
        }
        const answer = await startedAnswers[index];
        if (answer !== undefined) yield answer;
      }
    } finally {
      admitted.end();
    }
  }

  /**
   * Yields every answer as soon as it is available. Shortly before the deadline, queries without an answer fail with
   * `deadline_passed`.
   */
  async *asReady(): AsyncGenerator<IndexedAnswer> {
    const { parsed, admitted, context, times } = this.#parts;
    const { startedMs } = times;
    const inProgress = new Map<number, Promise<IndexedAnswer>>();
    const remaining = parsed.queries.keys();
    const { promise: isLate, resolve } = Promise.withResolvers<null>();
    const lateAtMs = context.deadlineMs - Math.min(lateMs, (context.deadlineMs - startedMs) * lateShare);
    const timer = setTimeout(resolve, Math.max(0, lateAtMs - performance.now()), null);
    try {
      for (;;) {
        while (inProgress.size < maxConcurrent) {
          const nextIndex = remaining.next();
          if (nextIndex.done === true) break;
          const index = nextIndex.value;
          const answer = this.#answer(index).then((queryAnswer): IndexedAnswer => [index, queryAnswer]);
          // If another answer fails first, this answer is never awaited. This avoids an unhandled rejection.
          answer.catch(() => undefined);
          inProgress.set(index, answer);
        }
        if (inProgress.size === 0) return;
        const readyAnswer = await Promise.race([...inProgress.values(), isLate]);
        if (readyAnswer === null) break;
        inProgress.delete(readyAnswer[0]);
        yield readyAnswer;
      }
      for (const index of [...inProgress.keys(), ...remaining])
        yield [index, { kind: 'failed', problem: new Problem('deadline_passed') }];
    } finally {
      clearTimeout(timer);
      admitted.end();
    }
  }
}

/** Answers queries for callers. Requests and the service's own work have the same rights, row filters and admission. */
export class QueryAnswers {
  readonly #service: QueryService;
  readonly #admission: Admission;
  readonly #queries: QueryReader;
  readonly #turn = createTurns();

  constructor(service: QueryService, admission: Admission) {
    this.#service = service;
    this.#admission = admission;
    this.#queries = new QueryReader(service);
  }

  /**
   * Loads and admits the queries of a `find`. Raises Problem: 400 `query_invalid` if the request as a whole has faults
   * (with `isSingle`, also for faults of its only query), and 503 `overloaded`.
   */
  async open(caller: Caller, find: Json, context: CallContext, isSingle = false): Promise<RequestQueries> {
    const startedMs = performance.now();
    const requested = await this.#queries.read(caller, find, context);
    const { parsed } = requested;
    const isWhole = !parsed.batch || isSingle;
    raise(parsed.faults.filter(({ at }) => isWhole || !/^find\.queries\[\d+\]/u.test(at)));
    const queries = await requested.authorize();
    const places = parsed.queries.map((_, index) => queries.place(index));
    const parts = { service: this.#service, context, parsed, queries, places };
    const times = { startedMs, validatedMs: performance.now() - startedMs };
    const turn = isLarger(find, largeRequest) ? this.#turn : null;
    const admission = this.#admission.admit(caller, places);
    onEnd(context.signal, admission.end);
    return new RequestQueries({ ...parts, times, turn, admitted: admission });
  }

  /**
   * Answers any number of queries, and yields each answer as soon as it is available. Consume the rows of an answer
   * before requesting the next answer. To cancel the rest, abort the signal of the context. Raises Problem.
   */
  async *answerQueries(
    caller: Caller,
    queries: readonly JsonObject[],
    context: CallContext,
  ): AsyncGenerator<IndexedAnswer> {
    for (let start = 0; start < queries.length; start += maxQueries) {
      const request = await this.open(caller, { queries: queries.slice(start, start + maxQueries) }, context);
      for await (const [index, answer] of request.asReady()) yield [start + index, answer];
    }
  }
}

import { isList } from '@inlay/contract';
import type { ParsedQueries, Query } from '@inlay/query';
import { problemBody } from '../problems/body.ts';
import { isLarger } from '../pipeline/large.ts';
import { Problem } from '../problems/problem.ts';
import type { Serve, ServedRequest } from '../resource/served.ts';
import type { AnswerRows } from '../dashboards/stored-items/open-items.ts';
import { withAllMembers, withOthers } from '../dashboards/stored-items/others.ts';
import { onEnd } from '../concurrency/release.ts';
import { createTurns } from '../concurrency/turns.ts';
import type { Admission, AdmittedQueries } from './admission.ts';
import { answerQuery, type QueryService } from './answer.ts';
import { createAsk, type AnswerableQuery } from './ask.ts';
import { observeQuery, recordAnswer, recordFailure, type QuerySource, type QueryTimes } from './query-record.ts';
import { ofShownRows, readAnswer, rowsIn, wholeOrStream, writtenLines, writtenList, written } from './write-answer.ts';

/** Queries of one request that are under way at once; the rest wait. */
const abreast = 4;
/** When queries without an answer are given up so that the answer is whole: this long before the deadline, or in its last tenth. */
const lateMs = 500;
const lateShare = 0.1;
/** Letters and values of a request whose queries are compiled in turns. */
const largeRequest = 20_000;

function raise(faults: ParsedQueries['faults']): void {
  if (faults.length === 0) return;
  const places: Record<string, readonly string[]> = {};
  for (const { at, says } of faults.slice(0, 100)) places[at] = [...(places[at] ?? []), says];
  throw new Problem('query_invalid', { validation: places });
}

const within = (at: string, place: string): boolean =>
  at === place || at.startsWith(`${place}.`) || at.startsWith(`${place}[`);

/** A query of several that failed, in its place. */
function failed(problem: Problem): string {
  const { request_id: _request, ...error } = problemBody(problem, '');
  return JSON.stringify({ error });
}

/** Whether a list has one query: its answer is that of the query alone. */
const isSingle = ({ asked: { queries = null }, lines }: ServedRequest): boolean =>
  !lines && isList(queries) && queries.length === 1;

/** Parts of an answer, with the end of which nobody waits for queries any more. */
async function* untilEnd<Part>(admitted: AdmittedQueries, parts: AsyncIterable<Part>): AsyncGenerator<Part> {
  try {
    yield* parts;
  } finally {
    admitted.end();
  }
}

/** The part that answers `get` on data. */
export function createDataPart(service: QueryService, admission: Admission): Serve {
  const ask = createAsk(service);
  const turn = createTurns();

  async function prepare(
    request: ServedRequest,
  ): Promise<{ readonly askable: (index: number) => AnswerableQuery; readonly parsed: ParsedQueries }> {
    const { askable, parsed } = await ask(request, request.asked);
    if (!parsed.batch || isSingle(request)) raise(parsed.faults);
    else raise(parsed.faults.filter(({ at }) => !/^find\.queries\[\d+\]/u.test(at)));
    return { askable: await askable(), parsed };
  }

  return async (request) => {
    const startedMs = performance.now();
    const { askable, parsed } = await prepare(request);
    const times = { startedMs, validatedMs: performance.now() - startedMs };
    const isLarge = isLarger(request.asked, largeRequest);
    const admitted = admission.admit(request.caller, parsed.queries.length);
    onEnd(request.signal, admitted.end);
    const one = async (index: number, at: string): ReturnType<typeof wholeOrStream> => {
      let ranAt: QuerySource = 'none';
      try {
        if (isLarge) await turn();
        const { query, asking, shown } = askable(index);
        const answer = async (asked: Query): Promise<AsyncGenerator<Uint8Array>> => {
          const result = await answerQuery(service, asking, asked, at);
          ranAt = result.kind === 'kept' ? (result.cached ? 'cache' : 'shared') : result.source;
          const told = (summary: QueryTimes): void => {
            recordAnswer(service.recorder, ranAt, summary);
            if (result.kind === 'running') observeQuery(service, result.subjects, summary);
            admitted.ran(ranAt === 'engine' || ranAt === 'mixed' ? summary.queryMs : 0);
          };
          return written(result, times, at, told);
        };
        if (query.limit.others !== true) {
          const parts = await answer(query);
          return await wholeOrStream(shown === null ? parts : ofShownRows(parts, shown));
        }
        const all = await answer(withAllMembers(query));
        const remainder = async (others: Query): Promise<AnswerRows> => rowsIn(await readAnswer(await answer(others)));
        const members = async (rows: AnswerRows, isTruncated: boolean): Promise<AnswerRows> =>
          withOthers(query, { rows, isTruncated, at }, remainder);
        return await wholeOrStream(ofShownRows(all, members));
      } catch (error) {
        recordFailure(service.recorder, ranAt, error);
        throw error;
      } finally {
        admitted.answered();
      }
    };
    if (!parsed.batch) return { body: await one(0, 'find') };
    if (isSingle(request)) return { body: await one(0, 'find.queries[0]') };
    const inPlace = async (_query: Query, index: number): Promise<string | AsyncIterable<Uint8Array>> => {
      const at = `find.queries[${index}]`;
      try {
        raise(parsed.faults.filter((fault) => within(fault.at, at)));
        const body = await one(index, at);
        return body instanceof Uint8Array ? onePiece(body) : body;
      } catch (error) {
        request.signal.throwIfAborted();
        if (error instanceof Problem) return failed(error);
        throw error;
      }
    };
    if (request.lines) {
      const { deadlineMs } = request;
      const late = {
        atMs: deadlineMs - Math.min(lateMs, (deadlineMs - startedMs) * lateShare),
        part: failed(new Problem('deadline_passed')),
      };
      const lines = untilEnd(admitted, asReady(parsed.queries, inPlace, late));
      return { body: writtenLines(lines), type: 'application/x-ndjson' };
    }
    async function* inOrder(): AsyncGenerator<string | AsyncIterable<Uint8Array>> {
      const started: ReturnType<typeof inPlace>[] = [];
      for (const index of parsed.queries.keys()) {
        for (const [next, query] of parsed.queries.slice(0, index + abreast).entries()) {
          if (next < started.length) continue;
          const working = inPlace(query, next);
          // Awaited below in its turn; until then its failure is nobody's.
          working.catch(() => undefined);
          started.push(working);
        }
        const part = await started[index];
        if (part !== undefined) yield part;
      }
    }
    return { body: await wholeOrStream(writtenList(untilEnd(admitted, inOrder()))) };
  };
}

/** From when on queries without an answer have a part in place of one. */
interface LatePart<Part> {
  readonly atMs: number;
  readonly part: Part;
}

/** What queries answer, each with its place, in the order in which the answers are there. */
async function* asReady<Part>(
  queries: readonly Query[],
  answer: (query: Query, index: number) => Promise<Part>,
  late: LatePart<Part>,
): AsyncGenerator<readonly [number, Part]> {
  const waiting = new Map<number, Promise<readonly [number, Part]>>();
  const left = queries.entries();
  const { promise: isLate, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, Math.max(0, late.atMs - performance.now()), null);
  try {
    for (;;) {
      while (waiting.size < abreast) {
        const next = left.next();
        if (next.done === true) break;
        const [index, query] = next.value;
        const working = answer(query, index).then((part) => [index, part] as const);
        // Another may fail first; then this one's failure is nobody's.
        working.catch(() => undefined);
        waiting.set(index, working);
      }
      if (waiting.size === 0) return;
      const ready = await Promise.race([...waiting.values(), isLate]);
      if (ready === null) break;
      waiting.delete(ready[0]);
      yield ready;
    }
    for (const index of waiting.keys()) yield [index, late.part];
    for (const [index] of left) yield [index, late.part];
  } finally {
    clearTimeout(timer);
  }
}

async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

import { isList } from '@inlay/contract';
import { problemBody } from '../problems/body.ts';
import type { Problem } from '../problems/problem.ts';
import type { ServedHandler, ServedRequest } from '../resource/served.ts';
import type { IndexedAnswer, QueryAnswer, QueryAnswers } from './answers/query-answers.ts';
import { wholeOrStream, writtenAnswer, writtenLines, writtenList, type AnswerTimes } from './answers/write-answer.ts';

/** True for a list that has a single query. The answer to this query is then returned alone. */
const isSingle = ({ input: { queries = null }, lines }: ServedRequest): boolean =>
  !lines && isList(queries) && queries.length === 1;

/** Returns the error of a failed query as JSON, which takes the place of the answer. */
function failure(problem: Problem): string {
  const { request_id: _request, ...error } = problemBody(problem, '');
  return JSON.stringify({ error });
}

async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function answerText(answer: QueryAnswer, times: AnswerTimes): Promise<string | AsyncIterable<Uint8Array>> {
  if (answer.kind === 'failed') return failure(answer.problem);
  const body = await wholeOrStream(writtenAnswer(answer.rows, times));
  return body instanceof Uint8Array ? onePiece(body) : body;
}

async function* texts(answers: AsyncIterable<QueryAnswer>, times: AnswerTimes) {
  for await (const answer of answers) yield answerText(answer, times);
}

async function* indexedTexts(answers: AsyncIterable<IndexedAnswer>, times: AnswerTimes) {
  for await (const [index, answer] of answers) yield [index, await answerText(answer, times)] as const;
}

/** Creates the handler for `get` requests on data. */
export const createDataHandler =
  (answers: QueryAnswers): ServedHandler =>
  async (request) => {
    const isAlone = isSingle(request);
    const queries = await answers.open(request.caller, request.input, request, isAlone);
    const { times } = queries;
    if (!queries.isBatch || isAlone) return { body: await wholeOrStream(writtenAnswer(await queries.rows(0), times)) };
    if (request.lines)
      return { body: writtenLines(indexedTexts(queries.asReady(), times)), type: 'application/x-ndjson' };
    return { body: await wholeOrStream(writtenList(texts(queries.inOrder(), times))) };
  };

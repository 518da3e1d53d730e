import {
  isList,
  isObject,
  member,
  memberRows,
  textOr,
  type ItemQuery,
  type Json,
  type JsonObject,
} from '@inlay/contract';
import type { Row } from '../charts/drawing/frame.ts';
import { Failure, hintOf, type Transport } from '../transport.ts';
import type { Answer } from './card/card-events.ts';

const rowsOf = (value: Json): readonly Row[] => (isList(value) ? value.filter(isList) : []);

/** What an answer of the service means for an item. */
export function answerOf(asked: ItemQuery, answer: Json): Answer {
  if (!isObject(answer)) return { kind: 'failed', code: 'failed', message: 'The answer is not an object.', hint: '' };
  const error = member(answer, 'error') ?? null;
  if (isObject(error)) {
    const said = (name: string, fallback: string): string => textOr(member(error, name), fallback);
    const [code, message] = [said('code', 'query_failed'), said('message', 'The query failed.')];
    return { kind: 'failed', code, message, hint: hintOf(member(error, 'validation')) };
  }
  return {
    kind: 'rows',
    asked,
    rows: memberRows(asked, rowsOf(member(answer, 'data') ?? [])),
    truncated: member(answer, 'truncated') === true,
  };
}

/**
 * Asks for several items in one request; `each` is told every answer as it comes. Raises Failure, and what `signal` was
 * aborted with.
 */
export async function askAll(
  transport: Transport,
  queries: readonly ItemQuery[],
  each: (index: number, answer: Answer) => void,
  signal: AbortSignal,
): Promise<void> {
  const seen = new Set<number>();
  const take = (index: number, answer: Json): void => {
    const asked = queries[index];
    if (asked === undefined || seen.has(index)) return;
    seen.add(index);
    each(index, answerOf(asked, answer));
  };
  const body: JsonObject = { action: 'get', find: { queries: queries.map(({ query }) => query) } };
  await transport.lines(
    'data',
    body,
    (line) => {
      // A service that does not answer line by line sends one list.
      if (isList(line)) return line.forEach((answer, index) => take(index, answer));
      const index = isObject(line) ? member(line, 'index') : undefined;
      if (typeof index === 'number') take(index, line);
    },
    signal,
  );
  if (seen.size < queries.length)
    throw new Failure('answer_cut', 0, 'The answer ended before every item had its rows.');
}

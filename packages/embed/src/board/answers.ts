import {
  isList,
  isObject,
  member,
  memberRows,
  objectOr,
  textOr,
  type ItemQuery,
  type Item,
  type Json,
  type JsonObject,
} from '@inlay/contract';
import { addMembers } from '../charts/colors/add-members.ts';
import type { MemberColors } from '../charts/frame/member-colors.ts';
import type { Row } from '../charts/frame/frame.ts';
import { Failure, hintOf, type Transport } from '@inlay/client/transport';
import type { Answer } from '../card/card-events.ts';

export interface ItemRequest {
  readonly id: string;
  readonly query: ItemQuery;
}

const rowsOf = (value: Json): readonly Row[] => (isList(value) ? value.filter(isList) : []);

/** Converts a response of the service to the answer of an item. */
export function answerOf(query: ItemQuery, answer: Json): Answer {
  const error = isObject(answer) ? (member(answer, 'error') ?? null) : {};
  if (isObject(error)) {
    const textOf = (name: string, fallback: string): string => textOr(member(error, name), fallback);
    const [code, message] = [textOf('code', 'query_failed'), textOf('message', 'The query failed.')];
    return { kind: 'failed', code, message, hint: hintOf(member(error, 'validation')) };
  }
  return {
    kind: 'rows',
    query,
    rows: memberRows(query, rowsOf(objectOr(answer)['data'] ?? [])),
    truncated: objectOr(answer)['truncated'] === true,
  };
}

/**
 * Registers the members of answers with the colours of the page. Returns true if the colour of a known member changed.
 */
export const addAnswers = (
  colors: MemberColors,
  items: ReadonlyMap<string, Item>,
  answers: readonly (readonly [string, Answer])[],
): boolean =>
  answers
    .map(([id, answer]) => {
      const item = items.get(id);
      return item !== undefined && answer.kind === 'rows' && addMembers(colors, item, answer.query, answer.rows);
    })
    .includes(true);

/** True if every item is drawn, empty or failed; false if there are no items. */
export function areSettled(
  items: readonly Item[],
  answers: ReadonlyMap<string, Answer>,
  drawnIds: ReadonlySet<string>,
): boolean {
  const isSettled = ({ id }: Item): boolean =>
    drawnIds.has(id) || ['nothing', 'failed'].includes(answers.get(id)?.kind ?? 'loading');
  return items.length > 0 && items.every(isSettled);
}

/**
 * Requests several items at once and calls `onAnswer` as each answer arrives. Raises Failure. Throws the signal's
 * reason if it aborts.
 */
export async function askAll(
  transport: Transport,
  requests: readonly ItemRequest[],
  onAnswer: (id: string, answer: Answer) => void,
  signal: AbortSignal,
): Promise<void> {
  const answeredIndexes = new Set<number>();
  const takeAnswer = (index: number, answer: Json): void => {
    const request = requests[index];
    if (request === undefined || answeredIndexes.has(index)) return;
    answeredIndexes.add(index);
    onAnswer(request.id, answerOf(request.query, answer));
  };
  const body: JsonObject = { action: 'get', find: { queries: requests.map(({ query }) => query.query) } };
  await transport.lines(
    'data',
    body,
    (line) => {
      // Without streaming, the service sends a single list.
      if (isList(line)) return line.forEach((answer, index) => takeAnswer(index, answer));
      const index = isObject(line) ? member(line, 'index') : undefined;
      if (typeof index === 'number') takeAnswer(index, line);
    },
    signal,
  );
  if (answeredIndexes.size < requests.length) throw new Failure('answer_cut', 0, 'The answer ended early.');
}

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

/** An item to ask for. */
export interface ItemRequest {
  readonly id: string;
  readonly query: ItemQuery;
}

const rowsOf = (value: Json): readonly Row[] => (isList(value) ? value.filter(isList) : []);

/** What an answer of the service means for an item. */
export function answerOf(asked: ItemQuery, answer: Json): Answer {
  const error = isObject(answer) ? (member(answer, 'error') ?? null) : {};
  if (isObject(error)) {
    const said = (name: string, fallback: string): string => textOr(member(error, name), fallback);
    const [code, message] = [said('code', 'query_failed'), said('message', 'The query failed.')];
    return { kind: 'failed', code, message, hint: hintOf(member(error, 'validation')) };
  }
  return {
    kind: 'rows',
    asked,
    rows: memberRows(asked, rowsOf(objectOr(answer)['data'] ?? [])),
    truncated: objectOr(answer)['truncated'] === true,
  };
}

/** Tells the colours which members answers have; whether a colour that was given changed. */
export const addAnswers = (
  colors: MemberColors,
  items: ReadonlyMap<string, Item>,
  answers: readonly (readonly [string, Answer])[],
): boolean =>
  answers
    .map(([id, answer]) => {
      const item = items.get(id);
      return item !== undefined && answer.kind === 'rows' && addMembers(colors, item, answer.asked, answer.rows);
    })
    .includes(true);

/** Whether every one of some items is drawn, or has nothing to draw; false where there are none. */
export function areSettled(
  items: readonly Item[],
  answers: ReadonlyMap<string, Answer>,
  drawn: ReadonlySet<string>,
): boolean {
  const isSettled = ({ id }: Item): boolean =>
    drawn.has(id) || ['nothing', 'failed'].includes(answers.get(id)?.kind ?? 'loading');
  return items.length > 0 && items.every(isSettled);
}

/**
 * Asks for several items in one request; `answered` is told every answer as it comes. Raises Failure, and what `signal` was
 * aborted with.
 */
export async function askAll(
  transport: Transport,
  sent: readonly ItemRequest[],
  answered: (id: string, answer: Answer) => void,
  signal: AbortSignal,
): Promise<void> {
  const seen = new Set<number>();
  const take = (index: number, answer: Json): void => {
    const asked = sent[index];
    if (asked === undefined || seen.has(index)) return;
    seen.add(index);
    answered(asked.id, answerOf(asked.query, answer));
  };
  const body: JsonObject = { action: 'get', find: { queries: sent.map(({ query }) => query.query) } };
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
  if (seen.size < sent.length) throw new Failure('answer_cut', 0, 'The answer ended early.');
}

import type { JsonObject } from '@inlay/contract';
import type { Operation } from '../declare/declaration.ts';
import type { ServedAnswer } from '../resource/served.ts';
import { entityTag } from '../resource/tables.ts';
import { isWarningMember } from '../declare/warnings.ts';
import type { AnswerBudget } from '../search/answer-budget.ts';
import { nearBytes } from '../search/read-long.ts';
import { visibleAfterWrite } from '../search/find-one.ts';
import type { AuthorizedRequest } from './authorize.ts';
import type { ExecutionResult } from './execute.ts';
import { piecesOf, writtenText } from '../search/records.ts';
import type { Service } from './service.ts';
import { endWithWarnings } from './warned.ts';

/** A successful answer: JSON text or the output of a handler, and the entity tag of a single record. */
export interface Answer {
  readonly operation: Operation | 'validate';
  readonly body: ServedAnswer['body'];
  /** The media type, if it is not JSON. */
  readonly type?: string;
  readonly fileName?: string;
  /** Id of the task, if the request is answered later. */
  readonly taskId?: string;
  readonly etag: string | null;
  /** True for the stored answer of an earlier request with the same Idempotency-Key. */
  readonly isReplayed?: boolean;
}

const encoder = new TextEncoder();

/** Returns a small answer as text, and a large answer as a stream. */
async function bodyOf(pieces: AsyncGenerator<string>, budget: AnswerBudget): Promise<Answer['body']> {
  if (budget.bytes() <= nearBytes) {
    let body = '';
    for await (const piece of pieces) body += piece;
    return body;
  }
  async function* large(): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) yield encoder.encode(piece);
  }
  return large();
}

async function* listOf(count: number | null, pieces: AsyncGenerator<string>): AsyncGenerator<string> {
  yield `{"count":${count},"rows":[`;
  yield* pieces;
  yield ']}';
}

/** Replaces the last character of a streamed record, its closing brace, by `end`. */
async function* endingIn(end: string, pieces: AsyncGenerator<string>): AsyncGenerator<string> {
  let last = '';
  for await (const piece of pieces) {
    if (piece === '') continue;
    if (last !== '') yield last;
    last = piece;
  }
  yield `${last.slice(0, -1)}${end}`;
}

/** Separates members with warnings from other members; warnings first. */
function apart(shown: JsonObject): readonly [JsonObject, JsonObject] {
  const members = Object.entries(shown);
  return [
    Object.fromEntries(members.filter(([name]) => isWarningMember(name))),
    Object.fromEntries(members.filter(([name]) => !isWarningMember(name))),
  ];
}

/** Step 6: serializes what the caller may see. */
export async function serialise(
  service: Service,
  allowed: AuthorizedRequest,
  executed: ExecutionResult,
): Promise<Answer> {
  const { operation, path } = allowed;
  const asking = { reader: service.reader, registry: service.registry, caller: allowed.caller };
  switch (executed.kind) {
    case 'one': {
      const { budget, seen, find, further } = executed;
      const pieces = await piecesOf({ ...asking, budget }, path.resource, [seen], find);
      const end = await endWithWarnings(asking, path.resource, seen, further);
      const body = await bodyOf(end === '}' ? pieces() : endingIn(end, pieces()), budget);
      return { operation, body, etag: entityTag(seen.stored) };
    }
    case 'many': {
      const { budget, rows, find, count } = executed;
      const pieces = await piecesOf({ ...asking, budget }, path.resource, rows, find);
      const body = await bodyOf(listOf(count, pieces()), budget);
      return { operation, body, etag: null };
    }
    case 'written': {
      // The creator of a record sees all its fields.
      const record =
        operation === 'create' ? executed.seen : await visibleAfterWrite(asking, path.resource, executed.seen.stored);
      const [warnings, shown] = apart(executed.shown);
      const text = await writtenText(asking, path.resource, record, executed.carried, shown);
      const end = await endWithWarnings(asking, path.resource, record, warnings);
      const body = end === '}' ? text : `${text.slice(0, -1)}${end}`;
      const { isReplayed } = executed;
      return { operation, body, etag: entityTag(executed.seen.stored), isReplayed };
    }
    case 'deleted':
      return {
        operation: allowed.mode === 'validate' ? 'validate' : operation,
        body: '{"code":200}',
        etag: null,
        isReplayed: executed.isReplayed,
      };
    case 'served':
      return { operation, etag: null, ...executed.answer };
  }
}

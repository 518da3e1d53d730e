import type { Operation } from '../resource/define.ts';
import type { ServedAnswer } from '../resource/served.ts';
import { entityTag } from '../resource/tables.ts';
import type { AnswerBudget } from '../search/answer-budget.ts';
import { nearBytes } from '../search/read-long.ts';
import { seenAfterwards } from '../search/run.ts';
import type { Allowed } from './authorize.ts';
import type { Executed } from './execute.ts';
import { piecesOf, textsOf, writtenText } from './records.ts';
import type { Service } from './service.ts';
import { warned } from './warned.ts';

/** A successful answer: JSON text, or what a part answered, and the entity tag of a single record (decisions A1, A4). */
export interface Answer {
  readonly operation: Operation;
  readonly body: ServedAnswer['body'];
  /** Where it is not JSON. */
  readonly type?: string;
  readonly fileName?: string;
  readonly etag: string | null;
}

const encoder = new TextEncoder();

/** A list as text where it is small, in pieces where it is large. */
async function listBody(
  count: number,
  pieces: () => AsyncGenerator<string>,
  budget: AnswerBudget,
): Promise<Answer['body']> {
  const start = `{"count":${count},"rows":[`;
  if (budget.bytes() <= nearBytes) {
    let body = start;
    for await (const piece of pieces()) body += piece;
    return `${body}]}`;
  }
  async function* large(): AsyncGenerator<Uint8Array> {
    yield encoder.encode(start);
    for await (const piece of pieces()) yield encoder.encode(piece);
    yield encoder.encode(']}');
  }
  return large();
}

/** Step 6: what is answered, in the words of the caller's rights. */
export async function serialise(service: Service, allowed: Allowed, executed: Executed): Promise<Answer> {
  const { operation, path } = allowed;
  const asking = { reader: service.store, registry: service.registry, caller: allowed.caller };
  switch (executed.kind) {
    case 'one': {
      const texts = await textsOf(asking, path.resource, [executed.seen], executed.find);
      const [body = ''] = await warned(asking, path.resource, [executed.seen], texts);
      return { operation, body, etag: entityTag(executed.seen.stored) };
    }
    case 'many': {
      const { budget, rows, find, count } = executed;
      const pieces = await piecesOf({ ...asking, budget }, path.resource, rows, find);
      const body = await listBody(count, pieces, budget);
      return { operation, body, etag: null };
    }
    case 'written': {
      // Whoever makes a record knows all of it.
      const seen =
        operation === 'create' ? executed.seen : await seenAfterwards(asking, path.resource, executed.seen.stored);
      const text = await writtenText(asking, path.resource, seen, executed.carried, executed.shown);
      const [body = text] = await warned(asking, path.resource, [seen], [text]);
      return { operation, body, etag: entityTag(executed.seen.stored) };
    }
    case 'deleted':
      return { operation, body: '{"code":200}', etag: null };
    case 'served':
      return { operation, etag: null, ...executed.answer };
  }
}

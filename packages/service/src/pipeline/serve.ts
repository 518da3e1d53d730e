import type { JsonObject } from '@inlay/contract';
import { Problem } from '../problems/problem.ts';
import { unlessEnded } from '../concurrency/release.ts';
import { startDeadline } from './deadline.ts';
import type { ServedAnswer } from '../resource/served.ts';
import type { ServedOperation } from '../declare/served-spec.ts';
import type { AuthorizedRequest } from './authorize.ts';
import type { IncomingRequest } from './identify.ts';
import type { Service } from './service.ts';

async function* bounded(
  stream: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  done: () => void,
): AsyncGenerator<Uint8Array> {
  const chunks = stream[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await unlessEnded(signal, chunks.next());
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    done();
    // Not awaited: a handler that ignores the signal would keep the connection open.
    void Promise.resolve(chunks.return?.()).catch(() => undefined);
  }
}

const isWhole = (body: ServedAnswer['body']): body is string | Uint8Array =>
  typeof body === 'string' || body instanceof Uint8Array;

/** True if the request has the preference `respond-async` (RFC 7240). */
const prefersLater = ({ prefer = '' }: IncomingRequest): boolean =>
  /(?:^|,)\s*respond-async\s*(?:,|;|$)/iu.test(prefer);

/**
 * Calls the handler of a resource. Its signal aborts at the deadline, or when the client disconnects. Raises Problem:
 * those of the handler, and 504 `deadline_passed`.
 */
export async function serve(
  service: Service,
  allowed: AuthorizedRequest,
  operation: ServedOperation,
  input: JsonObject,
): Promise<ServedAnswer> {
  const { path, caller, incoming, idempotency } = allowed;
  const handler = service.served[path.resource.name];
  if (handler === undefined) throw new Error(`nothing answers ${path.resource.name}`);
  if (caller === null) throw new Problem('credentials_missing');
  const { file, lines, rows, trace } = incoming;
  const spec = path.resource.served?.[operation];
  if (spec?.mayBeLater === true && prefersLater(incoming) && caller.type !== 'embed')
    return service.createTask({ resource: path.resource, caller, operation, input, lines, idempotency });
  const lasts = spec?.lasts?.(input) === true;
  // An upload takes as long as its sender needs; HTTP aborts a stalled one.
  const limitMs = file !== null ? service.uploadMs : lasts ? service.exportMs : service.deadlineMs;
  const { signal, deadlineMs, done, cancel } = startDeadline(incoming, limitMs);
  const status = { isReplayed: false };
  const replays = (): void => {
    status.isReplayed = true;
  };
  try {
    const answer = await unlessEnded(
      signal,
      handler({ operation, caller, input, signal, deadlineMs, idempotency, replays, file, rows, lines, trace }),
    );
    if (!isWhole(answer.body)) return { ...answer, body: bounded(answer.body, signal, done) };
    done();
    return { ...answer, ...status };
  } catch (error) {
    cancel(error);
    throw error;
  }
}

import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { problemBody } from '../../problems/body.ts';
import { Problem } from '../../problems/problem.ts';
import { afterBody, losesAnswer } from '../exchange.ts';
import type { ServerParts } from '../parts.ts';
import type { ConnectionLimit } from './connections.ts';
import { isProbe } from './is-probe.ts';
import { createRequestQueue } from './request-queue.ts';

const logEveryMs = 1000;
const retryAfterS = 1;

/** The refusal body in two parts around the request id: built once, because refusals under overload must be cheap. */
const [textBeforeId = '', textAfterId = ''] = JSON.stringify(problemBody(new Problem('overloaded'), '{id}')).split(
  '{id}',
);

/** Counts refusals and logs the number at most once per second. */
function createRefusalLog(logger: FastifyBaseLogger): () => void {
  let refusals = 0;
  return () => {
    refusals += 1;
    if (refusals > 1) return;
    setTimeout(() => {
      logger.warn({ code: 'overloaded', refused: refusals }, 'requests refused');
      refusals = 0;
    }, logEveryMs).unref();
  };
}

const tooManyUnknown = (): Problem =>
  new Problem('rate_limited', {
    message: 'Too many requests from this address are waiting for authentication.',
    retryAfterS: 1,
  });

/**
 * Refuses requests beyond the limits of connections and of requests in flight, in total and per address. Queues other
 * requests while the event loop is busy, unless they would wait too long.
 */
export function addQueue(
  server: FastifyInstance,
  connections: ConnectionLimit,
  { config, logger, traffic, unknownSenders }: ServerParts,
): void {
  const queue = createRequestQueue(config.maxEventLoopDelayMs);
  const noteRefusal = createRefusalLog(logger);
  server.addHook('onRequest', (request, reply, done) => {
    // A client that disconnected while queued needs no answer.
    const start = (): void => {
      if (reply.raw.destroyed) return;
      request.trace.span.begin('queue', {}, request.startedMs).end();
      done();
    };
    if (isProbe(request)) return done();
    // Checked before the queue, so that one address cannot fill it. Stalled requests do not take the places of accepted
    // credentials.
    if (unknownSenders.of(request.sender) > config.maxUnknownInFlight) return done(tooManyUnknown());
    const isBeyond = connections.isBeyond(request.socket);
    if (isBeyond) void reply.header('connection', 'close');
    else if (traffic.inFlight <= config.maxInFlight && queue.take(start, request.tenant)) return;
    noteRefusal();
    const answer = (): void =>
      void reply
        .code(503)
        .header('retry-after', String(retryAfterS))
        .type('application/json; charset=utf-8')
        .send(`${textBeforeId}${request.id}${textAfterId}`);
    if (losesAnswer(request)) afterBody(request.raw, answer);
    else answer();
  });
}

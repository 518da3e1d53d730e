import type { FastifyReply, FastifyRequest } from 'fastify';
import { problemBody } from '../problems/body.ts';
import { catalogue } from '../problems/catalogue.ts';
import { Problem } from '../problems/problem.ts';

/** Requests that were ended before they were answered. */
export interface EndedRequests {
  /** Answered 503, since nothing had been sent. */
  readonly refused: number;
  /** Cut in the middle of their answer. */
  readonly cut: number;
}

/** Answers 503 in place of whatever answers a request. */
function refuse(request: FastifyRequest, reply: FastifyReply): void {
  const body = JSON.stringify(problemBody(new Problem('stopping'), request.id));
  // The sender of a body reads the answer once it has sent the rest.
  request.raw.resume();
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value);
  reply.raw.writeHead(catalogue.stopping.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'retry-after': '1',
    connection: 'close',
  });
  reply.raw.end(body);
}

/** The requests without a whole answer, so that a stop can end them. */
export class OpenRequests {
  readonly #open = new Map<FastifyRequest, FastifyReply>();

  add(request: FastifyRequest, reply: FastifyReply): void {
    this.#open.set(request, reply);
    request.exchange.atEnd(() => this.#open.delete(request));
  }

  /** Ends all of them: those whose answer has begun end with their connection, which is for the caller to close. */
  end(): EndedRequests {
    let [refused, cut] = [0, 0];
    for (const [request, reply] of this.#open) {
      request.endedBy = 'stop';
      if (reply.raw.headersSent) cut += 1;
      else {
        refuse(request, reply);
        refused += 1;
      }
    }
    return { refused, cut };
  }
}

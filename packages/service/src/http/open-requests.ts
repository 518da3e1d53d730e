import type { FastifyReply, FastifyRequest } from 'fastify';
import { problemBody } from '../problems/body.ts';
import { catalogue } from '../problems/catalogue.ts';
import { Problem } from '../problems/problem.ts';

/** Requests that ended without a complete answer. */
export interface EndedRequests {
  /** Answered 503 before anything was sent. */
  readonly refused: number;
  /** Aborted in the middle of the answer. */
  readonly cut: number;
}

/** Answers a request with 503. */
function refuse(request: FastifyRequest, reply: FastifyReply): void {
  const body = JSON.stringify(problemBody(new Problem('stopping'), request.id));
  // A client reads the answer only after it has sent its body.
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

/** Requests without a complete answer, so that a stop can end them. */
export class OpenRequests {
  readonly #open = new Map<FastifyRequest, FastifyReply>();

  add(request: FastifyRequest, reply: FastifyReply): void {
    this.#open.set(request, reply);
    request.exchange.atEnd(() => this.#open.delete(request));
  }

  /** Ends all requests. Answers in progress are aborted when the caller closes their connections. */
  end(): EndedRequests {
    let [refusals, cutAnswers] = [0, 0];
    for (const [request, reply] of this.#open) {
      request.endedBy = 'stop';
      if (reply.raw.headersSent) cutAnswers += 1;
      else {
        refuse(request, reply);
        refusals += 1;
      }
    }
    return { refused: refusals, cut: cutAnswers };
  }
}

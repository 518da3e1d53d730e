import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import { problemBody } from '../problems/body.ts';
import { Problem } from '../problems/problem.ts';

/** Length of the accept queue. With Node's default of 511, some connections of a burst would be seconds late. */
const backlog = 4096;

/** How long a request waits for the service to become ready, in ms, and how many requests may wait. */
const patienceMs = 5_000;
const maxWaiting = 1_000;

/** A port that listens before the service is ready. */
export interface TakenPort {
  /** Hands the port and the waiting requests over to this server. */
  passTo(server: Server): Promise<void>;
  /** Refuses the waiting requests if the service fails to start. */
  refuse(): Promise<void>;
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    connection: 'close',
    ...(status === 503 ? { 'retry-after': '1' } : {}),
  });
  response.end(JSON.stringify(body));
}

const refuseStarting = (response: ServerResponse): void =>
  answer(response, 503, problemBody(new Problem('starting'), randomUUID()));

/**
 * Passes a request to the service and lets its connection close after the answer. The server does not track that
 * connection, and would not close it on stop.
 */
function pass(server: Server, request: IncomingMessage, response: ServerResponse): void {
  response.shouldKeepAlive = false;
  server.emit('request', request, response);
}

/** Requests received before the service is ready. A proxy sends requests as soon as the port accepts connections. */
class WaitingRequests {
  readonly #waiting = new Map<ServerResponse, { readonly request: IncomingMessage; readonly timer: NodeJS.Timeout }>();
  #server: Server | undefined;

  add(request: IncomingMessage, response: ServerResponse): void {
    // The connection was accepted before the hand-over.
    if (this.#server !== undefined) return pass(this.#server, request, response);
    if (this.#waiting.size >= maxWaiting) return refuseStarting(response);
    const timer = setTimeout(() => {
      if (this.#waiting.delete(response)) refuseStarting(response);
    }, patienceMs);
    this.#waiting.set(response, { request, timer });
    response.once('close', () => {
      clearTimeout(timer);
      this.#waiting.delete(response);
    });
  }

  passTo(server: Server): void {
    this.#server = server;
    for (const [response, { request, timer }] of this.#taken()) {
      clearTimeout(timer);
      pass(server, request, response);
    }
  }

  async refuse(): Promise<void> {
    const answers = this.#taken().map(async ([response, { timer }]) => {
      clearTimeout(timer);
      const responseClosed = once(response, 'close');
      refuseStarting(response);
      await responseClosed;
    });
    await Promise.race([Promise.all(answers), pause(1_000)]);
  }

  #taken() {
    const requests = [...this.#waiting];
    this.#waiting.clear();
    return requests;
  }
}

/**
 * Listens on the configured port. Until the hand-over, `/livez` answers normally, `/readyz` is 503, and other requests
 * wait. Raises the system's error if the port is unavailable.
 */
export async function takePort({ host, port }: Config): Promise<TakenPort> {
  const waitingRequests = new WaitingRequests();
  const temporaryServer = createServer({ maxHeaderSize: 16 * 1024 }, (request, response) => {
    if (request.url === '/livez') answer(response, 200, { status: 'ok' });
    else if (request.url === '/readyz') refuseStarting(response);
    else waitingRequests.add(request, response);
  });
  await listening(temporaryServer, () => temporaryServer.listen({ host, port, backlog }));
  return {
    passTo: async (server) => {
      await listening(server, () => server.listen(temporaryServer, backlog));
      waitingRequests.passTo(server);
    },
    refuse: () => waitingRequests.refuse(),
  };
}

const listening = (server: Server, listen: () => void): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', () => {
      server.off('error', reject);
      resolve();
    });
    listen();
  });

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import { problemBody } from '../problems/body.ts';
import { Problem } from '../problems/problem.ts';

/** Connections that may wait to be accepted: with the 511 of Node, part of a burst would connect seconds late. */
const backlog = 4096;

/** How long a request waits for the service to be ready, and how many wait. */
const patienceMs = 5_000;
const mostWaiting = 1_000;

/** A port that is taken while the service gets ready. */
export interface TakenPort {
  /** Passes the port on, with the requests that wait: from now on this server answers. */
  passTo(server: Server): Promise<void>;
  /** Answers the requests that wait where the service does not get ready. */
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

const refused = (response: ServerResponse): void =>
  answer(response, 503, problemBody(new Problem('starting'), randomUUID()));

/** Passes a request on with its connection, which is not one of the server: it would not close it at its stop. */
function pass(server: Server, request: IncomingMessage, response: ServerResponse): void {
  response.shouldKeepAlive = false;
  server.emit('request', request, response);
}

/** Requests that came before the service was ready. A proxy in front sends them as soon as the port takes connections. */
class WaitingRequests {
  readonly #waiting = new Map<ServerResponse, { readonly request: IncomingMessage; readonly timer: NodeJS.Timeout }>();
  #server: Server | undefined;

  add(request: IncomingMessage, response: ServerResponse): void {
    // A connection that was taken in before the port was passed on.
    if (this.#server !== undefined) return pass(this.#server, request, response);
    if (this.#waiting.size >= mostWaiting) return refused(response);
    const timer = setTimeout(() => {
      if (this.#waiting.delete(response)) refused(response);
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
    const answered = this.#taken().map(async ([response, { timer }]) => {
      clearTimeout(timer);
      const closed = once(response, 'close');
      refused(response);
      await closed;
    });
    await Promise.race([Promise.all(answered), pause(1_000)]);
  }

  #taken() {
    const taken = [...this.#waiting];
    this.#waiting.clear();
    return taken;
  }
}

/**
 * Takes the port of the settings. Until it is passed on, `/livez` answers as a running service does, `/readyz` is 503, and other
 * requests wait. Raises what the system says of a port that cannot be taken.
 */
export async function takePort({ host, port }: Config): Promise<TakenPort> {
  const waiting = new WaitingRequests();
  const first = createServer({ maxHeaderSize: 16 * 1024 }, (request, response) => {
    if (request.url === '/livez') answer(response, 200, { status: 'ok' });
    else if (request.url === '/readyz') refused(response);
    else waiting.add(request, response);
  });
  await listening(first, () => first.listen({ host, port, backlog }));
  return {
    passTo: async (server) => {
      await listening(server, () => server.listen(first, backlog));
      waiting.passTo(server);
    },
    refuse: () => waiting.refuse(),
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

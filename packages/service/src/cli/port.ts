import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { Config } from '../config/config.ts';
import { problemBody } from '../problems/body.ts';
import { Problem } from '../problems/problem.ts';

/** Connections that may wait to be accepted: with the 511 of Node, part of a burst would connect seconds late. */
const backlog = 4096;

/** A port that is taken while the service gets ready. */
export interface TakenPort {
  /** Passes the port on: from now on this server answers. */
  passTo(server: Server): Promise<void>;
}

const answerOf = (url: string | undefined): { readonly status: number; readonly body: string } =>
  url === '/livez'
    ? { status: 200, body: '{"status":"ok"}' }
    : { status: 503, body: JSON.stringify(problemBody(new Problem('starting'), randomUUID())) };

/**
 * Takes the port of the settings. Meanwhile `/livez` answers as a running service does, and everything else is 503. Raises what
 * the system says of a port that cannot be taken.
 */
export async function takePort({ host, port }: Config): Promise<TakenPort> {
  const first = createServer(({ url }, response) => {
    const { status, body } = answerOf(url);
    response.writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      connection: 'close',
      ...(status === 503 ? { 'retry-after': '1' } : {}),
    });
    response.end(body);
  });
  await listening(first, () => first.listen({ host, port, backlog }));
  return {
    passTo: (server) => listening(server, () => server.listen(first, backlog)),
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

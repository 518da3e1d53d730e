import { once } from 'node:events';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer, type Socket } from 'node:net';

/** A listener where nothing may ever arrive, on 127.0.0.1 and ::1. */
export interface Canary {
  readonly port: number;
  /** Connections so far. */
  hits(): number;
  stop(): void;
}

const portOf = (address: ReturnType<Server['address']>): number =>
  address !== null && typeof address === 'object' ? address.port : 0;

export async function startCanary(): Promise<Canary> {
  let hits = 0;
  const hit = (socket: Socket): void => {
    hits += 1;
    socket.on('error', () => undefined);
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi');
  };
  const [four, six] = [createServer(hit), createServer(hit)];
  four.listen(0, '127.0.0.1');
  await once(four, 'listening');
  const port = portOf(four.address());
  six.listen({ port, host: '::1', ipv6Only: true });
  await once(six, 'listening').catch(() => undefined);
  return { port, hits: () => hits, stop: () => [four, six].forEach((server) => server.close()) };
}

/** A server at 127.0.0.2, which an operator has allowed. Under `/<left>/<target in base64url>` it redirects, so many times to itself first. */
export interface Decoy {
  readonly port: number;
  hits(): number;
  /** Returns the address that leads to the target after this many further hops. */
  redirecting(left: number, target: string): string;
  stop(): void;
}

/** Starts a decoy, at the given port where it is told one. */
export async function startDecoy(port = 0): Promise<Decoy> {
  let hits = 0;
  const server = createHttpServer((request, response) => {
    hits += 1;
    // What a caller adds to its base address comes behind the target.
    const [, left = '0', target = ''] = (request.url ?? '').split('/');
    const location =
      left === '0' ? Buffer.from(target, 'base64url').toString('latin1') : `/${Number(left) - 1}/${target}`;
    if (target === '' || !/^\d+$/u.test(left)) response.end('hello');
    else response.writeHead(Number(left) % 2 === 0 ? 302 : 307, { location }).end('moved');
  });
  server.listen(port, '127.0.0.2');
  await once(server, 'listening');
  const own = portOf(server.address());
  return {
    port: own,
    hits: () => hits,
    redirecting: (left, target) => `http://127.0.0.2:${own}/${left}/${Buffer.from(target).toString('base64url')}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

// A process of its own next to the measuring one: sources that fail in one way each, and callers that ask them.
import { once } from 'node:events';
import { createServer, type Server as HttpServer, type ServerResponse } from 'node:http';
import { createServer as createTcp, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { openClient, type Client } from '../../test/support/load.ts';
import type { Credential } from '../../test/support/service.ts';

/** How sources fail: databases as they speak over TCP, plugins over HTTP. `flood` of databases is a real one with endless rows. */
export const faults = {
  blackhole: { tcp: () => undefined, http: () => undefined },
  'one byte a second': {
    tcp: (socket) => drip(() => socket.write('N'), socket),
    http: (answer) => {
      answer.writeHead(200, { 'content-type': 'application/json' });
      drip(() => answer.write(' '), answer);
    },
  },
  'endless rows': {
    tcp: (socket) => socket.destroy(),
    http: (answer) => {
      answer.writeHead(200, { 'content-type': 'application/json' });
      answer.write('[');
      const piece = `["Apollo 7","Earth orbit","1968-10-11T15:02:45.000Z",260.15,null],`.repeat(500);
      const more = (): void => {
        while (!answer.destroyed && answer.write(piece));
      };
      answer.on('drain', more);
      more();
    },
  },
  'a storm of 500': {
    tcp: (socket) => socket.destroy(),
    http: (answer) => void answer.writeHead(500, { 'content-type': 'application/json' }).end('{"message":"broken"}'),
  },
  'TLS that stalls': {
    tcp: (socket) => void socket.once('data', () => socket.write('S')),
    http: (answer) => void answer.socket?.pause(),
  },
} as const satisfies Record<
  string,
  { readonly tcp: (socket: Socket) => void; readonly http: (answer: ServerResponse) => void }
>;
export type FaultName = keyof typeof faults;
export const faultNames: readonly FaultName[] = [
  'blackhole',
  'one byte a second',
  'endless rows',
  'a storm of 500',
  'TLS that stalls',
];

function drip(send: () => void, to: Socket | ServerResponse): void {
  const timer = setInterval(send, 1000);
  to.on('close', () => clearInterval(timer));
}

/** What the measuring process says. */
export type Order =
  | { readonly kind: 'fail'; readonly how: FaultName | null }
  | {
      readonly kind: 'ask';
      readonly url: string;
      readonly credential: Credential;
      readonly queries: readonly object[];
      readonly callers: number;
      /** Between two queries of a caller: what is measured is the fault, not the number of requests. */
      readonly pauseMs: number;
    }
  | { readonly kind: 'stop' };

const isOrder = (value: unknown): value is Order => typeof value === 'object' && value !== null && 'kind' in value;

async function serve(): Promise<void> {
  let how: FaultName | null = null;
  const sockets = new Set<Socket>();
  const tcp: Server = createTcp((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    if (how !== null) faults[how].tcp(socket);
  });
  const http: HttpServer = createServer((request, answer) => {
    if (how !== null && request.url === '/query') return faults[how].http(answer);
    answer.writeHead(200, { 'content-type': 'application/json' });
    const columns = ['mission', 'goal'].map((id) => ({ id, name: { en: id }, type: 'hierarchy' }));
    answer.end(
      JSON.stringify(request.url === '/datasets' ? [{ id: 'missions', name: { en: 'Missions' }, columns }] : {}),
    );
  });
  const ports: number[] = [];
  for (const server of [tcp, http]) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    ports.push(typeof address === 'object' && address !== null ? address.port : 0);
  }
  const asking: { now: boolean; client: Client | null; loops: Promise<void>[] } = {
    now: false,
    client: null,
    loops: [],
  };
  const stop = async (): Promise<void> => {
    asking.now = false;
    asking.client?.close();
    await Promise.all(asking.loops);
    asking.loops = [];
    for (const socket of sockets) socket.destroy();
    http.closeAllConnections();
    process.send?.({ stopped: true });
  };
  process.on('message', (order) => {
    if (!isOrder(order)) return;
    if (order.kind === 'fail') how = order.how;
    else if (order.kind === 'stop') void stop();
    else {
      const client = openClient(order.url, order.credential, { timeoutMs: 30_000 });
      Object.assign(asking, { now: true, client });
      asking.loops = Array.from({ length: order.callers }, async (_, index) => {
        for (let turn = index; asking.now; turn += 1) {
          const find = order.queries[turn % order.queries.length] ?? {};
          await client.call('data', { action: 'get', find }).catch(() => undefined);
          await sleep(order.pauseMs);
        }
      });
    }
  });
  process.send?.({ ports });
}

if (process.argv[1] === import.meta.filename) await serve();

import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';

/** A proxy that keeps what was sent through it: the address and body of each POST with a SELECT. */
export interface Recorder {
  readonly port: number;
  /** Returns the last request, as `client.run` of an own client takes it; undefined if there was none. */
  last(): string | undefined;
  forget(): void;
  close(): void;
}

const isQuery = (sent: string): boolean => /\bselect\b/iu.test(sent) && !/version\(\)|system\./u.test(sent);

/** Starts a proxy for the HTTP port of a database on this machine. */
export async function startRecorder(port: number): Promise<Recorder> {
  let last: string | undefined;
  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(Buffer.from(piece));
    const body = Buffer.concat(pieces);
    const path = incoming.url ?? '/';
    const sent = JSON.stringify({ path, body: body.toString() });
    if (incoming.method === 'POST' && isQuery(decodeURIComponent(path) + body.toString())) last = sent;
    const { method, headers } = incoming;
    const forwarded = request({ host: '127.0.0.1', port, path, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    forwarded.end(body);
  };
  const server = createServer((incoming, response) => void serve(incoming, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: address !== null && typeof address === 'object' ? address.port : 0,
    last: () => last,
    forget: () => (last = undefined),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

import { once } from 'node:events';
import { createServer, request } from 'node:http';

/** Returns one address in front of several instances, each of which gets the next request. */
export async function startBalancer() {
  const targets: number[] = [];
  let next = 0;
  const server = createServer((incoming, outgoing) => {
    const port = targets[(next += 1) % Math.max(1, targets.length)];
    const { method, url, headers } = incoming;
    const passed = request({ host: '127.0.0.1', port, method, path: url, headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    to: (ports: readonly number[]): void => void targets.splice(0, targets.length, ...ports),
    stop: async (): Promise<void> => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

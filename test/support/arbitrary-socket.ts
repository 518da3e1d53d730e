import { request } from 'node:http';
import { connect } from 'node:net';
import type { Sending } from './arbitrary-http.ts';

/** What came back over a socket; null if the connection ended without an answer. */
export interface SocketReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
}

/** Sends a request over a real connection. Raises an Error where nothing comes back in ten seconds. */
export const overSocket = (port: number, sending: Sending): Promise<SocketReply> =>
  new Promise((resolve, reject) => {
    const { method, url, headers: sent, payload } = sending;
    const made = request({
      port,
      host: '127.0.0.1',
      method,
      path: url,
      headers: { ...sent, 'content-length': Buffer.byteLength(payload) },
      agent: false,
    });
    made.setTimeout(10_000, () => made.destroy(new Error('no answer in ten seconds')));
    made.on('error', reject);
    made.on('response', (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes: Buffer.concat(pieces),
        }),
      );
    });
    made.end(payload);
  });

/** Writes bytes to a port and returns everything that comes back until the other side ends, at most five seconds. */
export const exchange = (port: number, bytes: Buffer | string): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const pieces: Buffer[] = [];
    const finish = (): void => {
      socket.destroy();
      resolve(Buffer.concat(pieces).toString());
    };
    socket.setTimeout(5_000, finish);
    socket.on('data', (piece) => pieces.push(piece));
    socket.on('error', finish);
    socket.on('close', finish);
    socket.end(bytes);
  });

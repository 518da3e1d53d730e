import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Client } from 'pg';
import { secured, type Outbound } from '../../outbound/index.ts';

const limitMs = 2000;
const cancelCode = 80_877_102;
const tlsCode = 80_877_103;

const message = (...numbers: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(4 * (numbers.length + 1));
  [bytes.length, ...numbers].forEach((number, at) => bytes.writeInt32BE(number, at * 4));
  return bytes;
};

/** Address of the server of a session, and how to encrypt the connection. */
export interface CancelAt {
  readonly host: string;
  readonly port: number;
  readonly secure: { readonly ca: string | undefined; readonly verify: boolean } | undefined;
}

async function encrypted(socket: Socket, { host, secure }: CancelAt): Promise<Socket> {
  if (secure === undefined) return socket;
  socket.write(message(tlsCode));
  const [answer]: unknown[] = await once(socket, 'data', { signal: AbortSignal.timeout(limitMs) });
  if (!Buffer.isBuffer(answer) || answer.toString() !== 'S') throw new Error('The server offers no encryption');
  return secured(socket, host, { ...secure, deadlineMs: limitMs });
}

/**
 * Asks the server to cancel the statement of a session. Resolves when the server has closed the connection, which it
 * does after reading the request.
 */
export async function sendCancel(outbound: Outbound, at: CancelAt, client: Client): Promise<void> {
  const [process, key] = [Reflect.get(client, 'processID'), Reflect.get(client, 'secretKey')];
  if (typeof process !== 'number' || typeof key !== 'number') return;
  const socket = await outbound.connect(at.host, at.port, { deadlineMs: limitMs });
  try {
    const stream = await encrypted(socket, at);
    const streamEnd = once(stream, 'close', { signal: AbortSignal.timeout(limitMs) });
    stream.on('error', () => undefined);
    stream.end(message(cancelCode, process, key));
    stream.resume();
    await streamEnd;
  } finally {
    socket.destroy();
  }
}

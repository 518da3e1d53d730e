import { request } from 'node:http';
import type { Json } from '@inlay/contract';
import type { Credential } from '../../test/support/service.ts';

/** One request as it is sent. */
export interface Sent {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** The loopback address that it comes from. */
  readonly from?: string;
  /** Bytes of the answer that are read in a second; all at once where not given. */
  readonly bytesPerSecond?: number;
  /** Milliseconds after which the client gives up. */
  readonly limitMs?: number;
}

/** What came back; the status is 0 where the connection ended without an answer. */
export interface Reply {
  readonly status: number;
  readonly bytes: number;
  readonly body: string;
  readonly ms: number;
}

export const bearer = ({ key, token }: Credential): Record<string, string> => ({
  authorization: `Bearer ${key}:${token}`,
});

const keptBytes = 8 * 1024 * 1024;

/** Sends one request on a connection of its own and reads the answer, of which the first megabytes are kept. */
export function send(port: number, sent: Sent): Promise<Reply> {
  const {
    path,
    method = 'POST',
    headers = {},
    body = '',
    from = '127.0.0.1',
    bytesPerSecond,
    limitMs = 120_000,
  } = sent;
  const startedMs = performance.now();
  return new Promise((resolve) => {
    let status = 0;
    let bytes = 0;
    const kept: Buffer[] = [];
    const length: Record<string, number> = method === 'GET' ? {} : { 'content-length': Buffer.byteLength(body) };
    const made = request(
      {
        host: '127.0.0.1',
        port,
        localAddress: from,
        agent: false,
        method,
        path,
        headers: { 'content-type': 'application/json', ...length, ...headers },
      },
      (answer) => {
        status = answer.statusCode ?? 0;
        answer.on('data', (piece: Buffer) => {
          if (bytes < keptBytes) kept.push(piece);
          bytes += piece.length;
          if (bytesPerSecond === undefined) return;
          answer.pause();
          setTimeout(() => answer.resume(), (piece.length / bytesPerSecond) * 1000);
        });
        answer.on('error', () => undefined);
        answer.on('close', over);
      },
    );
    const timer = setTimeout(() => made.destroy(), limitMs);
    function over(): void {
      clearTimeout(timer);
      resolve({ status, bytes, body: Buffer.concat(kept).toString(), ms: performance.now() - startedMs });
    }
    made.on('error', () => status === 0 && over());
    made.end(body);
  });
}

/** Asks a resource and returns its answer as a value. Raises an Error where it is not 200. */
export async function call(port: number, resource: string, body: object, by: Credential, from?: string): Promise<Json> {
  const answer = await send(port, {
    path: `/0.1.0/${resource}`,
    headers: bearer(by),
    body: JSON.stringify(body),
    ...(from === undefined ? {} : { from }),
  });
  if (answer.status !== 200) throw new Error(`${resource} answered ${answer.status} ${answer.body.slice(0, 500)}`);
  const value: Json = JSON.parse(answer.body);
  return value;
}

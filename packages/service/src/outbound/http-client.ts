import type { Socket } from 'node:net';
import { guardedFetch, type FetchOptions, type OutboundAnswer } from './fetch.ts';
import type { OutboundPolicy } from './policy.ts';
import { outboundProblem } from './problem.ts';

/** An HTTP client for one host, whose connections come from a function. */
export interface HttpClient {
  /** Sends a request to a path of the host. Raises OutboundProblem. */
  fetch(path: string, options: FetchOptions): Promise<OutboundAnswer>;
  /** Closes the connections. Requests in flight fail. */
  close(): void;
}

/** The connections of a client have been checked and encrypted before any address is read. */
const checkedBefore: OutboundPolicy = { allowPrivateHosts: true, allowHosts: [] };

const keepAliveMs = 30_000;

/**
 * Creates a client whose connections come from `open`, which connects to a checked address and encrypts if necessary.
 * `host` has a port, and brackets if it is an IPv6 address. A request fails if its answer has not begun after `answerMs`;
 * 0 waits until the deadline of the request.
 */
export async function httpClientOver(host: string, open: () => Promise<Socket>, answerMs: number): Promise<HttpClient> {
  const { Pool } = await import('undici');
  const origin = `http://${host}`;
  const pool = new Pool(origin, {
    connect: (_options, settle) => {
      open().then(
        (socket) => settle(null, socket),
        (error: unknown) => settle(outboundProblem(error), null),
      );
    },
    pipelining: 1,
    keepAliveTimeout: keepAliveMs,
    // Statements have deadlines of their own.
    headersTimeout: answerMs,
    bodyTimeout: 0,
  });
  return {
    fetch: (path, options) => guardedFetch(pool, checkedBefore, new URL(path, origin), options),
    close: () => void pool.destroy().catch(() => undefined),
  };
}

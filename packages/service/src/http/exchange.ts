import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { callOnce } from '../concurrency/release.ts';

/** A request and its answer. Resources of the exchange are released exactly once, however it ends. */
export interface Exchange {
  /**
   * Calls `release` when the answer is written or the connection has ended, immediately if that has happened. Returns a
   * function that releases earlier.
   */
  readonly hold: (release: () => void) => () => void;
  /** Like `hold`, but without early release. */
  readonly atEnd: (release: () => void) => void;
  /** Calls `gone` if the connection ends before the answer is written, immediately if it has already ended. */
  readonly whenGone: (gone: () => void) => void;
}

declare module 'fastify' {
  interface FastifyRequest {
    exchange: Exchange;
  }
}

/** Opens the exchange of a new request. */
export type OpenExchange = (request: IncomingMessage, reply: ServerResponse) => Exchange;

/**
 * True if sending an answer now would lose it: the connection would be closed during an incoming body, which resets it.
 */
export const losesAnswer = ({ headers, raw }: FastifyRequest): boolean =>
  headers.connection?.toLowerCase() === 'close' && !raw.complete;

/** How long the rest of an already answered body may take, while its sender reads the answer. */
const restMs = 5000;

/** Runs `work` once the rest of a body was discarded, after five seconds, or when the sender has disconnected. */
export function afterBody(request: IncomingMessage, work: () => void): void {
  const workOnce = callOnce(() => {
    clearTimeout(timer);
    work();
  });
  const timer = setTimeout(workOnce, restMs);
  timer.unref();
  request.once('end', workOnce).once('close', workOnce);
  request.resume();
}

function leaveUnread(request: IncomingMessage, socket: Socket): void {
  if (socket.destroyed) return;
  const timer = setTimeout(() => socket.destroy(), restMs);
  timer.unref();
  request.once('end', () => clearTimeout(timer));
  request.resume();
}

/**
 * Creates the exchanges of a server. A pipelined request gets no event when its connection ends, so exchanges listen to
 * the connection itself, once for all its requests.
 */
export function createExchanges(): OpenExchange {
  const endsBySocket = new WeakMap<Socket, Set<() => void>>();
  const endsOf = (socket: Socket): Set<() => void> => {
    const socketEnds = endsBySocket.get(socket);
    if (socketEnds !== undefined) return socketEnds;
    const ends = new Set<() => void>();
    endsBySocket.set(socket, ends);
    socket.once('close', () => {
      for (const end of ends) end();
    });
    return ends;
  };
  return (request, reply) => {
    const { socket } = request;
    const atEnd: (() => void)[] = [];
    let releases: Set<() => void> | null = null;
    const ends = endsOf(socket);
    let isOver = socket.destroyed;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      ends.delete(end);
      for (const release of atEnd) release();
      for (const release of releases ?? []) release();
      if (!request.complete && socket instanceof Socket) leaveUnread(request, socket);
    };
    if (!isOver) {
      ends.add(end);
      reply.once('close', end);
    }
    const hold = (release: () => void): (() => void) => {
      const releaseOnce = callOnce(release);
      if (isOver) {
        releaseOnce();
        return releaseOnce;
      }
      const sooner = (): void => {
        releases?.delete(sooner);
        releaseOnce();
      };
      releases ??= new Set();
      releases.add(sooner);
      return sooner;
    };
    return {
      hold,
      atEnd: (release) => {
        if (isOver) release();
        else atEnd.push(release);
      },
      whenGone: (onGone) => {
        hold(() => {
          if (!reply.writableFinished) onGone();
        });
      },
    };
  };
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { once } from '../concurrency/release.ts';

/** One request and its answer. What is held for it is given back once, however it ends. */
export interface Exchange {
  /** Has this called when the answer is written or the connection is gone, at once where that is so already; gives what does it sooner. */
  readonly hold: (release: () => void) => () => void;
  /** As `hold`, for what nothing gives back sooner. */
  readonly atEnd: (release: () => void) => void;
  /** Calls back where the connection goes before the answer is written, at once where it has gone. */
  readonly whenGone: (gone: () => void) => void;
}

declare module 'fastify' {
  interface FastifyRequest {
    exchange: Exchange;
  }
}

/** Gives the exchange of a request that has just come. */
export type OpenExchange = (request: IncomingMessage, reply: ServerResponse) => Exchange;

/** Whether an answer would be lost now: closed while the body still comes, the connection would be reset. */
export const losesAnswer = ({ headers, raw }: FastifyRequest): boolean =>
  headers.connection?.toLowerCase() === 'close' && !raw.complete;

/** How long the rest of a body may still come that was answered before it was there: its sender reads the answer meanwhile. */
const restMs = 5000;

/** Does something once the rest of a body has come, which is read to nowhere, or after five seconds, or where its sender has gone. */
export function afterBody(request: IncomingMessage, work: () => void): void {
  const workOnce = once(() => {
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
 * Exchanges of one server. A request that waits behind others of its connection has no answer that would hear of the end of
 * the connection, so the connection itself is listened to, once for all its requests.
 */
export function createExchanges(): OpenExchange {
  const open = new WeakMap<Socket, Set<() => void>>();
  const endsOf = (socket: Socket): Set<() => void> => {
    const known = open.get(socket);
    if (known !== undefined) return known;
    const ends = new Set<() => void>();
    open.set(socket, ends);
    socket.once('close', () => {
      for (const end of ends) end();
    });
    return ends;
  };
  return (request, reply) => {
    const { socket } = request;
    const atEnd: (() => void)[] = [];
    let held: Set<() => void> | null = null;
    const ends = endsOf(socket);
    let isOver = socket.destroyed;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      ends.delete(end);
      for (const release of atEnd) release();
      for (const release of held ?? []) release();
      if (!request.complete && socket instanceof Socket) leaveUnread(request, socket);
    };
    if (!isOver) {
      ends.add(end);
      reply.once('close', end);
    }
    const hold = (release: () => void): (() => void) => {
      const releaseOnce = once(release);
      if (isOver) {
        releaseOnce();
        return releaseOnce;
      }
      const sooner = (): void => {
        held?.delete(sooner);
        releaseOnce();
      };
      held ??= new Set();
      held.add(sooner);
      return sooner;
    };
    return {
      hold,
      atEnd: (release) => {
        if (isOver) release();
        else atEnd.push(release);
      },
      whenGone: (gone) => {
        hold(() => {
          if (!reply.writableFinished) gone();
        });
      },
    };
  };
}

import type { ServerResponse } from 'node:http';

/** Ends answers whose readers take them too slowly: what waits for them is held in memory, and their connection with it. */
export interface SlowReaders {
  /** Watches an answer; `made` is called once when all of it is made, however much of it is still to be taken. Gives what stops it. */
  readonly watch: (reply: ServerResponse, made: () => void) => () => void;
  readonly count: () => number;
  readonly close: () => void;
}

export interface SlowReaderOptions {
  /** What a reader keeps up on average. */
  readonly bytesPerS: number;
  /** How long a reader may lag behind that. */
  readonly graceS: number;
  readonly tickMs: number;
}

interface WatchedResponse {
  readonly reply: ServerResponse;
  readonly made: () => void;
  /** When it was first seen to have begun, and how much its connection had written by then; null before that. */
  begun: { readonly ms: number; readonly written: number } | null;
  /** When what is left of an answer that is made must have been taken; null until it is made. */
  dueMs: number | null;
}

export function createSlowReaders({ bytesPerS, graceS, tickMs }: SlowReaderOptions): SlowReaders {
  const watching = new Set<WatchedResponse>();
  const isBehind = (one: WatchedResponse): boolean => {
    const { headersSent, socket, writableNeedDrain } = one.reply;
    if (!headersSent || socket === null) return false;
    const written = socket.bytesWritten - socket.writableLength;
    one.begun ??= { ms: performance.now(), written };
    const seconds = (performance.now() - one.begun.ms) / 1000;
    // Whoever waits for us is not slow.
    return writableNeedDrain && seconds > graceS + (written - one.begun.written) / bytesPerS;
  };
  /** What is written in one piece shows no progress before it is gone, so it has a time for all of it. */
  const isOverdue = (one: WatchedResponse): boolean => {
    const now = performance.now();
    if (one.dueMs === null) {
      one.made();
      one.dueMs = now + (graceS + one.reply.writableLength / bytesPerS) * 1000;
    }
    return now > one.dueMs;
  };
  const timer = setInterval(() => {
    for (const one of watching) {
      const { reply } = one;
      if (reply.writableEnded ? !isOverdue(one) : !isBehind(one)) continue;
      watching.delete(one);
      // An answer that waits behind others of its connection has none of its own yet.
      (reply.socket ?? reply.req.socket).destroy();
    }
  }, tickMs);
  timer.unref();
  return {
    watch: (reply, made) => {
      const one: WatchedResponse = { reply, made, begun: null, dueMs: null };
      watching.add(one);
      return () => void watching.delete(one);
    },
    count: () => watching.size,
    close: () => clearInterval(timer),
  };
}

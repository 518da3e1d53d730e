import type { ServerResponse } from 'node:http';

/** Ends responses whose clients read too slowly, since unread data takes memory and a connection. */
export interface SlowReaders {
  /** Watches a response; calls `made` once when it is completely generated, even if unsent. Returns a function that stops watching. */
  readonly watch: (reply: ServerResponse, made: () => void) => () => void;
  readonly count: () => number;
  readonly close: () => void;
}

export interface SlowReaderOptions {
  /** Minimum average rate of a reader. */
  readonly bytesPerS: number;
  /** How long a reader may fall behind that rate. */
  readonly graceS: number;
  readonly tickMs: number;
}

interface WatchedResponse {
  readonly reply: ServerResponse;
  readonly made: () => void;
  /** When sending was first observed, and the bytes written on the connection by then; null before that. */
  begun: { readonly ms: number; readonly written: number } | null;
  /** Deadline for the rest of a completely generated response; null until then. */
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
    // A reader that waits for the service is not slow.
    return writableNeedDrain && seconds > graceS + (written - one.begun.written) / bytesPerS;
  };
  /** A single large write shows no progress until it is complete, so it gets a deadline as a whole. */
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
      // A pipelined response has no socket of its own until its turn.
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

import type { ServerResponse } from 'node:http';

/** Ends responses whose clients read too slowly, since unread data takes memory and a connection. */
export interface SlowReaders {
  /**
   * Watches a response; calls `made` once when it is completely generated, even if unsent. Returns a function that
   * stops watching.
   */
  readonly watch: (reply: ServerResponse, made: () => void) => () => void;
  readonly count: () => number;
  readonly close: () => void;
}

export interface SlowReaderOptions {
  /** Minimum average rate of a reader. */
  readonly bytesPerS: number;
  /** How long a reader may be slower than that rate, in seconds. */
  readonly graceS: number;
  readonly tickMs: number;
}

interface WatchedResponse {
  readonly reply: ServerResponse;
  readonly made: () => void;
  /**
   * When sending was first observed, and the number of bytes written on the connection by then; null until observed.
   */
  begun: { readonly ms: number; readonly written: number } | null;
  /** Deadline for the rest of a completely generated response; null until then. */
  dueMs: number | null;
}

export function createSlowReaders({ bytesPerS, graceS, tickMs }: SlowReaderOptions): SlowReaders {
  const watching = new Set<WatchedResponse>();
  const isBehind = (response: WatchedResponse): boolean => {
    const { headersSent, socket, writableNeedDrain } = response.reply;
    if (!headersSent || socket === null) return false;
    const writtenBytes = socket.bytesWritten - socket.writableLength;
    response.begun ??= { ms: performance.now(), written: writtenBytes };
    const seconds = (performance.now() - response.begun.ms) / 1000;
    // A reader that waits for the service is not slow.
    return writableNeedDrain && seconds > graceS + (writtenBytes - response.begun.written) / bytesPerS;
  };
  /**
   * True if the rest of a completely generated response was not sent in time. A single large write shows no progress
   * until it is complete, so there is one deadline for the whole rest.
   */
  const isOverdue = (response: WatchedResponse): boolean => {
    const now = performance.now();
    if (response.dueMs === null) {
      response.made();
      response.dueMs = now + (graceS + response.reply.writableLength / bytesPerS) * 1000;
    }
    return now > response.dueMs;
  };
  const timer = setInterval(() => {
    for (const response of watching) {
      const { reply } = response;
      if (reply.writableEnded ? !isOverdue(response) : !isBehind(response)) continue;
      watching.delete(response);
      // A pipelined response has no socket of its own until its turn.
      (reply.socket ?? reply.req.socket).destroy();
    }
  }, tickMs);
  timer.unref();
  return {
    watch: (reply, onGenerated) => {
      const response: WatchedResponse = { reply, made: onGenerated, begun: null, dueMs: null };
      watching.add(response);
      return () => void watching.delete(response);
    },
    count: () => watching.size,
    close: () => clearInterval(timer),
  };
}

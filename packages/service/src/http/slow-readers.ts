import type { ServerResponse } from 'node:http';

/** Ends answers whose readers take them too slowly: what waits for them is held in memory. */
export interface SlowReaders {
  /** Watches an answer; gives what stops it. */
  readonly watch: (reply: ServerResponse) => () => void;
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

interface Watched {
  readonly reply: ServerResponse;
  readonly sinceMs: number;
  /** Of the connection, when the answer began. */
  readonly before: number;
}

export function createSlowReaders({ bytesPerS, graceS, tickMs }: SlowReaderOptions): SlowReaders {
  const watching = new Set<Watched>();
  const isLate = ({ reply, sinceMs, before }: Watched): boolean => {
    const taken = (reply.socket?.bytesWritten ?? 0) - (reply.socket?.writableLength ?? 0) - before;
    return (performance.now() - sinceMs) / 1000 > graceS + taken / bytesPerS;
  };
  const timer = setInterval(() => {
    for (const one of watching) {
      // Whoever waits for us is not slow.
      if (!one.reply.writableNeedDrain || !isLate(one)) continue;
      watching.delete(one);
      one.reply.destroy();
    }
  }, tickMs);
  timer.unref();
  return {
    watch: (reply) => {
      const one = { reply, sinceMs: performance.now(), before: reply.socket?.bytesWritten ?? 0 };
      watching.add(one);
      return () => void watching.delete(one);
    },
    count: () => watching.size,
    close: () => clearInterval(timer),
  };
}

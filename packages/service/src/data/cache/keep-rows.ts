import { onEnd, once } from '../../concurrency/release.ts';
import type { AnswerCache, CachedRows } from './cache.ts';

/** Rows that are read for one caller and may be answered to others: kept in the cache, or told to those who wait for the same. */
export interface RowsKeeper {
  readonly add: (chunk: Uint8Array) => void;
  /** All rows are there. */
  readonly end: (told: Omit<CachedRows, 'text'>) => void;
  /** No more rows come, whether or not all are there. */
  readonly leave: () => void;
}

/** Rows that are being read, by what identifies them. */
export interface InFlightQueries {
  /** The rows that another caller reads at the moment; null where nobody does, or they do not become known. Raises the reason of the signal. */
  readonly of: (key: string, signal: AbortSignal) => Promise<CachedRows | null>;
  /** Says that rows are read from now on until the signal ends; gives what to tell them to, once, null where they are not told. */
  readonly begin: (key: string, signal: AbortSignal) => (rows: CachedRows | null) => void;
}

/** Larger results are sent as they are read, as fast as their own client takes them: nobody else waits for them. */
export const mostShared = 262_144;

/** Nobody reads anything yet. */
export function createInFlightQueries(): InFlightQueries {
  const reading = new Map<string, Promise<CachedRows | null>>();
  return {
    of: async (key, signal) => {
      const rows = reading.get(key);
      if (rows === undefined) return null;
      const { promise: over, reject } = Promise.withResolvers<never>();
      const stop = onEnd(signal, () => reject(signal.reason));
      return Promise.race([rows, over]).finally(stop);
    },
    begin: (key, signal) => {
      const { promise, resolve } = Promise.withResolvers<CachedRows | null>();
      if (reading.has(key)) return () => undefined;
      reading.set(key, promise);
      const tell = (rows: CachedRows | null): void => {
        if (reading.get(key) === promise) reading.delete(key);
        resolve(rows);
      };
      onEnd(
        signal,
        once(() => tell(null)),
      );
      return tell;
    },
  };
}

/** Keeps rows until `untilMs`, where that is given, and tells those who wait for them. */
export function keepRows(
  cache: AnswerCache,
  key: string,
  untilMs: number | null,
  tell: (rows: CachedRows | null) => void,
): RowsKeeper {
  const mostCached = untilMs === null ? 0 : cache.largestBytes;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  return {
    add: (chunk) => {
      bytes += chunk.byteLength;
      if (bytes > mostShared) tell(null);
      if (bytes <= Math.max(mostCached, mostShared)) chunks.push(chunk);
      else chunks.length = 0;
    },
    end: (told) => {
      if (bytes > Math.max(mostCached, mostShared)) return;
      const rows = { text: Buffer.concat(chunks), ...told };
      if (untilMs !== null && bytes <= mostCached) cache.put(key, rows, untilMs);
      if (bytes <= mostShared) tell(rows);
    },
    leave: () => tell(null),
  };
}

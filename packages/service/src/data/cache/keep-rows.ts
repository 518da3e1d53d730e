import { onEnd, callOnce } from '../../concurrency/release.ts';
import type { AnswerCache, CachedRows } from './cache.ts';

/** Collects rows that are read for one caller, for the cache and for callers that wait for the same rows. */
export interface RowsKeeper {
  readonly add: (chunk: Uint8Array) => void;
  /** Call after the last row. */
  readonly end: (told: Omit<CachedRows, 'text'>) => void;
  /** Call when no more rows follow, complete or not. */
  readonly leave: () => void;
}

/** Queries in progress by cache key. */
export interface InFlightQueries {
  /**
   * Waits for rows being read for another caller; null if there are none, or they cannot be shared. Raises the reason
   * of the signal.
   */
  readonly of: (key: string, signal: AbortSignal) => Promise<CachedRows | null>;
  /**
   * Registers a query until the signal aborts. Returns a function that resolves it with its rows, or with null if they
   * cannot be shared.
   */
  readonly begin: (key: string, signal: AbortSignal) => (rows: CachedRows | null) => void;
}

/** Size limit in bytes. Larger results are streamed at the speed of their client, so others cannot wait for them. */
export const maxSharedBytes = 262_144;

/** Creates an empty registry of queries in progress. */
export function createInFlightQueries(): InFlightQueries {
  const reading = new Map<string, Promise<CachedRows | null>>();
  return {
    of: async (key, signal) => {
      const rows = reading.get(key);
      if (rows === undefined) return null;
      const { promise: abortPromise, reject } = Promise.withResolvers<never>();
      const stop = onEnd(signal, () => reject(signal.reason));
      return Promise.race([rows, abortPromise]).finally(stop);
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
        callOnce(() => tell(null)),
      );
      return tell;
    },
  };
}

/** Collects rows; at the end, caches them until `untilMs` and resolves those waiting for them. */
export function keepRows(
  cache: AnswerCache,
  key: string,
  untilMs: number | null,
  tell: (rows: CachedRows | null) => void,
): RowsKeeper {
  const maxCached = untilMs === null ? 0 : cache.largestBytes;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  return {
    add: (chunk) => {
      bytes += chunk.byteLength;
      if (bytes > maxSharedBytes) tell(null);
      if (bytes <= Math.max(maxCached, maxSharedBytes)) chunks.push(chunk);
      else chunks.length = 0;
    },
    end: (outcome) => {
      if (bytes > Math.max(maxCached, maxSharedBytes)) return;
      const rows = { text: Buffer.concat(chunks), ...outcome };
      if (untilMs !== null && bytes <= maxCached) cache.put(key, rows, untilMs);
      if (bytes <= maxSharedBytes) tell(rows);
    },
    leave: () => tell(null),
  };
}

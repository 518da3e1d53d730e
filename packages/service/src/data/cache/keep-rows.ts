import { onEnd, callOnce } from '../../concurrency/release.ts';
import type { AnswerCache, CachedRows } from './cache.ts';

/**
 * Collects rows while they are read for a caller. Passes them to the cache, and to callers that wait for the same rows.
 */
export interface RowsKeeper {
  readonly add: (chunk: Uint8Array) => void;
  /** Call after the last row. */
  readonly end: (told: Omit<CachedRows, 'text'>) => void;
  /** Call when no more rows follow, whether or not the rows are complete. */
  readonly leave: () => void;
}

/** Queries that are being read, by cache key. */
export interface InFlightQueries {
  /**
   * Waits for rows that are being read for another caller. Returns null if no one reads these rows or if they cannot be
   * shared. Throws the signal's reason if it aborts.
   */
  readonly of: (key: string, signal: AbortSignal) => Promise<CachedRows | null>;
  /**
   * Registers a query, so that other callers can wait for its rows. Call the returned function with the rows, or with
   * null if they cannot be shared. If the signal aborts, other callers get null.
   */
  readonly begin: (key: string, signal: AbortSignal) => (rows: CachedRows | null) => void;
}

/**
 * Maximum size of a shared result in bytes. A larger result is streamed at the speed of its client, so other callers
 * cannot wait for it.
 */
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

/**
 * Collects rows. At the end, caches them until `untilMs` (null: does not cache them), and calls `tell` with the rows,
 * or with null if they are too large to share.
 */
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

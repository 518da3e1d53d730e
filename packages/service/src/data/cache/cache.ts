import type { PlaceLabel } from '../choose.ts';

/** Cached rows: JSON arrays separated by commas. */
export interface CachedRows {
  readonly text: Uint8Array;
  /** Where the query ran. */
  readonly source: PlaceLabel;
  readonly rows: number;
  readonly truncated: boolean;
}

/** A cache of query results with a size limit. */
export interface AnswerCache {
  get(key: string, nowMs: number): CachedRows | undefined;
  put(key: string, rows: CachedRows, untilMs: number): void;
  /** Maximum size of the text of an entry, in bytes. */
  readonly largestBytes: number;
  readonly bytes: number;
}

/** Memory that an entry takes besides its text, in bytes. */
const entryBytes = 400;

/** Creates an LRU cache of at most `maxBytes`; 0 disables the cache. */
export function createAnswerCache(maxBytes: number): AnswerCache {
  const entries = new Map<string, CachedRows & { readonly untilMs: number }>();
  const size = { bytes: 0 };
  const forget = (key: string): void => {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    size.bytes -= entry.text.byteLength + entryBytes;
  };
  return {
    largestBytes: Math.floor(maxBytes / 8),
    get bytes() {
      return size.bytes;
    },
    get: (key, nowMs) => {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      if (entry.untilMs <= nowMs) {
        forget(key);
        return undefined;
      }
      entries.delete(key);
      entries.set(key, entry);
      return entry;
    },
    put: (key, rows, untilMs) => {
      forget(key);
      const cost = rows.text.byteLength + entryBytes;
      if (cost > maxBytes) return;
      entries.set(key, { ...rows, untilMs });
      size.bytes += cost;
      for (const [oldest] of entries) {
        if (size.bytes <= maxBytes) break;
        forget(oldest);
      }
    },
  };
}

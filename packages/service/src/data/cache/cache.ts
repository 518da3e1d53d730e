/** Cached rows: JSON text of lists with commas between. */
export interface CachedRows {
  readonly text: Uint8Array;
  readonly rows: number;
  readonly truncated: boolean;
}

/** A cache of answers, limited in bytes. */
export interface AnswerCache {
  get(key: string, nowMs: number): CachedRows | undefined;
  put(key: string, rows: CachedRows, untilMs: number): void;
  /** Maximum size of a text. */
  readonly largestBytes: number;
  readonly bytes: number;
}

/** The size of an entry without its text. */
const entryBytes = 400;

/** An LRU cache of so many bytes; 0 caches nothing. */
export function createAnswerCache(mostBytes: number): AnswerCache {
  const held = new Map<string, CachedRows & { readonly untilMs: number }>();
  const size = { bytes: 0 };
  const forget = (key: string): void => {
    const entry = held.get(key);
    if (entry === undefined) return;
    held.delete(key);
    size.bytes -= entry.text.byteLength + entryBytes;
  };
  return {
    largestBytes: Math.floor(mostBytes / 8),
    get bytes() {
      return size.bytes;
    },
    get: (key, nowMs) => {
      const entry = held.get(key);
      if (entry === undefined) return undefined;
      if (entry.untilMs <= nowMs) {
        forget(key);
        return undefined;
      }
      held.delete(key);
      held.set(key, entry);
      return entry;
    },
    put: (key, rows, untilMs) => {
      forget(key);
      const cost = rows.text.byteLength + entryBytes;
      if (cost > mostBytes) return;
      held.set(key, { ...rows, untilMs });
      size.bytes += cost;
      for (const [oldest] of held) {
        if (size.bytes <= mostBytes) break;
        forget(oldest);
      }
    },
  };
}

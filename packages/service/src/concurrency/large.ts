import { isList, isObject, type Json } from '@inlay/contract';

/**
 * A record with more characters and values than this, counted together, is written by the writing thread of SQLite, not by the
 * thread that answers requests. On both stores other requests are handled before and after the write.
 */
export const largeRecord = 131_072;

/** Queries of a request with more characters and values than this are compiled in turns. */
export const largeRequest = 20_000;

/** Whether a value has more than so many characters (of texts and names) and values together; looks no further than that. */
export function isLarger(value: Json, most: number): boolean {
  let left = most;
  const waiting: Json[] = [value];
  for (let next = waiting.pop(); next !== undefined && left >= 0; next = waiting.pop()) {
    left -= typeof next === 'string' ? next.length + 1 : 1;
    if (isList(next)) {
      if (next.length > left) return true;
      for (const one of next) waiting.push(one);
    } else if (isObject(next)) {
      for (const name in next) {
        left -= name.length;
        if (left < 0) return true;
        waiting.push(next[name] ?? null);
      }
    }
  }
  return left < 0;
}

import { isList, isObject, type Json } from '@inlay/contract';

/**
 * Limit of characters plus values above which a record is large. SQLite writes large records in the writer thread
 * instead of the main thread. With both stores, other requests run before and after such a write.
 */
export const largeRecord = 131_072;

/** If the queries of a request have more characters and values than this, compiling them yields to other requests. */
export const largeRequest = 20_000;

/**
 * True if a value has more than `limit` characters (of strings and names) and values in total. Counting stops at the
 * limit.
 */
export function isLarger(value: Json, limit: number): boolean {
  let remaining = limit;
  const pendingValues: Json[] = [value];
  for (
    let pendingValue = pendingValues.pop();
    pendingValue !== undefined && remaining >= 0;
    pendingValue = pendingValues.pop()
  ) {
    remaining -= typeof pendingValue === 'string' ? pendingValue.length + 1 : 1;
    if (isList(pendingValue)) {
      if (pendingValue.length > remaining) return true;
      for (const entry of pendingValue) pendingValues.push(entry);
    } else if (isObject(pendingValue)) {
      for (const name in pendingValue) {
        remaining -= name.length;
        if (remaining < 0) return true;
        pendingValues.push(pendingValue[name] ?? null);
      }
    }
  }
  return remaining < 0;
}

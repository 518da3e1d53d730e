import { timestamp, type Json, type JsonObject } from '@inlay/contract';

const hourMs = 3_600_000;

/** Hours between two readings of a dataset's metadata; null where it is not read again. */
export function syncHours(account: JsonObject | null, dataset: JsonObject): number | null {
  if (account === null || account['active'] === false || dataset['meta_sync_enabled'] === false) return null;
  const inherits = dataset['meta_sync_inherit'] !== false;
  if (inherits && account['datasets_meta_sync_enabled'] === false) return null;
  const hours = Number(inherits ? (account['datasets_meta_sync_interval'] ?? 1) : (dataset['meta_sync_interval'] ?? 1));
  return hours > 0 ? hours : null;
}

/** When the metadata of a dataset is to be read next; null for never. */
export function dueAfter(account: JsonObject | null, dataset: JsonObject, now: string): string | null {
  const hours = syncHours(account, dataset);
  return hours === null ? null : timestamp(Date.parse(now) + hours * hourMs);
}

/** When to try again after a failure: the longer nothing was read, the later, up to a day. */
export function dueAfterFailure(lastReadAt: Json, hours: number, now: string): string {
  const sinceMs = typeof lastReadAt === 'string' ? Date.parse(now) - Date.parse(lastReadAt) : 0;
  return timestamp(Date.parse(now) + Math.min(24 * hourMs, Math.max(hours * hourMs, sinceMs)));
}

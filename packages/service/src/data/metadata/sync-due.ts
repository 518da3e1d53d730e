import { timestamp, type Json, type JsonObject } from '@inlay/contract';

const hourMs = 3_600_000;

/** Returns the hours between two syncs of a dataset's metadata; null if the metadata is not synced. */
export function syncHours(account: JsonObject | null, dataset: JsonObject): number | null {
  if (account === null || account['active'] === false || dataset['meta_sync_enabled'] === false) return null;
  const inherits = dataset['meta_sync_inherit'] !== false;
  if (inherits && account['datasets_meta_sync_enabled'] === false) return null;
  const hours = Number(inherits ? (account['datasets_meta_sync_interval'] ?? 1) : (dataset['meta_sync_interval'] ?? 1));
  return hours > 0 ? hours : null;
}

/** Returns the time of the next sync of a dataset's metadata; null if the metadata is not synced. */
export function dueAfter(account: JsonObject | null, dataset: JsonObject, now: string): string | null {
  const hours = syncHours(account, dataset);
  return hours === null ? null : timestamp(Date.parse(now) + hours * hourMs);
}

/**
 * Returns the time of the next attempt after a failure. The delay grows with the time since the last success, up to a
 * day.
 */
export function dueAfterFailure(lastReadAt: Json, hours: number, now: string): string {
  const sinceMs = typeof lastReadAt === 'string' ? Date.parse(now) - Date.parse(lastReadAt) : 0;
  return timestamp(Date.parse(now) + Math.min(24 * hourMs, Math.max(hours * hourMs, sinceMs)));
}

import type { CopyRange, ModelColumn, ModelDataset } from '@inlay/query';
import { filledText, isList, type Json, type JsonObject } from '@inlay/contract';
import { Problem } from '../problems/problem.ts';
import { frequencyMs } from '../resources/parts/acceleration/frequency.ts';

/** What a refresh reads, and how it changes the copy. */
export interface RefreshPlan {
  /** True if the refresh replaces the copy. */
  readonly isFull: boolean;
  /** The rows to read; null for all rows. */
  readonly range: CopyRange | null;
  /** Names of the columns that identify a row; empty if rows are only added. */
  readonly key: readonly string[];
  /** The column that every row must have a value in; null if rows without times are allowed. */
  readonly required: ModelColumn | null;
  /** The time up to which the copy then has the rows of the source, in ms. */
  readonly asOfMs: number;
}

const faulty = (message: string): Problem => new Problem('acceleration_failed', { message });

/** Returns a column of the source by its id. Raises Problem `acceleration_failed`. */
function columnOf(model: ModelDataset, id: Json | undefined, isTime: boolean): ModelColumn {
  const column = model.columns.get(filledText(id) ?? '');
  if (column === undefined || column.expression !== null)
    throw faulty('A column that the acceleration names is no longer at the source. Name another one.');
  if (isTime && column.storageType !== 'timestamp' && column.storageType !== 'timestamptz')
    throw faulty(`The column "${column.source}" has no times of day, so a delta could miss rows. Name another one.`);
  return column;
}

const msOf = (value: Json | undefined): number => Date.parse(filledText(value) ?? '');

/** True if all rows must be read: for the first copy, after changes, and where a full refresh is due. */
function isFullDue(acceleration: JsonObject, hasCopy: boolean, nowMs: number): boolean {
  const lastFullMs = msOf(acceleration['last_full_at']);
  if (acceleration['load_type'] === 'full' || !hasCopy || Number.isNaN(lastFullMs)) return true;
  const everyMs = acceleration['load_type'] === 'full-delta' ? frequencyMs(acceleration['full_load_every']) : null;
  return everyMs !== null && nowMs >= lastFullMs + everyMs;
}

/**
 * Plans a refresh. `hasCopy` is true if there is a copy of the same rows and columns to change. Raises Problem
 * `acceleration_failed` that says what to change.
 */
export function planRefresh(
  acceleration: JsonObject,
  model: ModelDataset,
  hasCopy: boolean,
  nowMs: number,
): RefreshPlan {
  const isFull = isFullDue(acceleration, hasCopy, nowMs);
  if (acceleration['load_type'] === 'full') return { isFull, range: null, key: [], required: null, asOfMs: nowMs };
  const lateMs = Number(acceleration['late_rows_seconds'] ?? 0) * 1000;
  const created = columnOf(model, acceleration['created_at_column_id'], true);
  if (acceleration['data_storage_strategy'] === 'insert') {
    // Rows that are this old can no longer be joined by earlier ones, so every row is read exactly once.
    const sinceMs = isFull ? null : msOf(acceleration['data_as_of']);
    const untilMs = Math.max(nowMs - lateMs, sinceMs ?? 0);
    return { isFull, range: { columns: [created], sinceMs, untilMs }, key: [], required: created, asOfMs: untilMs };
  }
  const changed = [acceleration['updated_at_column_id'], acceleration['deleted_at_column_id']]
    .filter((id) => filledText(id) !== null)
    .map((id) => columnOf(model, id, true));
  const { primary_key_column_ids: keys = [] } = acceleration;
  const key = (isList(keys) ? keys : []).map((id) => columnOf(model, id, false).source);
  const sinceMs = msOf(acceleration['last_refresh_at']) - lateMs;
  const range = isFull ? null : { columns: [created, ...changed], sinceMs, untilMs: null };
  return { isFull, range, key, required: null, asOfMs: nowMs };
}

const minuteMs = 60_000;
const hourMs = 3_600_000;
/** Failed refreshes in a row after which an acceleration without a schedule is not refreshed again. */
const maxFailures = 3;

/**
 * Returns when to refresh after a number of failures in a row, in ms: after a minute, then twice as late each time, but
 * no later than the schedule or an hour. Null if no refresh follows.
 */
export function retryAt(failures: number, schedule: Json | undefined, nowMs: number): number | null {
  const everyMs = frequencyMs(schedule);
  if (everyMs === null && failures >= maxFailures) return null;
  return nowMs + Math.min(everyMs ?? hourMs, hourMs, minuteMs * 2 ** Math.min(failures - 1, 6));
}

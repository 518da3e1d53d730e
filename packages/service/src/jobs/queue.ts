import { storeClock } from '../store/lease.ts';
import { sql, type Value } from '../store/sql.ts';
import type { Reader } from '../store/store.ts';

/** The state of the queue. */
export interface QueueState {
  /** Number of jobs that are due, or whose instance has ended. */
  readonly due: number;
  /** Due time of the oldest due job, in ms since the epoch; null if no job is due. */
  readonly oldestDueMs: number | null;
  /** Due time of the next job that is not due yet, in ms since the epoch; null if there is none. */
  readonly nextDueMs: number | null;
  readonly dead: number;
}

const timeIn = (value: Value | undefined): number | null => (typeof value === 'string' ? Date.parse(value) : null);

/** Reads the state of the queue without locking anything. Raises what the store raises. */
export async function readQueue(reader: Reader, now: string): Promise<QueueState> {
  const isWaiting = sql`lease is null and due_at is not null`;
  const [row] = await reader.rows(sql`select
    (select count(*) from job where ${isWaiting} and due_at <= ${now}) as due,
    (select count(*) from job where lease is not null and leased_until < ${storeClock[reader.dialect.name]}) as expired,
    (select min(due_at) from job where ${isWaiting}) as oldest,
    (select min(due_at) from job where ${isWaiting} and due_at > ${now}) as next,
    (select count(*) from job where lease is null and due_at is null) as dead`);
  const dueCount = Number(row?.['due'] ?? 0);
  return {
    due: dueCount + Number(row?.['expired'] ?? 0),
    oldestDueMs: dueCount === 0 ? null : timeIn(row?.['oldest']),
    nextDueMs: timeIn(row?.['next']),
    dead: Number(row?.['dead'] ?? 0),
  };
}

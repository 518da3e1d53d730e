import { timestamp } from '@inlay/contract';
import type { IdempotencyKey } from '../resource/served.ts';
import { Problem } from '../problems/problem.ts';
import { sql, type Sql } from '../store/sql.ts';
import type { Reader, Transaction } from '../store/store.ts';

/** A row of the table; empty while its request is running. */
export interface StoredAnswer {
  readonly text: string;
  readonly isSealed: boolean;
}

const isFor = ({ scope, key }: Pick<IdempotencyKey, 'scope' | 'key'>): Sql => sql`scope = ${scope} and key = ${key}`;

/** True if a key exists. */
export async function isKnown(reader: Reader, key: Pick<IdempotencyKey, 'scope' | 'key'>): Promise<boolean> {
  return (await reader.rows(sql`select 1 as known from idempotency where ${isFor(key)}`)).length > 0;
}

/** Deletes a key that has expired. With `lostAfterMs`, also deletes an unanswered claim older than that. */
export async function expire(
  transaction: Transaction,
  key: IdempotencyKey,
  nowMs: number,
  lostAfterMs: number = Infinity,
): Promise<void> {
  const expiredBefore = timestamp(nowMs - key.hours * 3_600_000);
  const lostClause =
    lostAfterMs === Infinity ? sql`` : sql` or (answer = '' and created_at < ${timestamp(nowMs - lostAfterMs)})`;
  await transaction.run(
    sql`delete from idempotency where ${isFor(key)} and (created_at < ${expiredBefore}${lostClause})`,
  );
}

/**
 * Returns the answer for a key; null if the key is unused. Raises Problem `idempotency_conflict` if it belongs to a
 * different request.
 */
export async function find(reader: Reader, key: IdempotencyKey): Promise<StoredAnswer | null> {
  const [row] = await reader.rows(sql`select fingerprint, answer, secret_key from idempotency where ${isFor(key)}`);
  if (row === undefined) return null;
  if (row['fingerprint'] !== key.fingerprint) throw new Problem('idempotency_conflict');
  return { text: String(row['answer']), isSealed: row['secret_key'] !== null };
}

const newRow = ({ scope, key, fingerprint }: IdempotencyKey, nowMs: number): Sql =>
  sql`insert into idempotency (scope, key, fingerprint, answer, created_at)
    values (${scope}, ${key}, ${fingerprint}, '', ${timestamp(nowMs)})`;

/**
 * Claims a key within the transaction; a concurrent request with the same key blocks here until the commit. Raises
 * StoreConflict.
 */
export const claim = async (transaction: Transaction, key: IdempotencyKey, nowMs: number): Promise<void> => {
  await transaction.run(newRow(key, nowMs));
};

/** Claims a key beyond the transaction; returns false if it is taken. */
export const claimIfFree = async (transaction: Transaction, key: IdempotencyKey, nowMs: number): Promise<boolean> =>
  (await transaction.run(sql`${newRow(key, nowMs)} on conflict (scope, key) do nothing`)) === 1;

/** Stores the answer of a claimed key, sealed with `secretKey` unless null. Returns 0 if the claim is gone. */
export const put = (
  transaction: Transaction,
  key: IdempotencyKey,
  answer: string,
  secretKey: string | null,
): Promise<number> =>
  transaction.run(
    sql`update idempotency set answer = ${answer}, secret_key = ${secretKey}
      where ${isFor(key)} and fingerprint = ${key.fingerprint} and answer = ''`,
  );

/** Releases a claimed key. */
export const release = (transaction: Transaction, key: IdempotencyKey): Promise<number> =>
  transaction.run(
    sql`delete from idempotency where ${isFor(key)} and fingerprint = ${key.fingerprint} and answer = ''`,
  );

import { timestamp } from '@inlay/contract';
import type { IdempotencyKey } from '../resource/served.ts';
import { Problem } from '../problems/problem.ts';
import { sql, type Sql } from '../store/sql.ts';
import type { Reader, Transaction } from '../store/store.ts';

/** The stored answer of a key. The text is empty while the request is running. */
export interface StoredAnswer {
  readonly text: string;
  readonly isSealed: boolean;
}

const isFor = ({ scope, key }: Pick<IdempotencyKey, 'scope' | 'key'>): Sql => sql`scope = ${scope} and key = ${key}`;

/** True if a key exists. */
export async function isKnown(reader: Reader, key: Pick<IdempotencyKey, 'scope' | 'key'>): Promise<boolean> {
  return (await reader.rows(sql`select 1 as known from idempotency where ${isFor(key)}`)).length > 0;
}

/**
 * Deletes a key that has expired. With `lostAfterMs`, also deletes a claim that is older than that and has no answer.
 */
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
 * Returns the answer for a key; null if the key is unused. Raises Problem `idempotency_conflict` if the key belongs to
 * a different request.
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
 * Claims a key within the transaction. A concurrent request with the same key waits here until the commit. Raises
 * StoreConflict if the key is taken.
 */
export const claim = async (transaction: Transaction, key: IdempotencyKey, nowMs: number): Promise<void> => {
  await transaction.run(newRow(key, nowMs));
};

/** Claims a key that stays claimed after the transaction. Returns false if the key is taken. */
export const claimIfFree = async (transaction: Transaction, key: IdempotencyKey, nowMs: number): Promise<boolean> =>
  (await transaction.run(sql`${newRow(key, nowMs)} on conflict (scope, key) do nothing`)) === 1;

/**
 * Stores the answer of a claimed key. If it is sealed, `secretKey` is the id of the key; otherwise null. Returns 0 if
 * the claim no longer exists.
 */
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

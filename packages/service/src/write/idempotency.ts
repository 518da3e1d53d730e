import { isObject, timestamp, type Json } from '@inlay/contract';
import type { WriteCommand } from '../commands/record.ts';
import type { WriteResult } from '../commands/command.ts';
import { Problem } from '../problems/problem.ts';
import type { SecretPlace } from '../store/secrets/secrets.ts';
import { sql } from '../store/sql.ts';
import type { WriteContext } from './context.ts';

/** What is kept of a write. */
type KeptResult = Extract<WriteResult, { kind: 'record' | 'records' | 'deleted' }>;
type IdempotencyKey = NonNullable<WriteCommand['idempotency']>;

/** A kept answer is sealed for the request it answers; it may hold a secret. */
const placeOf = ({ scope, key }: IdempotencyKey): SecretPlace => ({
  resource: 'idempotency',
  id: scope,
  field: key,
  organization: null,
});

const isWritten = (value: Json): boolean =>
  isObject(value) && ['record', 'records', 'deleted'].some((kind) => kind === value['kind']);

/** The answer kept for this key; null where there is none. Raises Problem `idempotency_conflict` for another request. */
async function replay(context: WriteContext, kept: IdempotencyKey): Promise<KeptResult | null> {
  const { transaction, environment } = context;
  const after = timestamp(environment.now() - kept.hours * 3_600_000);
  await transaction.run(
    sql`delete from idempotency where scope = ${kept.scope} and key = ${kept.key} and created_at < ${after}`,
  );
  const rows = await transaction.rows(
    sql`select fingerprint, answer, secret_key from idempotency where scope = ${kept.scope} and key = ${kept.key}`,
  );
  const [row] = rows;
  if (row === undefined) return null;
  if (row['fingerprint'] !== kept.fingerprint) throw new Problem('idempotency_conflict');
  const stored = String(row['answer']);
  const plain = row['secret_key'] === null ? stored : environment.seals.openText(placeOf(kept), stored);
  return readWritten(plain);
}

/** What was written by `keep`, and by nothing else. */
function readWritten(plain: string): KeptResult {
  const parsed: KeptResult & Json = JSON.parse(plain);
  if (!isWritten(parsed)) throw new Error('a kept answer is damaged');
  return parsed;
}

/**
 * Takes the key before anything is written: of two requests with it at the same moment the second waits here for the
 * first, and is then answered from what was kept. Raises StoreConflict.
 */
async function claim({ transaction, now }: WriteContext, { scope, key, fingerprint }: IdempotencyKey): Promise<void> {
  await transaction.run(
    sql`insert into idempotency (scope, key, fingerprint, answer, created_at) values (${scope}, ${key}, ${fingerprint}, '', ${now})`,
  );
}

/** Keeps the answer in the transaction of the write itself: both are there, or neither. specification/operations#repetition */
async function keep(
  { transaction, environment }: WriteContext,
  kept: IdempotencyKey,
  result: WriteResult,
): Promise<void> {
  const plain = JSON.stringify(result);
  const secret =
    result.kind === 'record' && (Object.keys(result.carried).length > 0 || Object.keys(result.shown).length > 0);
  const answer = secret ? await environment.seals.sealText(transaction, placeOf(kept), plain) : plain;
  const keyId = secret ? environment.seals.keyOf({ answer }) : null;
  await transaction.run(
    sql`update idempotency set answer = ${answer}, secret_key = ${keyId} where scope = ${kept.scope} and key = ${kept.key}`,
  );
}

/**
 * Does work once for its key: what was kept is answered instead, and what is written is kept in the same transaction
 *. Raises Problem `idempotency_conflict`, `store_unavailable` where what was to be repeated is gone by
 * now; StoreConflict.
 */
export async function once(
  context: WriteContext,
  kept: IdempotencyKey | null,
  work: () => Promise<WriteResult>,
): Promise<WriteResult> {
  if (kept === null) return work();
  const found = await replay(context, kept);
  if (found !== null) return { ...found, replayed: true };
  if (kept.repeats === true) throw new Problem('store_unavailable', { retryAfterS: 1 });
  await claim(context, kept);
  const result = await work();
  await keep(context, kept, result);
  return result;
}

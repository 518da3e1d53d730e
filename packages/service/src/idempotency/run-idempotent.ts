import { isObject, type Json } from '@inlay/contract';
import type { WriteResult } from '../commands/command.ts';
import type { WriteCommand } from '../commands/record.ts';
import { Problem } from '../problems/problem.ts';
import type { SecretPlace } from '../store/secrets/secrets.ts';
import type { Transaction } from '../store/store.ts';
import type { IdempotencyKey } from '../resource/served.ts';
import { claim, expire, find, put } from './table.ts';

/** Write results that can be stored for repetition. */
type StorableResult = Extract<WriteResult, { kind: 'record' | 'records' | 'deleted' }>;

/** Encrypts stored answers that contain secrets. */
interface AnswerSeals {
  sealText(transaction: Transaction, place: SecretPlace, plain: string): Promise<string>;
  openText(place: SecretPlace, sealed: string): string;
  keyOf(sealed: Readonly<Record<string, string>>): string | null;
}

interface WriteParts {
  readonly transaction: Transaction;
  readonly environment: { readonly now: () => number; readonly seals: AnswerSeals };
}

/** Binds a sealed answer to its key and scope. */
const placeOf = ({ scope, key }: IdempotencyKey): SecretPlace => ({
  resource: 'idempotency',
  id: scope,
  field: key,
  organization: null,
});

const isStorable = (value: Json): boolean =>
  isObject(value) && ['record', 'records', 'deleted'].some((kind) => kind === value['kind']);

function readResult(text: string): StorableResult {
  const result: StorableResult & Json = JSON.parse(text);
  if (!isStorable(result)) throw new Error('a kept answer is damaged');
  return result;
}

async function replay({ transaction, environment }: WriteParts, key: IdempotencyKey): Promise<StorableResult | null> {
  await expire(transaction, key, environment.now());
  const storedAnswer = await find(transaction, key);
  if (storedAnswer === null) return null;
  return readResult(
    storedAnswer.isSealed ? environment.seals.openText(placeOf(key), storedAnswer.text) : storedAnswer.text,
  );
}

/**
 * Stores the result of a write in the same transaction, so that both are committed together.
 * specification/operations#repetition
 */
async function store(
  { transaction, environment }: WriteParts,
  key: IdempotencyKey,
  result: WriteResult,
): Promise<void> {
  const text = JSON.stringify(result);
  const isSecret =
    result.kind === 'record' && (Object.keys(result.carried).length > 0 || Object.keys(result.shown).length > 0);
  const { seals } = environment;
  const answer = isSecret ? await seals.sealText(transaction, placeOf(key), text) : text;
  await put(transaction, key, answer, isSecret ? seals.keyOf({ answer }) : null);
}

/**
 * Performs a write once per key. A repeated request gets the result of the first. Raises Problem
 * `idempotency_conflict`, and `store_unavailable` if the answer to repeat has been deleted. Also raises StoreConflict.
 */
export async function runIdempotent(
  parts: WriteParts,
  key: WriteCommand['idempotency'],
  work: () => Promise<WriteResult>,
): Promise<WriteResult> {
  if (key === null) return work();
  const earlierResult = await replay(parts, key);
  if (earlierResult !== null) return { ...earlierResult, replayed: true };
  if (key.repeats === true) throw new Problem('store_unavailable', { retryAfterS: 1 });
  await claim(parts.transaction, key, parts.environment.now());
  const result = await work();
  await store(parts, key, result);
  return result;
}

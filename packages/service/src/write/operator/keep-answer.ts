import { isObject, timestamp, type Json } from '@inlay/contract';
import type { AnswerCommand } from '../../commands/answer.ts';
import { done, type WriteResult } from '../../commands/command.ts';
import { Problem } from '../../problems/problem.ts';
import { sql } from '../../store/sql.ts';
import type { Transaction } from '../../store/store.ts';
import type { WriteEnvironment } from '../context.ts';

const textIn = (stored: string): string => {
  const parsed: Json = JSON.parse(stored);
  if (isObject(parsed) && typeof parsed['text'] === 'string') return parsed['text'];
  throw new Error('a kept answer is damaged');
};

/**
 * Takes an Idempotency-Key for an answer that makes no record: `mine` where it is free, or was taken by
 * somebody who never came back; `busy` while another works on it; `kept` with the answer. Raises Problem
 * `idempotency_conflict`.
 */
async function claim(
  environment: WriteEnvironment,
  transaction: Transaction,
  command: AnswerCommand,
): Promise<WriteResult> {
  const { scope, key, fingerprint, hours } = command.kept;
  const after = timestamp(environment.now() - hours * 3_600_000);
  const lost = timestamp(environment.now() - command.lostAfterMs);
  await transaction.run(
    sql`delete from idempotency where scope = ${scope} and key = ${key} and (created_at < ${after}
      or (answer = '' and created_at < ${lost}))`,
  );
  const now = timestamp(environment.now());
  const taken = await transaction.run(
    sql`insert into idempotency (scope, key, fingerprint, answer, created_at)
      values (${scope}, ${key}, ${fingerprint}, '', ${now}) on conflict (scope, key) do nothing`,
  );
  if (taken === 1) return { kind: 'answer', state: 'mine', text: '' };
  const [row] = await transaction.rows(
    sql`select fingerprint, answer from idempotency where scope = ${scope} and key = ${key}`,
  );
  if (row === undefined) return { kind: 'answer', state: 'busy', text: '' };
  if (row['fingerprint'] !== fingerprint) throw new Problem('idempotency_conflict');
  const answer = String(row['answer']);
  return answer === ''
    ? { kind: 'answer', state: 'busy', text: '' }
    : { kind: 'answer', state: 'kept', text: textIn(answer) };
}

/** Takes a key, keeps the answer to it, or gives the key back where there is none to keep. */
export async function keepAnswer(
  environment: WriteEnvironment,
  transaction: Transaction,
  command: AnswerCommand,
): Promise<WriteResult> {
  const { scope, key, fingerprint } = command.kept;
  const own = sql`scope = ${scope} and key = ${key} and fingerprint = ${fingerprint} and answer = ''`;
  switch (command.step) {
    case 'claim':
      return claim(environment, transaction, command);
    case 'keep': {
      const answer = JSON.stringify({ text: command.text });
      return done(await transaction.run(sql`update idempotency set answer = ${answer} where ${own}`));
    }
    case 'release':
      return done(await transaction.run(sql`delete from idempotency where ${own}`));
  }
}

import { isObject, type Json } from '@inlay/contract';
import type { AnswerCommand } from '../commands/answer.ts';
import { done, type WriteResult } from '../commands/command.ts';
import type { Transaction } from '../store/store.ts';
import { claimIfFree, expire, find, put, release } from './table.ts';

const textIn = (storedText: string): string => {
  const content: Json = JSON.parse(storedText);
  if (isObject(content) && typeof content['text'] === 'string') return content['text'];
  throw new Error('a kept answer is damaged');
};

/**
 * Claims a key. The state is `mine` if the key was free or its claim has expired, `busy` if another request is still
 * running, and `kept` if an answer is stored. A stored answer is returned. Raises Problem `idempotency_conflict`.
 */
async function claimKey(transaction: Transaction, command: AnswerCommand, nowMs: number): Promise<WriteResult> {
  const { kept: key, lostAfterMs } = command;
  await expire(transaction, key, nowMs, lostAfterMs);
  if (await claimIfFree(transaction, key, nowMs)) return { kind: 'answer', state: 'mine', text: '' };
  const storedAnswer = await find(transaction, key);
  if (storedAnswer === null || storedAnswer.text === '') return { kind: 'answer', state: 'busy', text: '' };
  return { kind: 'answer', state: 'kept', text: textIn(storedAnswer.text) };
}

/** Claims a key for an answer that creates no record, stores the answer of a claimed key, or releases the key. */
export async function keepAnswer(
  { now }: { readonly now: () => number },
  transaction: Transaction,
  command: AnswerCommand,
): Promise<WriteResult> {
  switch (command.step) {
    case 'claim':
      return claimKey(transaction, command, now());
    case 'keep':
      return done(await put(transaction, command.kept, JSON.stringify({ text: command.text }), null));
    case 'release':
      return done(await release(transaction, command.kept));
  }
}

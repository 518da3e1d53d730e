import { StaleCaller } from './callers/presumed.ts';
import type { Command, WriteResult } from './commands/command.ts';
import { Problem } from './problems/problem.ts';
import { performSso } from './sso/perform.ts';
import type { Outcome, Perform, Transaction } from './store/store.ts';
import { isOfSources, learn } from './write/learn.ts';
import { operate } from './write/operator/operator.ts';
import type { WriteEnvironment } from './write/context.ts';
import { storeRows } from './write/store-rows.ts';
import { NothingStored } from './write/strict.ts';
import { write } from './write/write.ts';

/** Whether a command may do no more than add rows for a caller it knows: only such a one can be planned before it is done. */
export const isPlannable = (command: Command): boolean =>
  command.kind === 'write' &&
  command.input.kind === 'create' &&
  command.idempotency === null &&
  command.mode === undefined &&
  (command.presumed !== undefined || command.caller === null);

function carriedOut(environment: WriteEnvironment, transaction: Transaction, command: Command): Promise<WriteResult> {
  switch (command.kind) {
    case 'write':
      return write(environment, transaction, command);
    case 'rows':
      return storeRows(environment, transaction, command);
    case 'sso':
      return performSso(environment, transaction, command);
    default:
      return isOfSources(command)
        ? learn(environment, transaction, command)
        : operate(environment, transaction, command);
  }
}

/** Carries out commands, each in the transaction it is given; a Problem undoes everything and is the answer. */
export const createPerform =
  (environment: WriteEnvironment): Perform<Command, WriteResult> =>
  async (transaction, command): Promise<Outcome<WriteResult>> => {
    try {
      return { commit: true, answer: await carriedOut(environment, transaction, command) };
    } catch (error) {
      if (error instanceof NothingStored) return { commit: false, answer: { kind: 'validated' } };
      if (error instanceof Problem) return { commit: false, answer: { kind: 'problem', problem: error.data } };
      // As an answer, for an error's class does not survive the way between threads.
      if (error instanceof StaleCaller) return { commit: false, answer: { kind: 'misjudged' } };
      throw error;
    }
  };

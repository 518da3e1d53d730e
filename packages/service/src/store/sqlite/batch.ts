import type { SqliteConnection } from './connection.ts';
import { isUnsynced, sqliteError } from './errors.ts';
import { compatibleFrom, requireCompatible } from '../lease.ts';
import { sqliteDialect } from './dialect.ts';
import { StoreUnavailable, type Outcome, type Perform, type Transaction } from '../store.ts';

/** Result of a command: its answer, or the error that it raised. */
export type CommandOutcome<Answer> = { readonly answer: Answer } | { readonly raised: unknown };

interface OpenBatch {
  readonly transaction: Transaction;
  /** Returns the first error of the transaction; undefined if there was no error. */
  readonly failure: () => Error | undefined;
  readonly end: () => void;
}

/**
 * Creates a transaction that fails after its first error, as in PostgreSQL: all later statements raise that error
 * again.
 */
function transactionOn(connection: SqliteConnection): OpenBatch {
  let failure: Error | undefined;
  let isEnded = false;
  const step = async <Result>(work: () => Result): Promise<Result> => {
    if (failure !== undefined) throw failure;
    if (isEnded) throw new Error('this transaction has ended');
    try {
      return work();
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
      throw failure;
    }
  };
  return {
    transaction: {
      dialect: sqliteDialect,
      rows: (statement) => step(() => connection.rows(statement)),
      run: (statement) => step(() => connection.run(statement)),
    },
    failure: () => failure,
    end: () => {
      isEnded = true;
    },
  };
}

async function outcomeOf<Command, Answer>(
  connection: SqliteConnection,
  perform: Perform<Command, Answer>,
  command: Command,
): Promise<Outcome<CommandOutcome<Answer>>> {
  const { transaction, failure, end } = transactionOn(connection);
  try {
    const { commit, answer } = await perform(transaction, command);
    const transactionFailure = failure();
    return transactionFailure === undefined
      ? { commit, answer: { answer } }
      : { commit: false, answer: { raised: transactionFailure } };
  } catch (raised) {
    return { commit: false, answer: { raised } };
  } finally {
    end();
  }
}

const rollBack = (connection: SqliteConnection): void => {
  if (connection.database.isTransaction) connection.keyword('rollback');
};

/** Result of a batch. */
export interface Batch<Answer> {
  /** One result per command, in the order of the commands. */
  readonly endings: readonly CommandOutcome<Answer>[];
  /** True if a flush failed, so that nothing written later can be trusted. */
  readonly unsynced: boolean;
}

/**
 * Runs commands one after the other, and flushes once after all of them. A failed command does not affect the others; a
 * failed flush fails all commands. All commands fail with StoreNewer if the store requires a program that knows a later
 * schema than `schema`.
 */
export async function runBatch<Command, Answer>(
  connection: SqliteConnection,
  perform: Perform<Command, Answer>,
  commands: readonly Command[],
  schema: number,
): Promise<Batch<Answer>> {
  const isAlone = commands.length === 1;
  const endings: CommandOutcome<Answer>[] = [];
  let keeps = 0;
  try {
    rollBack(connection);
    connection.keyword('begin immediate');
    requireCompatible(connection.rows(compatibleFrom), schema);
    for (const command of commands) {
      if (!isAlone) connection.keyword('savepoint command');
      const { commit, answer } = await outcomeOf(connection, perform, command);
      if (!connection.database.isTransaction) {
        throw 'raised' in answer && answer.raised instanceof Error
          ? answer.raised
          : new StoreUnavailable('undone by the store');
      }
      if (!commit && !isAlone) connection.keyword('rollback to command');
      if (!isAlone) connection.keyword('release command');
      if (commit) keeps += 1;
      endings.push(answer);
    }
    connection.keyword(keeps > 0 ? 'commit' : 'rollback');
    return { endings, unsynced: false };
  } catch (error) {
    try {
      rollBack(connection);
    } catch {
      // Ignores this error and reports the first one. The next batch rolls back again before it begins.
    }
    const storeError = sqliteError(error);
    const cause = storeError instanceof Error ? storeError.cause : undefined;
    return {
      endings: commands.map(() => ({ raised: storeError })),
      unsynced: isUnsynced(error) || isUnsynced(cause),
    };
  }
}

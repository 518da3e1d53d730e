import type { SqliteConnection } from './connection.ts';
import { isUnsynced, sqliteError } from './errors.ts';
import { compatibleFrom, requireCompatible } from '../lease.ts';
import { sqliteDialect } from './dialect.ts';
import { StoreUnavailable, type Outcome, type Perform, type Transaction } from '../store.ts';

/** How a command ended: its answer, or the error it raised. */
export type CommandOutcome<Answer> = { readonly answer: Answer } | { readonly raised: unknown };

interface OpenBatch {
  readonly transaction: Transaction;
  /** The first error of the transaction. */
  readonly failure: () => Error | undefined;
  readonly end: () => void;
}

/**
 * Returns a transaction that fails after its first error, like in PostgreSQL: all later statements raise the same
 * error.
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
  /** One per command, in order. */
  readonly endings: readonly CommandOutcome<Answer>[];
  /** True if a flush failed and the disk can no longer be trusted. */
  readonly unsynced: boolean;
}

/**
 * Runs commands one after the other with a single flush. Each command succeeds or fails alone, except that a failed
 * flush fails them all. Raises StoreNewer for all if the store requires a newer program than one that knows `schema`.
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
      // Keep the error; the next batch retries before it begins.
    }
    const storeError = sqliteError(error);
    const cause = storeError instanceof Error ? storeError.cause : undefined;
    return {
      endings: commands.map(() => ({ raised: storeError })),
      unsynced: isUnsynced(error) || isUnsynced(cause),
    };
  }
}

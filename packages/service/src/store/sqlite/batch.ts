import type { SqliteConnection } from './connection.ts';
import { isUnsynced, sqliteError } from './errors.ts';
import { compatibleFrom, requireCompatible } from '../lease.ts';
import { sqliteDialect } from './dialect.ts';
import { StoreUnavailable, type Outcome, type Perform, type Transaction } from '../store.ts';

/** How one command ended: its answer, or what was raised. */
export type CommandOutcome<Answer> = { readonly answer: Answer } | { readonly raised: unknown };

interface OpenBatch {
  readonly transaction: Transaction;
  /** What made the transaction fail so far. */
  readonly failure: () => Error | undefined;
  readonly end: () => void;
}

/** A transaction whose first failure ends it, as PostgreSQL does: whatever follows fails alike. */
function transactionOn(connection: SqliteConnection): OpenBatch {
  let failure: Error | undefined;
  let ended = false;
  const step = async <Result>(work: () => Result): Promise<Result> => {
    if (failure !== undefined) throw failure;
    if (ended) throw new Error('this transaction has ended');
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
      ended = true;
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
    const failed = failure();
    return failed === undefined ? { commit, answer: { answer } } : { commit: false, answer: { raised: failed } };
  } catch (raised) {
    return { commit: false, answer: { raised } };
  } finally {
    end();
  }
}

const rollBack = (connection: SqliteConnection): void => {
  if (connection.database.isTransaction) connection.keyword('rollback');
};

/** How a batch went. */
export interface Batch<Answer> {
  /** One for each command, in their order. */
  readonly endings: readonly CommandOutcome<Answer>[];
  /** Whether the disk can no longer be trusted. */
  readonly unsynced: boolean;
}

/**
 * Runs commands one after the other and flushes once for all of them. Each stands or falls alone, unless the flush fails:
 * then all have failed. All are refused with StoreNewer where the store needs a newer program than one that knows `schema`.
 */
export async function runBatch<Command, Answer>(
  connection: SqliteConnection,
  perform: Perform<Command, Answer>,
  commands: readonly Command[],
  schema: number,
): Promise<Batch<Answer>> {
  const alone = commands.length === 1;
  const endings: CommandOutcome<Answer>[] = [];
  let keeps = 0;
  try {
    rollBack(connection);
    connection.keyword('begin immediate');
    requireCompatible(connection.rows(compatibleFrom), schema);
    for (const command of commands) {
      if (!alone) connection.keyword('savepoint command');
      const { commit, answer } = await outcomeOf(connection, perform, command);
      if (!connection.database.isTransaction) {
        throw 'raised' in answer && answer.raised instanceof Error
          ? answer.raised
          : new StoreUnavailable('undone by the store');
      }
      if (!commit && !alone) connection.keyword('rollback to command');
      if (!alone) connection.keyword('release command');
      if (commit) keeps += 1;
      endings.push(answer);
    }
    connection.keyword(keeps > 0 ? 'commit' : 'rollback');
    return { endings, unsynced: false };
  } catch (error) {
    try {
      rollBack(connection);
    } catch {
      // The next batch tries again, before it begins.
    }
    const raised = sqliteError(error);
    const cause = raised instanceof Error ? raised.cause : undefined;
    return {
      endings: commands.map(() => ({ raised })),
      unsynced: isUnsynced(error) || isUnsynced(cause),
    };
  }
}

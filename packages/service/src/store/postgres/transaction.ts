import { withinMs } from '../deadline.ts';
import { compatibleFrom, requireCompatible } from '../lease.ts';
import { postgresDialect } from './dialect.ts';
import { breaksConnection, isPassing, postgresError } from './errors.ts';
import type { StatementResult, Connection } from './connection.ts';
import { render, type Sql, type Value } from '../sql.ts';
import { OutcomeUnknown, StoreUnavailable, type Outcome, type Perform, type Transaction } from '../store.ts';

const attempts = 3;
/** Time limit of a rollback. After it, the connection is closed instead. */
const undoMs = 1_000;

export interface TransactionLimits {
  /** Time limit of a statement in ms, including the round trip. */
  readonly answerMs: number;
  /** Deadline of all statements before the commit, as a value of `performance.now()`. */
  readonly until: number;
  readonly prepares: (text: string) => boolean;
}

/** Limits of a write transaction. */
export interface WriteLimits extends TransactionLimits {
  /** Number of the last migration that the program knows. */
  readonly schema: number;
}

/** A connection during one transaction. `failure` is the first error, which has ended the transaction. */
export interface Session {
  send(text: string, values?: readonly Value[], prepare?: boolean): Promise<StatementResult>;
  readonly failure: { error: unknown } | undefined;
  /** True if the connection has not broken since the transaction began. */
  stands(): boolean;
}

/**
 * Begins a transaction. All its statements must use the returned session: a connection that breaks reconnects
 * automatically, and would run later statements outside the transaction. The first statement is sent before `begin` is
 * answered, but its result is only returned after that answer.
 */
export function begin(
  connection: Connection,
  { answerMs, until }: Omit<TransactionLimits, 'prepares'>,
  start = 'begin',
): Session {
  const ask = (text: string, values: readonly Value[], prepare: boolean): Promise<StatementResult> => {
    const limitMs = text === 'commit' ? answerMs : Math.min(answerMs, Math.max(0, until - performance.now()));
    return withinMs(limitMs, connection.query(text, values, prepare), () => connection.drop());
  };
  const endedBefore = connection.ended();
  const beginning = ask(start, [], false);
  // The first statement reports this error. Until then, nothing awaits the promise.
  beginning.catch(() => undefined);
  let failure: { error: unknown } | undefined;
  const isAlive = (): boolean => connection.ended() === endedBefore;
  return {
    stands: isAlive,
    get failure() {
      return failure;
    },
    async send(text, values = [], prepare = false) {
      if (failure !== undefined) throw failure.error;
      try {
        if (!isAlive()) throw new StoreUnavailable('the connection broke during the transaction');
        const [result] = await Promise.all([ask(text, values, prepare), beginning]);
        return result;
      } catch (error) {
        failure ??= { error };
        throw error;
      }
    },
  };
}

const transactionOn = (session: Session, { prepares }: TransactionLimits): Transaction => {
  const send = async (statement: Sql): Promise<StatementResult> => {
    const text = render(statement, 'dollar');
    try {
      return await session.send(text, statement.values, prepares(text));
    } catch (error) {
      throw postgresError(error);
    }
  };
  return {
    dialect: postgresDialect,
    rows: async (statement) => (await send(statement)).rows,
    run: async (statement) => (await send(statement)).changed,
  };
};

async function commit(session: Session): Promise<void> {
  if (!session.stands()) throw new StoreUnavailable('the connection broke before the commit');
  try {
    await session.send('commit');
  } catch (error) {
    if (!breaksConnection(error) && !(error instanceof StoreUnavailable)) throw error;
    throw new OutcomeUnknown('the connection broke during the commit', { cause: error });
  }
}

/** Rolls back. Closes the connection if the rollback fails. */
export async function undo(session: Session, connection: Connection): Promise<void> {
  const failure = session.failure?.error;
  if (failure !== undefined && (breaksConnection(failure) || failure instanceof StoreUnavailable))
    return connection.drop();
  try {
    await withinMs(undoMs, connection.query('rollback', [], false));
  } catch {
    connection.drop();
  }
}

async function attempt<Command, Answer>(
  connection: Connection,
  perform: Perform<Command, Answer>,
  command: Command,
  limits: WriteLimits,
): Promise<Answer> {
  const session = begin(connection, limits);
  const transaction = transactionOn(session, limits);
  // This select locks the row, so that no migration can change it before the commit.
  const compatibleRows = transaction.rows(compatibleFrom);
  // The result is awaited before the commit. Until then, this avoids an unhandled rejection.
  compatibleRows.catch(() => undefined);
  let outcome: Outcome<Answer>;
  try {
    outcome = await perform(transaction, command);
    requireCompatible(await compatibleRows, limits.schema);
    if (session.failure !== undefined) throw session.failure.error;
  } catch (error) {
    await undo(session, connection);
    throw session.failure?.error ?? error;
  }
  if (outcome.commit) await commit(session);
  else await undo(session, connection);
  return outcome.answer;
}

/**
 * Runs a command in a transaction, on a connection that nothing else uses. After a deadlock or serialization failure,
 * retries the whole command. Raises StoreUnavailable, StoreNewer, OutcomeUnknown, StoreConflict, and what the command
 * raises.
 */
export async function transact<Command, Answer>(
  connection: Connection,
  perform: Perform<Command, Answer>,
  command: Command,
  limits: WriteLimits,
): Promise<Answer> {
  for (let remaining = attempts; ; remaining -= 1) {
    try {
      return await attempt(connection, perform, command, limits);
    } catch (error) {
      if (breaksConnection(error)) connection.drop();
      if (remaining <= 1 || !isPassing(error)) throw postgresError(error);
    }
  }
}

import { onEnd } from '../../concurrency/release.ts';
import type { SourceCopy, SourceStatement } from '../connector.ts';
import { SourceProblem } from '../problem.ts';
import { eachOneStatement } from '../query/one-statement.ts';
import { interruptible } from '../session/interruptible.ts';
import type { SessionLease } from '../session/session-pool.ts';
import { parameterName } from './copy-dialect.ts';
import { postgresqlFailure } from './failure.ts';
import { parsed } from './parsed.ts';
import { beginReading } from './run.ts';
import type { PostgresqlSession } from './session.ts';

/** Copies the rows of a statement on a leased session. Releases the session at the end. Raises SourceProblem. */
export async function copyOn(
  lease: SessionLease<PostgresqlSession>,
  { sql, params, texts = [] }: SourceStatement,
  deadline: number,
  signal: AbortSignal,
): Promise<SourceCopy> {
  const { session } = lease;
  const { client } = session;
  const cancel = (): void => {
    void session.cancel().finally(() => lease.release(false));
  };
  const begin = async (): Promise<void> => {
    await client.query(beginReading(deadline));
    await eachOneStatement(session.parsed, texts, (text) => parsed(client, text));
    for (const [index, value] of params.entries())
      await client.query('select set_config($1, $2, true)', [parameterName(index + 1), String(value)]);
  };
  try {
    await interruptible(begin(), { deadline, signal, interrupt: cancel });
  } catch (error) {
    lease.release(false);
    throw postgresqlFailure(error);
  }
  // Loaded on first use, as is the driver.
  const { to } = await import('pg-copy-streams');
  const stream = client.query(to(`copy (${sql}) to stdout (format csv)`));
  async function* bytes(): AsyncGenerator<Uint8Array> {
    const stop = (problem: SourceProblem): void => void stream.destroy(problem);
    const timer = setTimeout(() => stop(new SourceProblem('timeout')), Math.max(1, deadline - Date.now()));
    const unsubscribe = onEnd(signal, () => stop(new SourceProblem('aborted')));
    let isWhole = false;
    try {
      for await (const chunk of stream) yield chunk;
      await client.query('rollback');
      isWhole = true;
    } catch (error) {
      throw postgresqlFailure(error);
    } finally {
      clearTimeout(timer);
      unsubscribe();
      if (isWhole) lease.release(true);
      else cancel();
    }
  }
  return { bytes: bytes(), rows: () => stream.rowCount };
}

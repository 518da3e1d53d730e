import type { RunLimits, SourceAnswer, SourceStatement } from '../connector.ts';
import { eachOneStatement } from '../query/one-statement.ts';
import { interruptible } from '../session/interruptible.ts';
import type { SessionLease } from '../session/session-pool.ts';
import { streamRows } from '../session/stream-rows.ts';
import { parsedAlone } from './catalog.ts';
import { ClickhouseError, clickhouseFailure } from './failure.ts';
import type { ClickhouseSession } from './session.ts';

/** Runs one statement on a leased session and streams its rows. Releases the session at the end. */
export async function runOn(
  lease: SessionLease<ClickhouseSession>,
  { sql, params, texts = [] }: SourceStatement,
  limits: RunLimits,
  deadline: number,
  signal: AbortSignal,
): Promise<SourceAnswer> {
  const { session } = lease;
  const cancel = (): void => {
    void session.cancel().finally(() => lease.release(false));
  };
  session.begin(deadline);
  try {
    const parsing = eachOneStatement(session.parsed, texts, (text) => parsedAlone(session, text));
    await interruptible(parsing, { deadline, signal, interrupt: cancel });
  } catch (error) {
    lease.release(error instanceof ClickhouseError);
    throw clickhouseFailure(error);
  }
  const answer = session.run({ sql, params }, { deadline, rows: limits.rowLimit + 1 });
  answer.catch(() => undefined);
  const queryId = session.queryId;
  const rows = await streamRows(
    {
      read: async (count) => (await answer).read(count),
      async finish() {
        session.end();
        lease.release(true);
      },
      fail(error) {
        if (!(error instanceof ClickhouseError)) return cancel();
        session.end();
        lease.release(true);
      },
      cancel,
      explain: clickhouseFailure,
    },
    limits,
    deadline,
    signal,
  );
  return { ...rows, queryId: () => queryId };
}

import type { RunLimits, SourceAnswer, SourceStatement } from '../connector.ts';
import { eachOneStatement } from '../query/one-statement.ts';
import { interruptible } from '../session/interruptible.ts';
import type { SessionLease } from '../session/session-pool.ts';
import { streamRows } from '../session/stream-rows.ts';
import { parsedAlone } from './catalog.ts';
import { TrinoError, trinoFailure } from './failure.ts';
import type { TrinoSession } from './session.ts';
import { statementText } from './statement.ts';

/** Runs one statement on a leased session and streams its rows. Releases the session at the end. */
export async function runOn(
  lease: SessionLease<TrinoSession>,
  { sql, params, texts = [] }: SourceStatement,
  limits: RunLimits,
  deadline: number,
  signal: AbortSignal,
): Promise<SourceAnswer> {
  const { session } = lease;
  const cancel = (keep = true): void => {
    void session.cancel().finally(() => lease.release(keep));
  };
  const end = (): void => {
    session.end();
    lease.release(true);
  };
  session.begin(deadline);
  let text: string;
  let isInterrupted = false;
  const interrupt = (): void => {
    isInterrupted = true;
    cancel();
  };
  try {
    text = statementText({ sql, params });
    const parsing = eachOneStatement(session.parsed, texts, (text) => parsedAlone(session, text));
    await interruptible(parsing, { deadline, signal, interrupt });
  } catch (error) {
    if (!isInterrupted) lease.release(true);
    throw trinoFailure(error);
  }
  const answer = session.run(text, deadline);
  const rows = await streamRows(
    {
      read: (count) => answer.read(count),
      finish: async () => end(),
      // The next statement opens a session, which shows whether the cluster answers.
      fail: (error) => (error instanceof TrinoError ? end() : cancel(false)),
      cancel: () => cancel(),
      explain: trinoFailure,
    },
    limits,
    deadline,
    signal,
  );
  return { ...rows, queryId: () => answer.queryId };
}

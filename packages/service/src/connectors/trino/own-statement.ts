import type { Outbound } from '../../outbound/index.ts';
import type { ConnectionParams, SourceRows } from '../connector.ts';
import { interruptible } from '../session/interruptible.ts';
import { trinoFailure } from './failure.ts';
import { allRows, trinoSessions } from './session.ts';

/**
 * Runs a statement of the service itself, in a session of its own. Unlike the statements of connections, it may create
 * and drop tables. Raises SourceProblem.
 */
export async function runOwnStatement(
  outbound: Outbound,
  params: ConnectionParams,
  text: string,
  deadlineMs: number,
  signal: AbortSignal,
): Promise<SourceRows> {
  const deadline = Date.now() + deadlineMs;
  const sessions = trinoSessions(outbound);
  const session = await sessions.open(params, deadlineMs, signal);
  try {
    const rows = allRows(session.run(text, deadline));
    return await interruptible(rows, { deadline, signal, interrupt: () => void session.cancel() });
  } catch (error) {
    throw trinoFailure(error);
  } finally {
    sessions.close(session);
  }
}

import { withinMs } from '../deadline.ts';
import { OutcomeUnknown, StoreUnavailable } from '../store.ts';
import { breaksConnection, isRefusal, postgresError } from './errors.ts';
import type { Connection } from './connection.ts';
import type { Plan } from './plan.ts';

/**
 * A connection that has been silent for longer may be broken. A transaction detects that before it could lose anything.
 */
const freshMs = 5_000;

export interface SendLimits {
  readonly answerMs: number;
  readonly prepares: (text: string) => boolean;
}

/**
 * Sends a plan as one statement that commits itself, in one round trip. Returns true if the rows were written. Returns
 * false if nothing was written, for example because the connection has been silent; the caller then uses a transaction.
 * Raises StoreUnavailable, OutcomeUnknown.
 */
export async function sendPlan(
  connection: Connection,
  { statement: { text, values } }: Plan<unknown>,
  { answerMs, prepares }: SendLimits,
): Promise<boolean> {
  if (connection.silentMs() > freshMs) return false;
  try {
    const { rows } = await withinMs(answerMs, connection.query(text, values, prepares(text)), () => connection.drop());
    return rows[0]?.['held'] === 1;
  } catch (error) {
    if (breaksConnection(error)) connection.drop();
    if (!isRefusal(error)) throw new OutcomeUnknown('the connection broke during the commit', { cause: error });
    // The server refused the statement, so nothing was written.
    const storeError = postgresError(error);
    if (storeError instanceof StoreUnavailable) throw storeError;
    return false;
  }
}

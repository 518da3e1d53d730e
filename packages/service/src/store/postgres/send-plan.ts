import { withinMs } from '../deadline.ts';
import { OutcomeUnknown, StoreUnavailable } from '../store.ts';
import { breaksLink, isRefusal, postgresError } from './errors.ts';
import type { Link } from './link.ts';
import type { Plan } from './plan.ts';

/** A connection that was silent for longer may be gone, which a transaction finds out before there is anything to lose. */
const freshMs = 5_000;

export interface SendLimits {
  readonly answerMs: number;
  readonly prepares: (text: string) => boolean;
}

/**
 * Writes a plan as one statement, which commits by itself: one round trip. Gives whether it was written; false where nothing
 * was, and a transaction is to tell why. Raises StoreUnavailable, OutcomeUnknown.
 */
export async function sendPlan(
  link: Link,
  { statement: { text, values } }: Plan<unknown>,
  { answerMs, prepares }: SendLimits,
): Promise<boolean> {
  if (link.silentMs() > freshMs) return false;
  try {
    const { rows } = await withinMs(answerMs, link.query(text, values, prepares(text)), () => link.drop());
    return rows[0]?.['held'] === 1;
  } catch (error) {
    if (breaksLink(error)) link.drop();
    if (!isRefusal(error)) throw new OutcomeUnknown('the link broke during the commit', { cause: error });
    // The server has refused the statement: nothing was written.
    const told = postgresError(error);
    if (told instanceof StoreUnavailable) throw told;
    return false;
  }
}

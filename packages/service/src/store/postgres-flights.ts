import { withinMs } from './deadline.ts';
import type { LinkPool } from './link-pool.ts';
import { breaksLink, isRefusal, postgresError } from './postgres-errors.ts';
import type { Answered, Link } from './postgres-link.ts';
import type { Plan } from './postgres-plan.ts';
import { OutcomeUnknown, StoreUnavailable } from './store.ts';

/** Plans in one transaction at most, and transactions at once: those who wait for one meanwhile share the next. */
const most = 32;
const atOnce = 2;
/** A connection that was silent for longer may be gone, which a transaction finds out before there is anything to lose. */
const freshMs = 5_000;

interface Passenger {
  readonly plan: Plan<unknown>;
  readonly until: number;
  readonly resolve: (written: boolean) => void;
  readonly reject: (error: unknown) => void;
}

export interface FlightLimits {
  readonly answerMs: number;
  readonly prepares: (text: string) => boolean;
}

/**
 * Sends plans, each with its commit in one way there and back; what waits at the same time shares one commit, and is
 * written together or not at all.
 */
export interface Flights {
  /**
   * Whether it was written; false where nothing was, and a transaction is to tell why. `until`: when it must be on its way,
   * by `performance.now()`. Raises StoreUnavailable, OutcomeUnknown.
   */
  send(plan: Plan<unknown>, until: number): Promise<boolean>;
}

/** Whether the row of a plan says that it was written. */
const held = ({ rows }: Answered): boolean => rows[0]?.['held'] === 1;

export function createFlights(links: LinkPool<Link>, { answerMs, prepares }: FlightLimits): Flights {
  const waiting: Passenger[] = [];
  let flying = 0;

  const sendAll = (link: Link, group: readonly Passenger[]): Promise<readonly Answered[]> => {
    const each = (): Promise<Answered>[] =>
      group.map(({ plan }) => link.query(plan.text, plan.values, prepares(plan.text)));
    if (group.length === 1) return Promise.all(each());
    // Where it is refused, what follows is not held together by it, and each may have been written.
    const begun = link.query('begin', [], false).catch((error: unknown) => {
      throw isRefusal(error) ? new OutcomeUnknown('no transaction was begun', { cause: error }) : error;
    });
    const sent = each();
    const committed = link.query('commit', [], false);
    return Promise.all([begun, ...sent, committed]).then((answers) => answers.slice(1, -1));
  };

  const depart = async (link: Link, group: readonly Passenger[]): Promise<void> => {
    const tellAll = (tell: (passenger: Passenger) => void): void => group.forEach(tell);
    if (link.silentMs() > freshMs) return tellAll(({ resolve }) => resolve(false));
    try {
      const answers = await withinMs(answerMs, sendAll(link, group), () => link.drop());
      group.forEach(({ resolve }, index) => {
        const answer = answers[index];
        resolve(answer !== undefined && held(answer));
      });
    } catch (error) {
      if (breaksLink(error)) link.drop();
      // The server has refused a statement, and with it the transaction: nothing was written.
      if (!isRefusal(error)) {
        const unknown = new OutcomeUnknown('the link broke during the commit', { cause: error });
        return tellAll(({ reject }) => reject(unknown));
      }
      const told = postgresError(error);
      if (told instanceof StoreUnavailable && group.length === 1) return tellAll(({ reject }) => reject(told));
      tellAll(({ resolve }) => resolve(false));
    }
  };

  const boarding = (): readonly Passenger[] => {
    const now = performance.now();
    return waiting.splice(0, most).filter(({ until, reject }) => {
      const isInTime = now < until;
      if (!isInTime) reject(new StoreUnavailable('no link to the store became free in time'));
      return isInTime;
    });
  };

  const fly = async (): Promise<void> => {
    flying += 1;
    try {
      const link = await links.take();
      try {
        const group = boarding();
        if (group.length > 0) await depart(link, group);
      } finally {
        links.give(link);
      }
    } catch (error) {
      for (const { reject } of waiting.splice(0)) reject(error);
    } finally {
      flying -= 1;
      if (waiting.length > 0 && flying < atOnce) void fly();
    }
  };

  return {
    send: (plan, until) =>
      new Promise((resolve, reject) => {
        waiting.push({ plan, until, resolve, reject });
        if (flying < atOnce) void fly();
      }),
  };
}

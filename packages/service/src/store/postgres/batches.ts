import { withinMs } from '../deadline.ts';
import type { LinkPool } from './link-pool.ts';
import { breaksLink, isRefusal, postgresError } from './errors.ts';
import type { Answered, Link } from './link.ts';
import type { Plan } from './plan.ts';
import { statementsOf, type BatchStatement } from './batch-statements.ts';
import { OutcomeUnknown, StoreUnavailable } from '../store.ts';

/** Plans in one transaction at most, and transactions at once: those who wait for one meanwhile share the next. */
const most = 32;
const atOnce = 2;
/** How long those who are fewer than a transaction on its way carries wait for it, or for more, before they begin one. */
const companyMs = 20;
/** A connection that was silent for longer may be gone, which a transaction finds out before there is anything to lose. */
const freshMs = 5_000;

interface Waiting {
  readonly plan: Plan<unknown>;
  /** By `performance.now()`, as is `until`. */
  readonly since: number;
  readonly until: number;
  readonly resolve: (written: boolean) => void;
  readonly reject: (error: unknown) => void;
}

export interface BatchLimits {
  readonly answerMs: number;
  readonly prepares: (text: string) => boolean;
}

/**
 * Sends plans, each with its commit in one way there and back; what waits at the same time shares one commit, and is
 * written together or not at all.
 */
export interface Batches {
  /**
   * Whether it was written; false where nothing was, and a transaction is to tell why. `until`: when it must be on its way,
   * by `performance.now()`. Raises StoreUnavailable, OutcomeUnknown.
   */
  send(plan: Plan<unknown>, until: number): Promise<boolean>;
}

/** Whether the row of a statement says that it was written. */
const held = ({ rows }: Answered): boolean => rows[0]?.['held'] === 1;

export function createBatches(links: LinkPool<Link>, { answerMs, prepares }: BatchLimits): Batches {
  let queue: Waiting[] = [];
  let running = 0;
  /** Plans that are on their way. */
  let carried = 0;
  let company: NodeJS.Timeout | undefined;

  const sendAll = (link: Link, statements: readonly BatchStatement<Waiting>[]): Promise<readonly Answered[]> => {
    const each = (): Promise<Answered>[] =>
      statements.map(({ text, values }) => link.query(text, values, prepares(text)));
    if (statements.length === 1) return Promise.all(each());
    // Where it is refused, what follows is not held together by it, and each may have been written.
    const begun = link.query('begin', [], false).catch((error: unknown) => {
      throw isRefusal(error) ? new OutcomeUnknown('no transaction was begun', { cause: error }) : error;
    });
    const sent = each();
    const committed = link.query('commit', [], false);
    return Promise.all([begun, ...sent, committed]).then((answers) => answers.slice(1, -1));
  };

  const write = async (link: Link, batch: readonly Waiting[]): Promise<void> => {
    const tellAll = (tell: (waiting: Waiting) => void): void => batch.forEach(tell);
    if (link.silentMs() > freshMs) return tellAll(({ resolve }) => resolve(false));
    try {
      const statements = statementsOf(batch);
      const answers = await withinMs(answerMs, sendAll(link, statements), () => link.drop());
      statements.forEach(({ of }, index) => {
        const answer = answers[index];
        const written = answer !== undefined && held(answer);
        for (const { resolve } of of) resolve(written);
      });
    } catch (error) {
      if (breaksLink(error)) link.drop();
      // The server has refused a statement, and with it the transaction: nothing was written.
      if (!isRefusal(error)) {
        const unknown = new OutcomeUnknown('the link broke during the commit', { cause: error });
        return tellAll(({ reject }) => reject(unknown));
      }
      const told = postgresError(error);
      if (told instanceof StoreUnavailable && batch.length === 1) return tellAll(({ reject }) => reject(told));
      tellAll(({ resolve }) => resolve(false));
    }
  };

  /** The next batch; who has waited too long to be in it is refused. */
  const next = (): readonly Waiting[] => {
    const now = performance.now();
    return queue.splice(0, most).filter(({ until, reject }) => {
      const isInTime = now < until;
      if (!isInTime) reject(new StoreUnavailable('no link to the store became free in time'));
      return isInTime;
    });
  };

  const run = async (): Promise<void> => {
    running += 1;
    const asked = performance.now();
    try {
      const link = await links.take();
      try {
        const batch = next();
        carried += batch.length;
        if (batch.length > 0) await write(link, batch).finally(() => (carried -= batch.length));
      } finally {
        links.give(link);
      }
    } catch (error) {
      // Whoever came later has not waited as long as one waits for a link, and asks again.
      const refused = queue.filter(({ since }) => since <= asked);
      queue = queue.filter(({ since }) => since > asked);
      for (const { reject } of refused) reject(error);
    } finally {
      running -= 1;
      runNext();
    }
  };

  /**
   * Begins a transaction, unless those who wait had better wait for more: it takes as long for a few as for many, so that
   * there is a second one beside the first only for as many as that one carries, or where it takes long.
   */
  const runNext = (): void => {
    if (queue.length === 0 || running === atOnce) return;
    if (running === 0 || queue.length >= carried) void run();
    else
      company ??= setTimeout(() => {
        company = undefined;
        if (queue.length > 0 && running < atOnce) void run();
      }, companyMs);
  };

  return {
    send: (plan, until) =>
      new Promise((resolve, reject) => {
        queue.push({ plan, since: performance.now(), until, resolve, reject });
        runNext();
      }),
  };
}

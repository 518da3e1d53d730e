import { createHash } from 'node:crypto';
import type { Child, ChildBounds } from '../child-process.ts';
import { EngineProblem, type EngineCaller, type EngineLoad } from '../engine.ts';
import { FairQueue } from '../../concurrency/fair-queue.ts';
import { createRecentCosts } from '../../concurrency/recent-costs.ts';
import { onEnd, once } from '../../concurrency/release.ts';
import { PoolMembers, type MemberLimits } from './members.ts';
import type { ChildLimits, Duty } from '../messages.ts';
import type { PoolMember } from './pool-member.ts';

export interface PoolLimits extends MemberLimits {
  /** Waiting statements of one tenant above which more are refused, those first of whom the most wait. */
  readonly waiting: number;
}

export interface Need {
  readonly tenant: string;
  readonly caller: EngineCaller;
  /** What statements that take about as long have in common, such as their text. */
  readonly shape: string;
  readonly duty: Duty;
}

/** A place in a child; `release` gives it back. */
export interface Place {
  readonly child: Child;
  readonly queuedMs: number;
  readonly release: () => void;
}

export interface Pool {
  /**
   * Waits for a place; tenants, their suborganizations and their callers take turns. Raises EngineProblem `busy`, or the reason of
   * the signal.
   */
  readonly place: (need: Need, signal: AbortSignal) => Promise<Place>;
  readonly children: () => readonly {
    readonly pid: number;
    readonly tenant: string;
    readonly running: number;
    readonly isSlow: boolean;
  }[];
  readonly held: () => Omit<EngineLoad, 'queries'>;
  readonly close: () => Promise<void>;
}

/** Why there is no child. */
class Failure {
  readonly reason: unknown;

  constructor(reason: unknown) {
    this.reason = reason;
  }
}

interface Waiter {
  readonly need: Need;
  readonly kinds: readonly string[];
  readonly sinceMs: number;
  readonly take: (place: Place) => void;
  readonly refuse: (error: unknown) => void;
}

/** Time that a statement of which nothing is known is expected to take. */
const unknownMs = 50;

/** Share of a slice that is always left to a caller. */
const leastSlice = 1 / 8;

const callerOf = ({ caller: { suborganization, authorizationId } }: Need): string =>
  `${authorizationId} ${suborganization ?? ''}`;

const pathOf = ({ tenant, caller: { suborganization, authorizationId } }: Need): readonly string[] => [
  tenant,
  suborganization ?? '',
  authorizationId,
];

/** Kinds of work that a statement is one of, the closest first. */
const kindsOf = (need: Need): readonly string[] => [
  `${need.tenant} ${createHash('sha1').update(need.shape).digest('base64')}`,
  `${need.tenant} by ${callerOf(need)}`,
];

/** Places in children for the statements of many callers, in turns by the time that their statements took. */
export function createPool(limits: PoolLimits, child: ChildLimits, memory: ChildBounds): Pool {
  const costs = createRecentCosts();
  const queue = new FairQueue<Waiter>({
    waiting: limits.waiting,
    refuse: ({ refuse }) => refuse(new EngineProblem('busy')),
    now: () => performance.now(),
  });
  let closed = false;

  /** Whether several callers of a tenant have asked lately. */
  const isShared = (tenant: string): boolean => {
    const [only, ...more] = queue.partiesIn([tenant]);
    return only !== undefined && (more.length > 0 || queue.partiesIn([tenant, only]).length > 1);
  };
  /** Whether several callers have asked lately, of this tenant or of others. */
  const isContended = (tenant: string): boolean => isShared(tenant) || queue.partiesIn([]).length > 1;
  const members = new PoolMembers(limits, child, memory, { changed: () => dispatch(), isContended });
  /** Whether a statement takes more than what its caller, by what it used lately, has left of a slice; the shortest never do. */
  const isLong = ({ need, kinds }: Waiter): boolean => {
    const { tenant } = need;
    const expectedMs = costs.of(kinds) ?? unknownMs;
    if (expectedMs < limits.sliceMs * leastSlice || !isContended(tenant)) return false;
    const usedMs = queue.usedRecently(pathOf(need)) + members.costNow(tenant, callerOf(need));
    return expectedMs >= limits.sliceMs - usedMs;
  };
  const give = (member: PoolMember, { need, kinds, sinceMs, take }: Waiter, ran: (ms: number) => void): void => {
    const run = members.enter(member, callerOf(need));
    take({
      child: member.child,
      queuedMs: performance.now() - sinceMs,
      release: once(() => {
        const costMs = members.leave(member, run);
        costs.learn(kinds, costMs);
        ran(costMs);
        dispatch();
      }),
    });
  };
  /** A child for a waiting statement, or why none can be started, as on a full disk; null where it must wait. */
  const found = (waiter: Waiter): PoolMember | Failure | null => {
    const { tenant, duty } = waiter.need;
    const othersWait = queue.waiting() > queue.waiting(tenant);
    try {
      return members.find({ tenant, duty, caller: callerOf(waiter.need), isLong: isLong(waiter), othersWait });
    } catch (error) {
      return new Failure(error);
    }
  };
  const dispatch = (): void => {
    if (closed) return;
    members.stay((tenant) => queue.waiting(tenant) > 0);
    for (let next = queue.next(found); next !== null; next = queue.next(found)) {
      const { item, taken, ran } = next;
      if (!(taken instanceof Failure)) give(taken, item, ran);
      else {
        ran(0);
        item.refuse(taken.reason);
      }
    }
  };
  return {
    place: (need, signal) =>
      new Promise<Place>((resolve, reject) => {
        if (closed) return reject(new EngineProblem('failed', 'the engine is closed'));
        if (signal.aborted) return reject(signal.reason);
        const waiter: Waiter = {
          need,
          kinds: kindsOf(need),
          sinceMs: performance.now(),
          take: (place) => {
            deaf();
            resolve(place);
          },
          refuse: (error) => {
            deaf();
            reject(error);
          },
        };
        const { tenant, duty } = need;
        const leave = queue.add(
          [...pathOf(need), isLong(waiter) ? 'long' : duty.kind],
          waiter,
          costs.of(waiter.kinds) ?? unknownMs,
        );
        const deaf = onEnd(signal, () => {
          leave?.();
          reject(signal.reason);
        });
        if (leave === null) return waiter.refuse(new EngineProblem('busy'));
        members.slowOthers(tenant, callerOf(need));
        dispatch();
      }),
    children: () =>
      members.all().map(({ child: { pid }, tenant, running, isSlow }) => ({ pid, tenant, running, isSlow })),
    held: () => ({
      running: members.all().reduce((sum, { running }) => sum + running, 0),
      waiting: queue.waiting(),
      children: members.all().length,
      slowChildren: members.all().filter(({ isSlow }) => isSlow).length,
    }),
    close: async () => {
      closed = true;
      for (const { refuse } of queue.clear()) refuse(new EngineProblem('failed', 'the engine is closed'));
      await members.close();
    },
  };
}

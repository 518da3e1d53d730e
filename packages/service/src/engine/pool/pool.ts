import { createHash } from 'node:crypto';
import type { Child, ChildBounds } from '../child-process.ts';
import { EngineProblem, type EngineCaller, type EngineLoad } from '../engine.ts';
import { FairQueue } from '../../concurrency/fair-queue.ts';
import { createRecentCosts } from '../../concurrency/recent-costs.ts';
import { onEnd, callOnce } from '../../concurrency/release.ts';
import { PoolMembers, type MemberLimits } from './members.ts';
import type { ChildLimits, Duty } from '../messages.ts';
import type { PoolMember } from './pool-member.ts';

export interface PoolLimits extends MemberLimits {
  /**
   * Maximum number of waiting statements per tenant. When it is reached, statements of the caller with the most waiting
   * statements are refused first.
   */
  readonly waiting: number;
}

export interface Need {
  readonly tenant: string;
  readonly caller: EngineCaller;
  /** Key shared by statements that take similar time, such as the text of the statement. */
  readonly shape: string;
  readonly duty: Duty;
}

/** A slot in a child; `release` frees it. */
export interface Place {
  readonly child: Child;
  readonly queuedMs: number;
  readonly release: () => void;
}

/** A running child process, for metrics and tests. */
export interface PoolChild {
  readonly pid: number;
  readonly tenant: string;
  readonly running: number;
  readonly isSlow: boolean;
}

/** Why a child could not be started. */
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

/** Expected time in ms of a statement without recorded costs. */
const unknownMs = 50;

/** Minimum share of a time slice that a caller always has: shorter statements never count as long. */
const leastSlice = 1 / 8;

const callerOf = ({ caller: { suborganization, authorizationId } }: Need): string =>
  `${authorizationId} ${suborganization ?? ''}`;

const pathOf = ({ tenant, caller: { suborganization, authorizationId } }: Need): readonly string[] => [
  tenant,
  suborganization ?? '',
  authorizationId,
];

/** Returns the keys under which the cost of a statement is recorded, the most specific first. */
const kindsOf = (need: Need): readonly string[] => [
  `${need.tenant} ${createHash('sha1').update(need.shape).digest('base64')}`,
  `${need.tenant} by ${callerOf(need)}`,
];

/** Assigns children to the statements of many callers, so that each caller gets a fair share of run time. */
export class Pool {
  readonly #limits: PoolLimits;
  readonly #members: PoolMembers;
  readonly #costs = createRecentCosts();
  readonly #queue: FairQueue<Waiter>;
  #isClosed = false;

  constructor(limits: PoolLimits, child: ChildLimits, memory: ChildBounds) {
    this.#limits = limits;
    this.#queue = new FairQueue<Waiter>({
      waiting: limits.waiting,
      refuse: ({ refuse }) => refuse(new EngineProblem('busy')),
      now: () => performance.now(),
    });
    this.#members = new PoolMembers(limits, child, memory, {
      changed: () => this.#dispatch(),
      isContended: (tenant) => this.#isContended(tenant),
    });
  }

  /**
   * Waits for a slot. Tenants take turns, as do their suborganizations and callers. Raises EngineProblem `busy`, or
   * throws the signal's reason if it aborts.
   */
  place(need: Need, signal: AbortSignal): Promise<Place> {
    return new Promise<Place>((resolve, reject) => {
      if (this.#isClosed) return reject(new EngineProblem('failed', 'the engine is closed'));
      if (signal.aborted) return reject(signal.reason);
      const waiter: Waiter = {
        need,
        kinds: kindsOf(need),
        sinceMs: performance.now(),
        take: (place) => {
          unsubscribe();
          resolve(place);
        },
        refuse: (error) => {
          unsubscribe();
          reject(error);
        },
      };
      const leave = this.#enqueue(waiter);
      const unsubscribe = onEnd(signal, () => {
        leave?.();
        reject(signal.reason);
      });
      if (leave === null) return waiter.refuse(new EngineProblem('busy'));
      this.#members.slowOthers(need.tenant, callerOf(need));
      this.#dispatch();
    });
  }

  children(): readonly PoolChild[] {
    return this.#members.all().map(({ child: { pid }, tenant, running, isSlow }) => ({ pid, tenant, running, isSlow }));
  }

  held(): Omit<EngineLoad, 'queries'> {
    const members = this.#members.all();
    return {
      running: members.reduce((sum, { running }) => sum + running, 0),
      waiting: this.#queue.waiting(),
      children: members.length,
      slowChildren: members.filter(({ isSlow }) => isSlow).length,
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { refuse } of this.#queue.clear()) refuse(new EngineProblem('failed', 'the engine is closed'));
    await this.#members.close();
  }

  /** Adds a waiter to the queue. Returns a function that removes it; null if the queue is full. */
  #enqueue(waiter: Waiter): (() => void) | null {
    const { need, kinds } = waiter;
    const lane = this.#isLong(waiter) ? 'long' : need.duty.kind;
    return this.#queue.add([...pathOf(need), lane], waiter, this.#costs.of(kinds) ?? unknownMs);
  }

  /** True if several callers of a tenant have sent statements recently. */
  #isShared(tenant: string): boolean {
    const [onlyParty, ...more] = this.#queue.partiesIn([tenant]);
    return onlyParty !== undefined && (more.length > 0 || this.#queue.partiesIn([tenant, onlyParty]).length > 1);
  }

  /** True if several callers, of this tenant or others, have sent statements recently. */
  #isContended(tenant: string): boolean {
    return this.#isShared(tenant) || this.#queue.partiesIn([]).length > 1;
  }

  /**
   * True if a statement is expected to exceed what is left of its caller's time slice. Never true for very short
   * statements.
   */
  #isLong({ need, kinds }: Waiter): boolean {
    const { tenant } = need;
    const { sliceMs } = this.#limits;
    const expectedMs = this.#costs.of(kinds) ?? unknownMs;
    if (expectedMs < sliceMs * leastSlice || !this.#isContended(tenant)) return false;
    const usedMs = this.#queue.usedRecently(pathOf(need)) + this.#members.costNow(tenant, callerOf(need));
    return expectedMs >= sliceMs - usedMs;
  }

  /**
   * Returns a child for a waiting statement. Returns a Failure if no child can be started, for example because the disk
   * is full. Returns null if the statement must wait.
   */
  #findChild(waiter: Waiter): PoolMember | Failure | null {
    const { tenant, duty } = waiter.need;
    const othersWait = this.#queue.waiting() > this.#queue.waiting(tenant);
    try {
      return this.#members.find({
        tenant,
        duty,
        caller: callerOf(waiter.need),
        isLong: this.#isLong(waiter),
        othersWait,
      });
    } catch (error) {
      return new Failure(error);
    }
  }

  /** Assigns free children to waiting statements. */
  #dispatch(): void {
    if (this.#isClosed) return;
    this.#members.stay((tenant) => this.#queue.waiting(tenant) > 0);
    const find = (waiter: Waiter): PoolMember | Failure | null => this.#findChild(waiter);
    for (let turn = this.#queue.next(find); turn !== null; turn = this.#queue.next(find)) {
      const { item, taken, ran } = turn;
      if (!(taken instanceof Failure)) this.#give(taken, item, ran);
      else {
        ran(0);
        item.refuse(taken.reason);
      }
    }
  }

  #give(member: PoolMember, { need, kinds, sinceMs, take }: Waiter, recordRun: (ms: number) => void): void {
    const run = this.#members.enter(member, callerOf(need));
    take({
      child: member.child,
      queuedMs: performance.now() - sinceMs,
      release: callOnce(() => {
        const costMs = this.#members.leave(member, run);
        this.#costs.learn(kinds, costMs);
        recordRun(costMs);
        this.#dispatch();
      }),
    });
  }
}

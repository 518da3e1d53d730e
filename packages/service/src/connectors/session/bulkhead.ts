import { callOnce, onEnd } from '../../concurrency/release.ts';
import { createBreaker, type Breaker } from '../../outbound/breaker.ts';

/** Maximum number of leases and of open sessions of all sources of a service together. */
export const maxLeases = 500;

/** Limits of each target of a compartment. */
export interface CompartmentLimits {
  /** Maximum number of leases at the same time. */
  readonly size: number;
  /** Maximum number of waiting callers. */
  readonly waiting: number;
  /** Number of consecutive failures after which a target is not called for `pauseMs`. */
  readonly failures: number;
  readonly pauseMs: number;
}

/**
 * Why a caller gets no lease: too many callers wait, it waited until its deadline or until it was aborted, all targets
 * together have too many leases, or the service is stopping.
 */
type BulkheadRefusal = 'full' | 'late' | 'aborted' | 'total' | 'closed';

export class BulkheadProblem extends Error {
  readonly reason: BulkheadRefusal;

  constructor(reason: BulkheadRefusal) {
    super(`no lease: ${reason}`);
    this.name = 'BulkheadProblem';
    this.reason = reason;
  }
}

/** The right to call a target once. */
export interface Lease {
  /** Circuit breaker of the target, to ask before an attempt to reach it. */
  readonly breaker: Breaker;
  /** Gives the lease to the next waiting caller. Further calls do nothing. */
  release(this: void): void;
}

/** Number of leases of all compartments together. */
interface Total {
  taken: number;
  readonly most: number;
}

interface Waiter {
  readonly admit: () => void;
  readonly refuse: (reason: BulkheadRefusal) => void;
}

/** One target: its leases and the callers that wait for one, in order of arrival. */
class Target {
  readonly breaker: Breaker;
  readonly #waiters: Waiter[] = [];
  taken = 0;

  constructor(breaker: Breaker) {
    this.breaker = breaker;
  }

  get waiting(): number {
    return this.#waiters.length;
  }

  get isUnused(): boolean {
    return this.taken === 0 && this.waiting === 0 && this.breaker.isFresh();
  }

  /** Hands a lease to the next waiting caller. Returns false if nobody waits. */
  handOver(): boolean {
    const waiter = this.#waiters.shift();
    waiter?.admit();
    return waiter !== undefined;
  }

  refuseAll(): void {
    for (const waiter of this.#waiters.splice(0)) waiter.refuse('closed');
  }

  /** Waits until another caller hands over its lease. Raises BulkheadProblem `late`, `aborted`, `closed`. */
  wait(deadline: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      let unsubscribe = (): void => undefined;
      const settle = (action: () => void): void => {
        clearTimeout(timer);
        unsubscribe();
        const index = this.#waiters.indexOf(waiter);
        if (index >= 0) this.#waiters.splice(index, 1);
        action();
      };
      const waiter: Waiter = {
        admit: () => settle(resolve),
        refuse: (reason) => settle(() => reject(new BulkheadProblem(reason))),
      };
      const timer = setTimeout(() => waiter.refuse('late'), Math.max(1, deadline - Date.now()));
      this.#waiters.push(waiter);
      unsubscribe = onEnd(signal, () => waiter.refuse('aborted'));
    });
  }
}

/** Targets with the same limits. A target that does not answer takes no leases from other targets. */
export class Compartment {
  readonly #limits: CompartmentLimits;
  readonly #total: Total;
  readonly #now: () => number;
  readonly #targets = new Map<string, Target>();
  #isClosed = false;

  constructor(limits: CompartmentLimits, total: Total, now: () => number) {
    this.#limits = limits;
    this.#total = total;
    this.#now = now;
  }

  /** Waits for a lease of a target, until the deadline in milliseconds since the epoch. Raises BulkheadProblem. */
  async enter(name: string, deadline: number, signal: AbortSignal): Promise<Lease> {
    if (this.#isClosed) throw new BulkheadProblem('closed');
    const target = this.#targetOf(name);
    if (target.taken >= this.#limits.size) {
      if (target.waiting >= this.#limits.waiting) throw new BulkheadProblem('full');
      await target.wait(deadline, signal);
    } else {
      if (this.#total.taken >= this.#total.most) throw new BulkheadProblem('total');
      target.taken += 1;
      this.#total.taken += 1;
    }
    return { breaker: target.breaker, release: callOnce(() => this.#release(target)) };
  }

  /** Returns the number of leases plus the number of waiting callers, for metrics. */
  held(): number {
    return [...this.#targets.values()].reduce((sum, { taken, waiting }) => sum + taken + waiting, 0);
  }

  close(): void {
    this.#isClosed = true;
    for (const target of this.#targets.values()) target.refuseAll();
  }

  #release(target: Target): void {
    if (target.handOver()) return;
    target.taken -= 1;
    this.#total.taken -= 1;
  }

  /** Forgets unused targets before it adds another one. */
  #targetOf(name: string): Target {
    const existingTarget = this.#targets.get(name);
    if (existingTarget !== undefined) return existingTarget;
    for (const [otherName, { isUnused }] of this.#targets) if (isUnused) this.#targets.delete(otherName);
    const { failures, pauseMs } = this.#limits;
    const target = new Target(createBreaker({ failures, pauseMs, now: this.#now }));
    this.#targets.set(name, target);
    return target;
  }
}

/**
 * Limits what runs at sources at the same time: in a compartment for each kind of source, and for all of them together.
 */
export class Bulkhead {
  readonly #total: Total;
  readonly #now: () => number;
  readonly #compartments: Compartment[] = [];

  /** `most` is the maximum number of leases of all compartments together. */
  constructor(most: number, now: () => number) {
    this.#total = { taken: 0, most };
    this.#now = now;
  }

  compartment(limits: CompartmentLimits): Compartment {
    const compartment = new Compartment(limits, this.#total, this.#now);
    this.#compartments.push(compartment);
    return compartment;
  }

  close(): void {
    for (const compartment of this.#compartments) compartment.close();
  }
}

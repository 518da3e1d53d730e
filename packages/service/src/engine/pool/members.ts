import { Child, type ChildBounds } from '../child-process.ts';
import type { ChildLimits, Duty } from '../messages.ts';
import { PoolMember, type Run } from './pool-member.ts';

export interface MemberLimits {
  readonly children: number;
  /** Children of a tenant while others need some; in the foreground it may have more as long as one is left for another. */
  readonly perTenant: number;
  /** Concurrent statements in a child for compiled statements; other children run one. */
  readonly atOnce: number;
  readonly idleMs: number;
  /** Processor time after which a statement may not hold up others; of other time, such as for rows from elsewhere, five times as much. */
  readonly sliceMs: number;
  readonly spare: boolean;
  /** Whether all children have low priority, as for work that nobody watches. */
  readonly inBackground: boolean;
}

/** What a statement needs of a child. */
export interface MemberNeed {
  readonly tenant: string;
  readonly duty: Duty;
  /** Whose statement it is within the tenant. */
  readonly caller: string;
  /** Whether others of the tenant should not have to wait for it. */
  readonly isLong: boolean;
  /** Whether other tenants wait for a child. */
  readonly othersWait: boolean;
}

interface MemberEvents {
  /** Called when there may be a free place. */
  readonly changed: () => void;
  /** Whether others than one caller of a tenant want the processors. */
  readonly isContended: (tenant: string) => boolean;
}

/** Statements after which a child that runs one at a time is replaced. */
const maxServed = 200;
/** A child that holds this share of its memory while idle would leave too little to the next statement. */
const heldShare = 0.75;
/** How long a child serves a tenant before it is given up for another. */
const minServiceMs = 1000;
const spareDelayMs = 100;

/** The children of a pool: started on demand, ended when idle, never more than the limit. */
export class PoolMembers {
  readonly #limits: MemberLimits;
  readonly #childLimits: ChildLimits;
  readonly #memory: ChildBounds;
  readonly #events: MemberEvents;
  readonly #members = new Set<PoolMember>();
  #spare: Child | null = null;
  #closed = false;

  constructor(limits: MemberLimits, childLimits: ChildLimits, memory: ChildBounds, events: MemberEvents) {
    this.#limits = limits;
    this.#childLimits = childLimits;
    this.#memory = memory;
    this.#events = events;
  }

  all(): readonly PoolMember[] {
    return [...this.#members];
  }

  /** A child with a free place, started if none has one; null if the statement must wait. Raises why none can be started. */
  find(need: MemberNeed): PoolMember | null {
    return need.duty.kind === 'compiled' && !this.#limits.inBackground ? this.#findCompiled(need) : this.#findAny(need);
  }

  enter(member: PoolMember, caller: string): Run {
    if (this.#limits.inBackground) member.slow();
    return member.enter(caller, {
      sliceMs: this.#limits.sliceMs,
      over: () => {
        if (this.#events.isContended(member.tenant)) member.slow();
        this.#events.changed();
      },
    });
  }

  /** Ends a statement; gives its cost in milliseconds. */
  leave(member: PoolMember, run: Run): number {
    const cost = member.leave(run);
    if (member.running > 0 || !this.#members.has(member)) return cost;
    member.retireAbove(this.#memory.residentMb * heldShare);
    if (this.#isSpent(member)) this.#remove(member);
    else member.idle(this.#limits.idleMs, () => this.#remove(member));
    return cost;
  }

  /** Lowers the priority of statements of other callers that have run over their slice. */
  slowOthers(tenant: string, caller: string): void {
    for (const member of this.#members)
      if (member.isOver(this.#limits.sliceMs, (other) => other !== caller || member.tenant !== tenant)) member.slow();
  }

  /** The cost of the running statements of a caller, in milliseconds. */
  costNow(tenant: string, caller: string): number {
    return this.#of(tenant).reduce((sum, member) => sum + member.costOfCaller(caller), 0);
  }

  /** Keeps children that were to leave for a tenant that no longer waits. */
  stay(waits: (tenant: string) => boolean): void {
    for (const member of this.#members)
      if (member.leavesFor !== null && !waits(member.leavesFor)) member.leavesFor = null;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const children = [...this.#members].map(({ child }) => child);
    if (this.#spare !== null) children.push(this.#spare);
    for (const member of this.#members) this.#remove(member);
    this.#spare?.kill();
    await Promise.all(children.map(({ cleared }) => cleared));
  }

  #of(tenant: string): readonly PoolMember[] {
    return [...this.#members].filter((member) => member.tenant === tenant);
  }

  #remove(member: PoolMember): void {
    this.#members.delete(member);
    member.end();
  }

  /** Whether an idle child is replaced instead of reused. */
  #isSpent(member: PoolMember): boolean {
    if (member.child.isRetired()) return true;
    if (this.#limits.inBackground) return false;
    const isWorn = member.isSlow || (member.duty.kind === 'alone' && member.served >= maxServed);
    if (!member.isCompiled && isWorn) return true;
    return (
      member.isSlow && this.#of(member.tenant).some((other) => other !== member && other.isCompiled && other.isSlow)
    );
  }

  #keepSpare(): void {
    if (this.#closed || !this.#limits.spare || this.#spare !== null || this.#members.size >= this.#limits.children)
      return;
    const started = this.#startSpare();
    if (started === null) return;
    this.#spare = started;
    void started.died.then(() => {
      if (this.#spare === started) this.#spare = null;
    });
  }

  #startSpare(): Child | null {
    try {
      return new Child(this.#childLimits, this.#memory);
    } catch {
      // A statement that needs a child reports why there is none.
      return null;
    }
  }

  #start({ tenant, duty }: MemberNeed, isSlow: boolean): PoolMember {
    const child = this.#spare?.alive() === true ? this.#spare : new Child(this.#childLimits, this.#memory);
    if (child === this.#spare) this.#spare = null;
    child.assign({ limits: this.#childLimits, duty });
    const member = new PoolMember(child, tenant, duty);
    if (isSlow) member.slow();
    this.#members.add(member);
    void child.died.then(() => {
      member.stopIdling();
      this.#members.delete(member);
      this.#events.changed();
    });
    setTimeout(() => this.#keepSpare(), spareDelayMs).unref();
    return member;
  }

  /** Starts one more child for a tenant; at a limit, in place of the child that has been idle longest. */
  #startMore(need: MemberNeed, isSlow: boolean): PoolMember | null {
    const { children, perTenant, inBackground } = this.#limits;
    const own = this.#of(need.tenant).length;
    const mayExceed = !inBackground && !need.othersWait && own < children - 1;
    const isFull = own >= perTenant;
    if (this.#members.size < children && (!isFull || mayExceed)) return this.#start(need, isSlow);
    const [idle] = [...this.#members]
      .filter(({ running, tenant }) => running === 0 && (!isFull || tenant === need.tenant))
      .filter(({ leavesFor }) => leavesFor === null || leavesFor === need.tenant)
      .sort((one, other) => one.idleSinceMs - other.idleSinceMs);
    if (idle === undefined) return null;
    this.#remove(idle);
    return this.#start(need, isSlow);
  }

  /** Picks the child that takes no more statements, so that it becomes free for this need. */
  #reclaim(need: MemberNeed): null {
    const isPicked = [...this.#members].some(({ leavesFor }) => leavesFor === need.tenant);
    const [first] = [...this.#members]
      .filter((member) => member.startedMs + minServiceMs < performance.now() && this.#mayLeave(member, need))
      .sort((one, other) => Number(one.isSlow) - Number(other.isSlow) || one.running - other.running);
    if (first !== undefined && first.leavesFor === null && !isPicked) first.leavesFor = need.tenant;
    return null;
  }

  #mayLeave({ tenant, duty }: PoolMember, need: MemberNeed): boolean {
    const { perTenant } = this.#limits;
    const own = this.#of(need.tenant).length;
    if (tenant === need.tenant) return own >= perTenant && duty.kind !== need.duty.kind;
    const kept = own === 0 ? 1 : perTenant;
    const isLast = own === 0 && [...this.#members].every((member) => this.#of(member.tenant).length <= kept);
    return this.#of(tenant).length > kept || isLast;
  }

  /** Children of the tenant that take such statements, the least busy first. */
  #serving({ tenant, duty }: MemberNeed): readonly PoolMember[] {
    return this.#of(tenant)
      .filter((member) => member.isServing && member.duty.kind === duty.kind)
      .toSorted((one, other) => one.running - other.running);
  }

  #findAny(need: MemberNeed): PoolMember | null {
    const [own] = this.#serving(need);
    if (own !== undefined && own.running < (own.isCompiled ? this.#limits.atOnce : 1)) return own;
    // A second child for compiled statements is for those that are short.
    return own !== undefined && own.isCompiled ? null : (this.#startMore(need, false) ?? this.#reclaim(need));
  }

  /** Long statements share a slow child, so that short ones find a quick one. */
  #findCompiled(need: MemberNeed): PoolMember | null {
    const own = this.#serving(need);
    if (own.length === 0) return this.#startMore(need, false) ?? this.#reclaim(need);
    const free = own.filter(({ running }) => running < this.#limits.atOnce);
    const slow = free.find(({ isSlow }) => isSlow);
    const quick = free.find(({ isSlow }) => !isSlow);
    if (!need.isLong) {
      if (quick !== undefined || own.some(({ isSlow }) => !isSlow)) return quick ?? null;
      return this.#startMore(need, false) ?? slow ?? null;
    }
    const found = own.some(({ isSlow }) => isSlow) ? slow : (this.#startMore(need, true) ?? quick);
    return found !== undefined && this.#leavesPlace(found, need) ? found : null;
  }

  /** A caller leaves a place to others, who would wait as long as its statements take. */
  #leavesPlace(member: PoolMember, { caller }: MemberNeed): boolean {
    return member.runningOf(caller) < Math.max(1, this.#limits.atOnce - 1);
  }
}

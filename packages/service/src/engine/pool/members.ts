import { Child, type ChildBounds } from '../child-process.ts';
import type { ChildLimits, Duty } from '../messages.ts';
import { PoolMember, type Run } from './pool-member.ts';

export interface MemberLimits {
  readonly children: number;
  /**
   * Maximum number of children of a tenant while other tenants need children. If no other tenant waits, a foreground
   * pool allows a tenant more children, but leaves one child for other tenants.
   */
  readonly perTenant: number;
  /**
   * Maximum number of concurrent statements in a child for compiled statements. Other children run one statement at a
   * time.
   */
  readonly atOnce: number;
  readonly idleMs: number;
  /**
   * Processor time in ms after which a statement must not delay other statements. Other time, such as waiting for
   * external rows, counts one fifth.
   */
  readonly sliceMs: number;
  readonly spare: boolean;
  /** True if all children have reduced priority, for work that nobody waits for. */
  readonly inBackground: boolean;
}

/** Requirements of a statement for a child. */
export interface MemberNeed {
  readonly tenant: string;
  readonly duty: Duty;
  /** Caller of the statement within the tenant. */
  readonly caller: string;
  /** True if the statement is expected to be long, so that other callers should not have to wait for it. */
  readonly isLong: boolean;
  /** True if other tenants wait for a child. */
  readonly othersWait: boolean;
}

interface MemberEvents {
  /** Called when a slot may be free. */
  readonly changed: () => void;
  /**
   * True if several callers compete for the processors: several callers of this tenant, or callers of other tenants.
   */
  readonly isContended: (tenant: string) => boolean;
}

/** A child that runs one statement at a time is replaced after this many statements. */
const maxServed = 200;
/**
 * An idle child that still occupies more than this share of its memory limit is replaced, since it leaves too little
 * memory for the next statement.
 */
const heldShare = 0.75;
/** Minimum time a child serves a tenant before another tenant can take it over. */
const minServiceMs = 1000;
const spareDelayMs = 100;

/** Children of a pool: started on demand, ended when idle, limited in number. */
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

  /**
   * Finds a child with a free slot, or starts a child; null if the statement must wait. Raises the error if a child
   * cannot be started.
   */
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

  /** Ends a statement. Returns its cost in ms. */
  leave(member: PoolMember, run: Run): number {
    const cost = member.leave(run);
    if (member.running > 0 || !this.#members.has(member)) return cost;
    member.retireAbove(this.#memory.residentMb * heldShare);
    if (this.#isSpent(member)) this.#remove(member);
    else member.idle(this.#limits.idleMs, () => this.#remove(member));
    return cost;
  }

  /** Lowers the priority of children in which statements of other callers have exceeded their time slice. */
  slowOthers(tenant: string, caller: string): void {
    for (const member of this.#members)
      if (member.isOver(this.#limits.sliceMs, (other) => other !== caller || member.tenant !== tenant)) member.slow();
  }

  /** Returns the cost of a caller's running statements, in ms. */
  costNow(tenant: string, caller: string): number {
    return this.#of(tenant).reduce((sum, member) => sum + member.costOfCaller(caller), 0);
  }

  /** Cancels takeovers for tenants that no longer wait. */
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

  /** True if an idle child should be replaced instead of reused. */
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
    const startedSpare = this.#startSpare();
    if (startedSpare === null) return;
    this.#spare = startedSpare;
    void startedSpare.died.then(() => {
      if (this.#spare === startedSpare) this.#spare = null;
    });
  }

  #startSpare(): Child | null {
    try {
      return new Child(this.#childLimits, this.#memory);
    } catch {
      // The next statement that needs a child reports the error.
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

  /**
   * Starts another child for a tenant. If the limit is reached, replaces the child that has been idle longest; null if
   * no child is idle.
   */
  #startMore(need: MemberNeed, isSlow: boolean): PoolMember | null {
    const { children, perTenant, inBackground } = this.#limits;
    const ownCount = this.#of(need.tenant).length;
    const mayExceed = !inBackground && !need.othersWait && ownCount < children - 1;
    const isFull = ownCount >= perTenant;
    if (this.#members.size < children && (!isFull || mayExceed)) return this.#start(need, isSlow);
    const [idleMember] = [...this.#members]
      .filter(({ running, tenant }) => running === 0 && (!isFull || tenant === need.tenant))
      .filter(({ leavesFor }) => leavesFor === null || leavesFor === need.tenant)
      .sort((left, right) => left.idleSinceMs - right.idleSinceMs);
    if (idleMember === undefined) return null;
    this.#remove(idleMember);
    return this.#start(need, isSlow);
  }

  /** Picks a child that will accept no further statements, so that it becomes free for this need. */
  #reclaim(need: MemberNeed): null {
    const isPicked = [...this.#members].some(({ leavesFor }) => leavesFor === need.tenant);
    const [leaver] = [...this.#members]
      .filter((member) => member.startedMs + minServiceMs < performance.now() && this.#mayLeave(member, need))
      .sort((left, right) => Number(left.isSlow) - Number(right.isSlow) || left.running - right.running);
    if (leaver !== undefined && leaver.leavesFor === null && !isPicked) leaver.leavesFor = need.tenant;
    return null;
  }

  #mayLeave({ tenant, duty }: PoolMember, need: MemberNeed): boolean {
    const { perTenant } = this.#limits;
    const ownCount = this.#of(need.tenant).length;
    if (tenant === need.tenant) return ownCount >= perTenant && duty.kind !== need.duty.kind;
    const reserved = ownCount === 0 ? 1 : perTenant;
    const isLast = ownCount === 0 && [...this.#members].every((member) => this.#of(member.tenant).length <= reserved);
    return this.#of(tenant).length > reserved || isLast;
  }

  /** Returns the tenant's children with this duty, least busy first. */
  #serving({ tenant, duty }: MemberNeed): readonly PoolMember[] {
    return this.#of(tenant)
      .filter((member) => member.isServing && member.duty.kind === duty.kind)
      .toSorted((left, right) => left.running - right.running);
  }

  #findAny(need: MemberNeed): PoolMember | null {
    const [ownMember] = this.#serving(need);
    if (ownMember !== undefined && ownMember.running < (ownMember.isCompiled ? this.#limits.atOnce : 1))
      return ownMember;
    // A second child for compiled statements is only started for short statements.
    return ownMember !== undefined && ownMember.isCompiled
      ? null
      : (this.#startMore(need, false) ?? this.#reclaim(need));
  }

  /**
   * Finds a child for a compiled statement. Long statements share a low-priority child, so that short statements find a
   * fast one.
   */
  #findCompiled(need: MemberNeed): PoolMember | null {
    const servingMembers = this.#serving(need);
    if (servingMembers.length === 0) return this.#startMore(need, false) ?? this.#reclaim(need);
    const freeMembers = servingMembers.filter(({ running }) => running < this.#limits.atOnce);
    const slowMember = freeMembers.find(({ isSlow }) => isSlow);
    const quickMember = freeMembers.find(({ isSlow }) => !isSlow);
    if (!need.isLong) {
      if (quickMember !== undefined || servingMembers.some(({ isSlow }) => !isSlow)) return quickMember ?? null;
      return this.#startMore(need, false) ?? slowMember ?? null;
    }
    const member = servingMembers.some(({ isSlow }) => isSlow)
      ? slowMember
      : (this.#startMore(need, true) ?? quickMember);
    return member !== undefined && this.#leavesPlace(member, need) ? member : null;
  }

  /**
   * True if a slot stays free for other callers after this statement. Otherwise they would wait for all statements of
   * this caller.
   */
  #leavesPlace(member: PoolMember, { caller }: MemberNeed): boolean {
    return member.runningOf(caller) < Math.max(1, this.#limits.atOnce - 1);
  }
}

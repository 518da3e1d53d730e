import { startChild, type Child, type ChildBounds } from './child-process.ts';
import { lowerPriority, processorMs } from './limited-process.ts';
import { residentMb } from './memory-watch.ts';
import type { ChildLimits, Duty } from './messages.ts';

export interface MemberLimits {
  readonly children: number;
  /** Children that a tenant keeps while others need some; in the foreground it may have more as long as one is left for another. */
  readonly perTenant: number;
  /** Statements at once in a child that serves compiled statements; others serve one. */
  readonly atOnce: number;
  readonly idleMs: number;
  /** Processor time after which a statement may not hold up others; of other time, such as for rows from elsewhere, five times as much. */
  readonly sliceMs: number;
  readonly spare: boolean;
  /** Whether all children have low priority, as for work that nobody watches. */
  readonly inBackground: boolean;
}

/** A statement in a child, and whose. */
export interface Run {
  readonly caller: string;
  /** When it began, and the processor time of its child until then; null while the child starts. */
  since: { readonly ms: number; readonly processorMs: number | null } | null;
  timer: NodeJS.Timeout | undefined;
}

/** A child of the pool with what runs in it. */
export interface Member {
  readonly child: Child;
  readonly tenant: string;
  readonly duty: Duty;
  readonly runs: Set<Run>;
  readonly startedMs: number;
  served: number;
  idle: NodeJS.Timeout | undefined;
  idleSinceMs: number;
  /** It has low priority, and serves statements that take long. */
  isSlow: boolean;
  /** The tenant for which it takes no more statements. */
  leavesFor: string | null;
}

/** What is needed of a child. */
export interface MemberNeed {
  readonly tenant: string;
  readonly duty: Duty;
  /** Whose it is within the tenant. */
  readonly caller: string;
  /** Whether others of the tenant should not have to wait for it. */
  readonly isLong: boolean;
  /** Whether other tenants wait for a child. */
  readonly othersWait: boolean;
}

/** Requests after which a child that serves alone is replaced. */
const servedAtMost = 200;

/** A child that holds this share of its memory while nothing runs in it would leave too little to the next statement. */
const heldShare = 0.75;

/** A child serves its tenant for so long before it is given up for another. */
const leastServiceMs = 1000;

export interface Members {
  /** A child with a place, started where none has one; null where one must be waited for. Raises why none can be started. */
  readonly find: (need: MemberNeed) => Member | null;
  readonly enter: (member: Member, caller: string) => Run;
  /** Gives what the statement has cost, in milliseconds. */
  readonly leave: (member: Member, run: Run) => number;
  /** Lowers the priority of statements of others than this caller that have run over their slice. */
  readonly slowOthers: (tenant: string, caller: string) => void;
  /** What the running statements of a caller have cost until now, in milliseconds. */
  readonly costNow: (tenant: string, caller: string) => number;
  readonly all: () => readonly Member[];
  /** Children stay where nobody waits any more for whom they were to leave. */
  readonly stay: (waits: (tenant: string) => boolean) => void;
  readonly close: () => Promise<void>;
}

/** Who is told what happens to children. */
export interface MemberEvents {
  /** There may be a place. */
  readonly changed: () => void;
  /** Whether others want the processors, beside this caller of a tenant. */
  readonly isContended: (tenant: string) => boolean;
}

/** Other time counts so much less than that of a processor. */
const otherTime = 5;

/** What a statement has cost until now. Of statements in one child nobody knows whose the processor time was: they share it. */
function costOf({ child, runs }: Member, { since }: Run): number {
  if (since === null) return 0;
  const ms = performance.now() - since.ms;
  const usedMs = processorMs(child.pid);
  if (usedMs === null || since.processorMs === null) return ms;
  const ownMs = (usedMs - since.processorMs) / Math.max(1, runs.size);
  return Math.max(Math.min(ms, ownMs), ms / otherTime);
}

const isAlone = ({ duty }: { readonly duty: Duty }): boolean => duty.kind === 'alone';
const isCompiled = ({ duty }: { readonly duty: Duty }): boolean => duty.kind === 'compiled';

/** Children of several tenants: started when needed, ended when idle, and never more than the limit. */
export function createMembers(
  limits: MemberLimits,
  child: ChildLimits,
  memory: ChildBounds,
  { changed, isContended }: MemberEvents,
): Members {
  const members = new Set<Member>();
  let spare: Child | null = null;
  let closed = false;

  const of = (tenant: string): readonly Member[] => [...members].filter((member) => member.tenant === tenant);
  const remove = (member: Member): void => {
    clearTimeout(member.idle);
    members.delete(member);
    member.child.kill();
  };
  const startSpare = (): Child | null => {
    try {
      return startChild(child, memory);
    } catch {
      // Whoever needs a child hears why there is none.
      return null;
    }
  };
  const keepSpare = (): void => {
    if (closed || !limits.spare || spare !== null || members.size >= limits.children) return;
    const started = startSpare();
    if (started === null) return;
    spare = started;
    void started.died.then(() => {
      if (spare === started) spare = null;
    });
  };
  const slow = (member: Member): void => {
    if (member.isSlow) return;
    member.isSlow = true;
    lowerPriority(member.child.pid);
  };
  const start = ({ tenant, duty }: MemberNeed, isSlow: boolean): Member => {
    const process = spare?.alive() === true ? spare : startChild(child, memory);
    if (process === spare) spare = null;
    process.assign({ limits: child, duty });
    const member: Member = {
      child: process,
      tenant,
      duty,
      runs: new Set<Run>(),
      startedMs: performance.now(),
      served: 0,
      idle: undefined,
      idleSinceMs: 0,
      isSlow: false,
      leavesFor: null,
    };
    if (isSlow) slow(member);
    members.add(member);
    void process.died.then(() => {
      clearTimeout(member.idle);
      members.delete(member);
      changed();
    });
    setTimeout(keepSpare, 100).unref();
    return member;
  };
  /** Starts one more child of a tenant, where there are as many as there may be in place of the one that is idle longest. */
  const startMore = (need: MemberNeed, isSlow: boolean): Member | null => {
    const own = of(need.tenant).length;
    const mayExceed = !limits.inBackground && !need.othersWait && own < limits.children - 1;
    const isFull = own >= limits.perTenant;
    if (members.size < limits.children && (!isFull || mayExceed)) return start(need, isSlow);
    const [idle] = [...members]
      .filter(({ runs, tenant }) => runs.size === 0 && (!isFull || tenant === need.tenant))
      .filter(({ leavesFor }) => leavesFor === null || leavesFor === need.tenant)
      .sort((a, b) => a.idleSinceMs - b.idleSinceMs);
    if (idle === undefined) return null;
    remove(idle);
    return start(need, isSlow);
  };
  /** Picks the child that takes no more statements, so that it will be idle for this need. */
  const reclaim = (need: MemberNeed): null => {
    const own = of(need.tenant).length;
    const kept = own === 0 ? 1 : limits.perTenant;
    const isLast = own === 0 && [...members].every(({ tenant }) => of(tenant).length <= kept);
    const mayLeave = ({ tenant, duty }: Member): boolean =>
      tenant === need.tenant
        ? own >= limits.perTenant && duty.kind !== need.duty.kind
        : of(tenant).length > kept || isLast;
    const [first] = [...members]
      .filter((member) => mayLeave(member) && member.startedMs + leastServiceMs < performance.now())
      .sort((a, b) => Number(a.isSlow) - Number(b.isSlow) || a.runs.size - b.runs.size);
    const isPicked = [...members].some(({ leavesFor }) => leavesFor === need.tenant);
    if (first !== undefined && first.leavesFor === null && !isPicked) first.leavesFor = need.tenant;
    return null;
  };
  const serving = (need: MemberNeed): readonly Member[] =>
    of(need.tenant)
      .filter(({ duty, child, leavesFor }) => {
        const serves = child.alive() && !child.isRetired() && leavesFor === null;
        return serves && duty.kind === need.duty.kind;
      })
      .toSorted((a, b) => a.runs.size - b.runs.size);
  const findAny = (need: MemberNeed): Member | null => {
    const [own] = serving(need);
    if (own !== undefined && own.runs.size < (isCompiled(own) ? limits.atOnce : 1)) return own;
    // A second child for compiled statements is for those that are short.
    return own !== undefined && isCompiled(own) ? null : (startMore(need, false) ?? reclaim(need));
  };
  const findCompiled = (need: MemberNeed): Member | null => {
    const own = serving(need);
    const free = own.filter(({ runs }) => runs.size < limits.atOnce);
    const slowOne = free.find(({ isSlow }) => isSlow);
    const quickOne = free.find(({ isSlow }) => !isSlow);
    if (own.length === 0) return startMore(need, false) ?? reclaim(need);
    if (!need.isLong) {
      if (quickOne !== undefined || own.some(({ isSlow }) => !isSlow)) return quickOne ?? null;
      return startMore(need, false) ?? slowOne ?? null;
    }
    /** A caller leaves a place to others, who would wait as long as its statements take. */
    const leavesPlace = ({ runs }: Member): boolean =>
      [...runs].filter(({ caller }) => caller === need.caller).length < Math.max(1, limits.atOnce - 1);
    const found = own.some(({ isSlow }) => isSlow) ? slowOne : (startMore(need, true) ?? quickOne);
    return found !== undefined && leavesPlace(found) ? found : null;
  };
  const isOver = (member: Member, whose: (caller: string) => boolean): boolean =>
    [...member.runs].some((run) => whose(run.caller) && costOf(member, run) >= limits.sliceMs);
  const begin = (member: Member, run: Run): void => {
    if (!member.runs.has(run)) return;
    run.since = { ms: performance.now(), processorMs: processorMs(member.child.pid) };
    const look = (): void => {
      const leftMs = limits.sliceMs - costOf(member, run);
      if (leftMs > 0) run.timer = setTimeout(look, Math.max(leftMs, 20)).unref();
      else {
        if (isContended(member.tenant)) slow(member);
        changed();
      }
    };
    run.timer = setTimeout(look, limits.sliceMs / 2).unref();
  };
  return {
    find: (need) => (isCompiled(need) && !limits.inBackground ? findCompiled(need) : findAny(need)),
    enter: (member, caller) => {
      clearTimeout(member.idle);
      if (limits.inBackground) slow(member);
      const run: Run = { caller, since: null, timer: undefined };
      member.runs.add(run);
      if (member.served > 0) begin(member, run);
      else void member.child.ready.then(() => begin(member, run));
      return run;
    },
    leave: (member, run) => {
      clearTimeout(run.timer);
      const cost = costOf(member, run);
      member.runs.delete(run);
      member.served += 1;
      if (member.runs.size > 0 || !members.has(member)) return cost;
      if (residentMb(member.child.pid) > memory.residentMb * heldShare) member.child.retire('memory_held');
      const isWorn = !isCompiled(member) && (member.isSlow || (isAlone(member) && member.served >= servedAtMost));
      const isSecond = of(member.tenant).some(
        (one) => one !== member && isCompiled(one) && one.isSlow && member.isSlow,
      );
      if (member.child.isRetired() || (!limits.inBackground && (isWorn || isSecond))) remove(member);
      else {
        member.idleSinceMs = performance.now();
        member.idle = setTimeout(() => remove(member), limits.idleMs).unref();
      }
      return cost;
    },
    slowOthers: (tenant, caller) => {
      for (const member of members)
        if (isOver(member, (one) => one !== caller || member.tenant !== tenant)) slow(member);
    },
    costNow: (tenant, caller) => {
      const own = of(tenant).flatMap((member) =>
        [...member.runs].filter((run) => run.caller === caller).map((run) => costOf(member, run)),
      );
      return own.reduce((sum, ms) => sum + ms, 0);
    },
    all: () => [...members],
    stay: (waits) => {
      for (const member of members) if (member.leavesFor !== null && !waits(member.leavesFor)) member.leavesFor = null;
    },
    close: async () => {
      closed = true;
      const dying = [...members].map((member) => member.child);
      if (spare !== null) dying.push(spare);
      for (const member of members) remove(member);
      spare?.kill();
      await Promise.all(dying.map(({ cleared }) => cleared));
    },
  };
}

import { startChild, type Child, type MemoryBounds } from './child-process.ts';
import { EngineProblem } from './engine.ts';
import { onEnd, once } from '../concurrency/release.ts';
import type { ChildLimits, Duty } from './messages.ts';

export interface PoolLimits {
  readonly children: number;
  /** Children one tenant may have while others are there. */
  readonly perTenant: number;
  /** Statements at once in a child that serves compiled statements; others serve one. */
  readonly atOnce: number;
  readonly idleMs: number;
  /** Waiting statements of one tenant above which more are refused. */
  readonly waiting: number;
  readonly spare: boolean;
}

export interface Need {
  readonly tenant: string;
  readonly duty: Duty;
}

/** A place in a child; `release` gives it back. */
export interface Place {
  readonly child: Child;
  readonly queuedMs: number;
  readonly release: () => void;
}

export interface Pool {
  /** Waits for a place; tenants take turns. Raises EngineProblem `busy`, or the reason of the signal. */
  readonly place: (need: Need, signal: AbortSignal) => Promise<Place>;
  readonly children: () => readonly { readonly pid: number; readonly tenant: string; readonly running: number }[];
  /** Statements under way and waiting, for metrics. */
  readonly held: () => { readonly running: number; readonly waiting: number };
  readonly close: () => Promise<void>;
}

interface Member {
  readonly child: Child;
  readonly need: Need;
  running: number;
  served: number;
  idle: NodeJS.Timeout | undefined;
  idleSinceMs: number;
}

interface Waiter {
  readonly need: Need;
  readonly sinceMs: number;
  readonly take: (place: Place) => void;
  readonly refuse: (error: unknown) => void;
}

/** Why there is no child. */
class Failure {
  readonly reason: unknown;

  constructor(reason: unknown) {
    this.reason = reason;
  }
}

/** Requests after which a child that serves alone is replaced. */
const servedAtMost = 200;

/** Children of several tenants: started when needed, ended when idle, and never more than the limit. */
export function createPool(limits: PoolLimits, child: ChildLimits, memory: MemoryBounds): Pool {
  const members = new Set<Member>();
  const waiting = new Map<string, Waiter[]>();
  let spare: Child | null = null;
  let closed = false;

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
  const start = (need: Need): Member => {
    const process = spare?.alive() === true ? spare : startChild(child, memory);
    if (process === spare) spare = null;
    process.assign({ limits: child, duty: need.duty });
    const member: Member = { child: process, need, running: 0, served: 0, idle: undefined, idleSinceMs: 0 };
    members.add(member);
    void process.died.then(() => {
      clearTimeout(member.idle);
      members.delete(member);
      dispatch();
    });
    setTimeout(keepSpare, 100).unref();
    return member;
  };
  const capacity = ({ kind }: Duty): number => (kind === 'compiled' ? limits.atOnce : 1);
  const fits = (member: Member, { tenant, duty }: Need): boolean =>
    member.child.alive() &&
    member.need.tenant === tenant &&
    member.need.duty.kind === duty.kind &&
    member.running < capacity(duty);
  const find = (need: Need): Member | null => {
    const all = [...members];
    const fitting = all.filter((member) => fits(member, need)).sort((a, b) => a.running - b.running);
    if (fitting[0] !== undefined) return fitting[0];
    const own = all.filter(({ need: { tenant } }) => tenant === need.tenant);
    const compiledTwice =
      need.duty.kind === 'compiled' && own.some((one) => one.need.duty.kind === 'compiled' && one.child.alive());
    if (compiledTwice) return null;
    const mine = own.length >= limits.perTenant;
    const idle = all.filter((member) => member.running === 0 && (!mine || own.includes(member)));
    if (members.size < limits.children && !mine) return start(need);
    const [oldest] = idle.sort((a, b) => a.idleSinceMs - b.idleSinceMs);
    if (oldest === undefined) return null;
    remove(oldest);
    return start(need);
  };
  const release = (member: Member): void => {
    member.running -= 1;
    member.served += 1;
    if (member.running === 0) {
      if (member.need.duty.kind === 'alone' && member.served >= servedAtMost) remove(member);
      member.idleSinceMs = performance.now();
      member.idle = setTimeout(() => remove(member), limits.idleMs);
      member.idle.unref();
    }
    dispatch();
  };
  const give = (member: Member, { sinceMs, take }: Waiter): void => {
    clearTimeout(member.idle);
    member.running += 1;
    take({
      child: member.child,
      queuedMs: performance.now() - sinceMs,
      release: once(() => release(member)),
    });
  };
  /** As `find`, or why no child can be started, as on a full disk. */
  const found = (need: Need): Member | Failure | null => {
    try {
      return find(need);
    } catch (error) {
      return new Failure(error);
    }
  };
  /** Each tenant in turn gets one place, until none is left. */
  const dispatch = (): void => {
    if (closed) return;
    for (let moved = true; moved;) {
      moved = false;
      for (const [tenant, queue] of [...waiting]) {
        const [first] = queue;
        const member = first === undefined ? null : found(first.need);
        if (first === undefined || member === null) continue;
        queue.shift();
        waiting.delete(tenant);
        if (queue.length > 0) waiting.set(tenant, queue);
        if (member instanceof Failure) first.refuse(member.reason);
        else give(member, first);
        moved = true;
      }
    }
  };
  return {
    place: (need, signal) =>
      new Promise<Place>((resolve, reject) => {
        if (closed) return reject(new EngineProblem('failed', 'the engine is closed'));
        if (signal.aborted) return reject(signal.reason);
        const queue = waiting.get(need.tenant) ?? [];
        if (queue.length >= limits.waiting) return reject(new EngineProblem('busy'));
        const leave = (): void => {
          const at = queue.indexOf(waiter);
          if (at >= 0) queue.splice(at, 1);
          if (queue.length === 0 && waiting.get(need.tenant) === queue) waiting.delete(need.tenant);
          reject(signal.reason);
        };
        const waiter: Waiter = {
          need,
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
        const deaf = onEnd(signal, leave);
        queue.push(waiter);
        waiting.set(need.tenant, queue);
        dispatch();
      }),
    children: () => [...members].map(({ child: { pid }, need: { tenant }, running }) => ({ pid, tenant, running })),
    held: () => ({
      running: [...members].reduce((sum, { running }) => sum + running, 0),
      waiting: [...waiting.values()].reduce((sum, { length }) => sum + length, 0),
    }),
    close: async () => {
      closed = true;
      for (const queue of waiting.values())
        for (const { refuse } of queue) refuse(new EngineProblem('failed', 'the engine is closed'));
      waiting.clear();
      const dying = [...members].map((member) => member.child);
      if (spare !== null) dying.push(spare);
      for (const member of members) remove(member);
      spare?.kill();
      await Promise.all(dying.map(({ cleared }) => cleared));
    },
  };
}

import type { Child } from '../child-process.ts';
import { lowerPriority, processorMs } from '../limited-process.ts';
import { residentMb } from '../memory-watch.ts';
import type { Duty } from '../messages.ts';

/** A statement that runs in a child. */
export interface Run {
  /** Whose statement it is. */
  readonly caller: string;
  /** When it began, and the processor time of its child until then; null while the child starts. */
  since: { readonly ms: number; readonly processorMs: number | null } | null;
  timer: NodeJS.Timeout | undefined;
}

interface SliceOptions {
  readonly sliceMs: number;
  /** Called when the statement has run over its slice. */
  readonly over: () => void;
}

/** Time that is not processor time, such as for rows from elsewhere, counts so much less. */
const otherTime = 5;

/** A child of a pool that serves one tenant, with the statements that run in it. */
export class PoolMember {
  readonly child: Child;
  readonly tenant: string;
  readonly duty: Duty;
  readonly startedMs = performance.now();
  /** The tenant for which it takes no more statements. */
  leavesFor: string | null = null;
  readonly #runs = new Set<Run>();
  #served = 0;
  #isSlow = false;
  #idleSinceMs = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(child: Child, tenant: string, duty: Duty) {
    this.child = child;
    this.tenant = tenant;
    this.duty = duty;
  }

  get running(): number {
    return this.#runs.size;
  }

  /** Statements that have ended. */
  get served(): number {
    return this.#served;
  }

  /** Whether it has low priority, for statements that take long. */
  get isSlow(): boolean {
    return this.#isSlow;
  }

  get idleSinceMs(): number {
    return this.#idleSinceMs;
  }

  get isCompiled(): boolean {
    return this.duty.kind === 'compiled';
  }

  /** Whether it may take further statements. */
  get isServing(): boolean {
    return this.child.alive() && !this.child.isRetired() && this.leavesFor === null;
  }

  runningOf(caller: string): number {
    return [...this.#runs].filter((run) => run.caller === caller).length;
  }

  slow(): void {
    if (this.#isSlow) return;
    this.#isSlow = true;
    lowerPriority(this.child.pid);
  }

  /** Starts to count the cost of a statement. */
  enter(caller: string, slice: SliceOptions): Run {
    clearTimeout(this.#idle);
    const run: Run = { caller, since: null, timer: undefined };
    this.#runs.add(run);
    if (this.#served > 0) this.#begin(run, slice);
    else void this.child.ready.then(() => this.#begin(run, slice));
    return run;
  }

  #begin(run: Run, { sliceMs, over }: SliceOptions): void {
    if (!this.#runs.has(run)) return;
    run.since = { ms: performance.now(), processorMs: processorMs(this.child.pid) };
    const look = (): void => {
      const leftMs = sliceMs - this.#costOf(run);
      if (leftMs > 0) run.timer = setTimeout(look, Math.max(leftMs, 20)).unref();
      else over();
    };
    run.timer = setTimeout(look, sliceMs / 2).unref();
  }

  /** Ends a statement; gives its cost in milliseconds. */
  leave(run: Run): number {
    clearTimeout(run.timer);
    const cost = this.#costOf(run);
    this.#runs.delete(run);
    this.#served += 1;
    return cost;
  }

  /** The cost of the running statements of a caller, in milliseconds. */
  costOfCaller(caller: string): number {
    const own = [...this.#runs].filter((run) => run.caller === caller);
    return own.reduce((sum, run) => sum + this.#costOf(run), 0);
  }

  /** Whether a statement of one of these callers has run for longer than this. */
  isOver(sliceMs: number, isOf: (caller: string) => boolean): boolean {
    return [...this.#runs].some((run) => isOf(run.caller) && this.#costOf(run) >= sliceMs);
  }

  /** Processor time cannot be attributed to single statements of a child, so they share it. */
  #costOf({ since }: Run): number {
    if (since === null) return 0;
    const ms = performance.now() - since.ms;
    const usedMs = processorMs(this.child.pid);
    if (usedMs === null || since.processorMs === null) return ms;
    const ownMs = (usedMs - since.processorMs) / Math.max(1, this.running);
    return Math.max(Math.min(ms, ownMs), ms / otherTime);
  }

  /** Retires the child if it holds more memory than this while nothing runs in it. */
  retireAbove(heldMb: number): void {
    if (residentMb(this.child.pid) > heldMb) this.child.retire('memory_held');
  }

  /** Waits idle for its next statement; `expired` is called if none comes in time. */
  idle(idleMs: number, expired: () => void): void {
    this.#idleSinceMs = performance.now();
    this.#idle = setTimeout(expired, idleMs).unref();
  }

  stopIdling(): void {
    clearTimeout(this.#idle);
  }

  end(): void {
    this.stopIdling();
    this.child.kill();
  }
}

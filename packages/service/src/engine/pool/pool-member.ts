import type { Child } from '../child-process.ts';
import { lowerPriority, processorMs } from '../limited-process.ts';
import { residentMb } from '../memory-watch.ts';
import type { Duty } from '../messages.ts';

/** A statement running in a child. */
export interface Run {
  /** The caller of the statement. */
  readonly caller: string;
  /** Start time, and the processor time that the child had used at the start; null while the child is starting. */
  since: { readonly ms: number; readonly processorMs: number | null } | null;
  timer: NodeJS.Timeout | undefined;
}

interface SliceOptions {
  readonly sliceMs: number;
  /** Called when the statement exceeds its slice. */
  readonly over: () => void;
}

/** Time that is not processor time, such as waiting for external rows, is divided by this number. */
const otherTime = 5;

/** A child of a pool that serves one tenant, with its running statements. */
export class PoolMember {
  readonly child: Child;
  readonly tenant: string;
  readonly duty: Duty;
  readonly startedMs = performance.now();
  /** The tenant that takes the child over; until then it accepts no statements. */
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

  /** Number of completed statements. */
  get served(): number {
    return this.#served;
  }

  /** True if the child has reduced priority, for long statements. */
  get isSlow(): boolean {
    return this.#isSlow;
  }

  get idleSinceMs(): number {
    return this.#idleSinceMs;
  }

  get isCompiled(): boolean {
    return this.duty.kind === 'compiled';
  }

  /** True if the child accepts further statements. */
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

  /** Starts to measure the cost of a statement. */
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
    const checkSlice = (): void => {
      const leftMs = sliceMs - this.#costOf(run);
      if (leftMs > 0) run.timer = setTimeout(checkSlice, Math.max(leftMs, 20)).unref();
      else over();
    };
    run.timer = setTimeout(checkSlice, sliceMs / 2).unref();
  }

  /** Ends a statement; returns its cost in ms. */
  leave(run: Run): number {
    clearTimeout(run.timer);
    const cost = this.#costOf(run);
    this.#runs.delete(run);
    this.#served += 1;
    return cost;
  }

  /** Returns the cost of a caller's running statements, in ms. */
  costOfCaller(caller: string): number {
    const ownRuns = [...this.#runs].filter((run) => run.caller === caller);
    return ownRuns.reduce((sum, run) => sum + this.#costOf(run), 0);
  }

  /** True if a running statement of a caller selected by `isOf` has cost at least `sliceMs`. */
  isOver(sliceMs: number, isOf: (caller: string) => boolean): boolean {
    return [...this.#runs].some((run) => isOf(run.caller) && this.#costOf(run) >= sliceMs);
  }

  /**
   * Returns the cost of a running statement, in ms. The processor time of a child cannot be attributed to single
   * statements, so it is divided equally among the running ones.
   */
  #costOf({ since }: Run): number {
    if (since === null) return 0;
    const ms = performance.now() - since.ms;
    const usedMs = processorMs(this.child.pid);
    if (usedMs === null || since.processorMs === null) return ms;
    const ownMs = (usedMs - since.processorMs) / Math.max(1, this.running);
    return Math.max(Math.min(ms, ownMs), ms / otherTime);
  }

  /** Retires the child if it occupies more than this much memory while idle. */
  retireAbove(heldMb: number): void {
    if (residentMb(this.child.pid) > heldMb) this.child.retire('memory_held');
  }

  /** Marks the child idle. Calls `onExpiry` if the child gets no statement within `idleMs`. */
  idle(idleMs: number, onExpiry: () => void): void {
    this.#idleSinceMs = performance.now();
    this.#idle = setTimeout(onExpiry, idleMs).unref();
  }

  stopIdling(): void {
    clearTimeout(this.#idle);
  }

  end(): void {
    this.stopIdling();
    this.child.kill();
  }
}

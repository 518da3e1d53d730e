/** A clock that other programs on the machine do not advance. */
export interface WorkClock {
  /** Milliseconds that have passed, or the processor time of this process in them if that is less. */
  passedMs(): number;
}

/** Starts a clock for what a service in this process makes its callers wait. */
export function startWorkClock(): WorkClock {
  const startedMs = performance.now();
  const used = process.cpuUsage();
  return {
    passedMs: () => {
      const { user, system } = process.cpuUsage(used);
      return Math.min(performance.now() - startedMs, (user + system) / 1000);
    },
  };
}

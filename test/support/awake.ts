/** How often is looked; a gap far above it is a process that was suspended: stopped by a signal, or with its whole machine. */
const lookMs = 200;
const gapMs = 1_500;

/** Time as this process lived it. */
export interface AwakeClock {
  /** Milliseconds since the clock was started, those left out in which the process was suspended. */
  passedMs(): number;
  /** True if the process was suspended since. */
  wasSuspended(): boolean;
  stop(): void;
}

/** Starts a clock that does not age while the process is suspended. It keeps no process from ending. */
export function awakeClock(onLook: (passedMs: number) => void = () => undefined): AwakeClock {
  let passed = 0;
  let seen = performance.now();
  let suspended = false;
  const look = (): number => {
    const now = performance.now();
    const gap = now - seen > gapMs;
    suspended ||= gap;
    passed += gap ? lookMs : now - seen;
    seen = now;
    return passed;
  };
  const timer = setInterval(() => onLook(look()), lookMs);
  timer.unref();
  const wasSuspended = (): boolean => {
    look();
    return suspended;
  };
  return { passedMs: look, wasSuspended, stop: () => clearInterval(timer) };
}

/** Returns a signal that aborts after this many milliseconds awake; `end` takes it back. */
export function awakeTimeout(limitMs: number): { readonly signal: AbortSignal; readonly end: () => void } {
  const controller = new AbortController();
  const clock = awakeClock((passedMs) => {
    if (passedMs < limitMs) return;
    clock.stop();
    controller.abort(new DOMException(`no answer after ${limitMs} ms`, 'TimeoutError'));
  });
  return { signal: controller.signal, end: () => clock.stop() };
}

/** Keeps calls away from a partner that keeps failing, and lets no more than a few wait for it at once. */
export interface Breaker {
  /** Whether a call may be made now; a call that may must be `ended`. */
  begin(): boolean;
  ended(well: boolean): void;
}

/**
 * After `failures` in a row no call is made for `restMs`; then one is tried. `now` gives milliseconds of a clock that never
 * goes back.
 */
export function createBreaker({
  failures,
  restMs,
  atOnce,
  now,
}: {
  failures: number;
  restMs: number;
  atOnce: number;
  now: () => number;
}): Breaker {
  const state = { inARow: 0, openUntilMs: 0, running: 0 };
  return {
    begin: () => {
      if (state.running >= atOnce || now() < state.openUntilMs) return false;
      if (state.inARow >= failures && state.running > 0) return false;
      state.running += 1;
      return true;
    },
    ended: (well) => {
      state.running -= 1;
      state.inARow = well ? 0 : state.inARow + 1;
      if (state.inARow >= failures) state.openUntilMs = now() + restMs;
    },
  };
}

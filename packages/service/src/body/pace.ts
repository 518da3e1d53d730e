/** A body in progress. */
export interface PacedBody {
  readonly came: (bytes: number) => void;
  /** Pauses the clock while the service is the slow side, not the sender. */
  readonly rest: (isResting: boolean) => void;
  readonly end: () => void;
}

/**
 * Aborts bodies that arrive too slowly. Node's own timeout does not suffice: it is the same for all routes, and also
 * runs while the service does not read.
 */
export interface Pace {
  /** Watches a body. Calls `late` once if the body arrives too slowly. */
  readonly watch: (late: () => void) => PacedBody;
  /** Returns the number of bodies in progress. */
  readonly count: () => number;
  readonly close: () => void;
}

export interface PaceOptions {
  readonly bytesPerS: number;
  /** How long a sender may pause, in seconds. */
  readonly stillS: number;
  readonly tickMs: number;
}

interface BodyPace {
  /** Number of received bytes beyond the required rate. */
  ahead: number;
  isResting: boolean;
  readonly late: () => void;
}

/**
 * Requires senders to sustain `bytesPerS`. Bytes sent faster than that count as credit for at most `stillS` seconds.
 */
export function createPace({ bytesPerS, stillS, tickMs }: PaceOptions): Pace {
  const watching = new Set<BodyPace>();
  const maxBytes = bytesPerS * stillS;
  const timer = setInterval(() => {
    for (const entry of watching) {
      if (entry.isResting) continue;
      entry.ahead -= (bytesPerS * tickMs) / 1000;
      if (entry.ahead >= 0) continue;
      watching.delete(entry);
      entry.late();
    }
  }, tickMs);
  timer.unref();
  return {
    watch: (late) => {
      const entry: BodyPace = { ahead: maxBytes, isResting: false, late };
      watching.add(entry);
      return {
        came: (bytes) => {
          entry.ahead = Math.min(maxBytes, entry.ahead + bytes);
        },
        rest: (isResting) => {
          entry.isResting = isResting;
        },
        end: () => void watching.delete(entry),
      };
    },
    count: () => watching.size,
    close: () => clearInterval(timer),
  };
}

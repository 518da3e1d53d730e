/** A body that is being read. */
export interface PacedBody {
  readonly came: (bytes: number) => void;
  /** Whether it waits for us rather than for its sender. */
  readonly rest: (isResting: boolean) => void;
  readonly end: () => void;
}

/** Ends bodies that come too slowly. Node's own limit knows no routes, and counts while we do not read. */
export interface Pace {
  /** Watches a body; `late` is called once where it is too slow. */
  readonly watch: (late: () => void) => PacedBody;
  /** Bodies being read. */
  readonly count: () => number;
  readonly close: () => void;
}

export interface PaceOptions {
  readonly bytesPerS: number;
  /** How long a sender may stand still. */
  readonly stillS: number;
  readonly tickMs: number;
}

interface BodyPace {
  /** Bytes that came beyond those that were due. */
  ahead: number;
  isResting: boolean;
  readonly late: () => void;
}

/** A sender keeps up `bytesPerS`; what it sent faster counts for `stillS` seconds at most. */
export function createPace({ bytesPerS, stillS, tickMs }: PaceOptions): Pace {
  const watching = new Set<BodyPace>();
  const most = bytesPerS * stillS;
  const timer = setInterval(() => {
    for (const one of watching) {
      if (one.isResting) continue;
      one.ahead -= (bytesPerS * tickMs) / 1000;
      if (one.ahead >= 0) continue;
      watching.delete(one);
      one.late();
    }
  }, tickMs);
  timer.unref();
  return {
    watch: (late) => {
      const one: BodyPace = { ahead: most, isResting: false, late };
      watching.add(one);
      return {
        came: (bytes) => {
          one.ahead = Math.min(most, one.ahead + bytes);
        },
        rest: (isResting) => {
          one.isResting = isResting;
        },
        end: () => void watching.delete(one),
      };
    },
    count: () => watching.size,
    close: () => clearInterval(timer),
  };
}

/** Resolves in the next iteration of the event loop, so that other requests run in between. */
export const nextRound = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Waits for a turn. Turns are given in order, with several iterations of the event loop between two turns. */
export type Turn = () => Promise<void>;

/**
 * Number of iterations between two turns. An idle iteration takes no time; a busy one leaves most of the time to
 * requests.
 */
const rounds = 8;

/**
 * Limits CPU-bound work that runs in steps of a few milliseconds, such as shaping a batch of rows. Requests run between
 * any two steps, however many answers are streamed at once.
 */
export function createTurns(): Turn {
  const waiters: (() => void)[] = [];
  let runs = false;
  const runNext = (remaining: number): void => {
    if (remaining > 0) {
      setImmediate(runNext, remaining - 1);
      return;
    }
    const waiter = waiters.shift();
    if (waiter === undefined) {
      runs = false;
      return;
    }
    waiter();
    setImmediate(runNext, rounds - 1);
  };
  return () =>
    new Promise((resolve) => {
      waiters.push(resolve);
      if (runs) return;
      runs = true;
      setImmediate(runNext, 0);
    });
}

/** Yields the chunks of a stream, each in a turn of its own. */
export async function* inTurns<Piece>(
  pieces: AsyncIterable<Piece>,
  turn: Turn,
): AsyncGenerator<Piece, void, undefined> {
  for await (const piece of pieces) {
    await turn();
    yield piece;
  }
}

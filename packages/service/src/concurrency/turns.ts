/** Resolves in the next iteration of the event loop, so that other requests are handled in between. */
export const nextRound = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Waits for a turn: one in some rounds of the event loop, in the order asked. */
export type Turn = () => Promise<void>;

/** Rounds from one turn to the next: a round without requests is over at once, and one with many leaves most of the time to them. */
const rounds = 8;

/**
 * Makes turns for work in pieces of a few milliseconds, such as shaping a batch of rows. However many answers stream at
 * once, every other request is looked at several times between two pieces.
 */
export function createTurns(): Turn {
  const waiting: (() => void)[] = [];
  let runs = false;
  const next = (left: number): void => {
    if (left > 0) {
      setImmediate(next, left - 1);
      return;
    }
    const go = waiting.shift();
    if (go === undefined) {
      runs = false;
      return;
    }
    go();
    setImmediate(next, rounds - 1);
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (runs) return;
      runs = true;
      setImmediate(next, 0);
    });
}

/** What a stream gives, each piece in a turn of its own. */
export async function* inTurns<Piece>(
  pieces: AsyncIterable<Piece>,
  turn: Turn,
): AsyncGenerator<Piece, void, undefined> {
  for await (const piece of pieces) {
    await turn();
    yield piece;
  }
}

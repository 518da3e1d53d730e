/** Waits for a turn: one a round of the event loop, in the order asked. */
export type Turn = () => Promise<void>;

/**
 * Makes turns for work in pieces of a few milliseconds, such as shaping a batch of rows. However many answers stream at
 * once, every other request is looked at between two pieces.
 */
export function createTurns(): Turn {
  const waiting: (() => void)[] = [];
  let runs = false;
  const next = (): void => {
    const go = waiting.shift();
    if (go === undefined) {
      runs = false;
      return;
    }
    go();
    setImmediate(next);
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (runs) return;
      runs = true;
      setImmediate(next);
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

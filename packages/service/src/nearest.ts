/** Letters to replace, swap with the next, add or drop to make one word of the other. */
function distance(from: string, to: string): number {
  let earlier: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const swapped =
        from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
          ? (earlier[column - 2] ?? Infinity) + 1
          : Infinity;
      current.push(Math.min(replaced, swapped, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    earlier = previous;
    previous = current;
  }
  return previous[to.length] ?? 0;
}

/**
 * The known word closest to a misspelt one, or undefined when none is close: at most a third of its letters may differ.
 * @example nearest('INLAY_PROT', ['INLAY_PORT', 'INLAY_HOST']) // 'INLAY_PORT'
 */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (word.length > 64) return undefined;
  let best: string | undefined;
  let fewest = Math.floor(word.length / 3) + 1;
  for (const candidate of known) {
    const edits = distance(word, candidate);
    if (edits < fewest) [best, fewest] = [candidate, edits];
  }
  return best;
}

import { folded } from '../../columns/name-words.ts';

/**
 * Returns a text as it is compared: without case, accents and punctuation, with one space between words. "São-Paulo!"
 * becomes "sao paulo".
 */
export const foldedText = (text: string): string =>
  folded(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Returns how many typos a text of this length may have: 1 from five letters on, 2 from nine on. */
export function typosAllowed(length: number): number {
  if (length < 5) return 0;
  return length < 9 ? 1 : 2;
}

/**
 * Returns the number of letters to insert, remove, replace or swap with their neighbours that turn one text into the
 * other; `most` + 1 if there are more than `most`.
 */
export function editDistance(left: string, right: string, most: number): number {
  if (Math.abs(left.length - right.length) > most) return most + 1;
  let earlier: readonly number[] = [];
  let previous: readonly number[] = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const isEqual = left[row - 1] === right[column - 1];
      const replaced = (previous[column - 1] ?? 0) + (isEqual ? 0 : 1);
      const isSwap = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      const swapped = isSwap ? (earlier[column - 2] ?? 0) + 1 : replaced;
      current.push(Math.min(replaced, swapped, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    if (Math.min(...current) > most && Math.min(...previous) > most) return most + 1;
    earlier = previous;
    previous = current;
  }
  return Math.min(previous[right.length] ?? 0, most + 1);
}

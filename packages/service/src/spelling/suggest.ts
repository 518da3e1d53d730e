import { nearest } from './nearest.ts';

/** `is not known; did you mean "name"?`, or the known words where none is near. */
export function unknownWord(word: string, known: readonly string[]): string {
  const near = word.length > 60 ? undefined : nearest(word, known);
  if (near !== undefined) return `is not known; did you mean "${near}"?`;
  return known.length === 0 ? 'is not known; none is' : `is not known; known are: ${known.join(', ')}`;
}

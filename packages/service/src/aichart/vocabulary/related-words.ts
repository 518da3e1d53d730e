import { readFileSync } from 'node:fs';

/** Vectors of words, such that words of one meaning are close to each other in all languages of questions. */
interface WordVectors {
  readonly rows: ReadonlyMap<string, number>;
  readonly dimensions: number;
  readonly values: Int8Array;
}

const headerBytes = 12;

/** Reads the table: three numbers (words, dimensions, bytes of all words), the words, and a vector of each. */
function readVectors(): WordVectors {
  const file = readFileSync(new URL('../../../word-vectors/word-vectors.bin', import.meta.url));
  const dimensions = file.readUInt32LE(4);
  const namesEnd = headerBytes + file.readUInt32LE(8);
  const words = file.toString('latin1', headerBytes, namesEnd).split('\n');
  const values = new Int8Array(file.buffer, file.byteOffset + namesEnd, words.length * dimensions);
  return { rows: new Map(words.map((word, row) => [word, row])), dimensions, values };
}

const cache: { vectors?: WordVectors } = {};
/** Returns the vectors, which are read when they are first needed. */
const vectors = (): WordVectors => (cache.vectors ??= readVectors());

/** Returns the cosine of the angle between two vectors, whose lengths are 127. */
function cosine({ dimensions, values }: WordVectors, left: number, right: number): number {
  let product = 0;
  for (let at = 0; at < dimensions; at += 1)
    product += (values[left * dimensions + at] ?? 0) * (values[right * dimensions + at] ?? 0);
  return product / (127 * 127);
}

const minPart = 3;
/** How much less a compound is related than its last part is, and than its first part is. */
const ofParts = { last: 0.95, first: 0.8 } as const;

/** The rows of a word with how far each stands for it: its own, or those of the parts of a compound. */
function rowsOf(table: WordVectors, word: string): readonly (readonly [row: number, share: number])[] {
  const own = table.rows.get(word);
  if (own !== undefined) return [[own, 1]];
  for (let at = minPart; at <= word.length - minPart; at += 1) {
    const last = table.rows.get(word.slice(at));
    if (last === undefined) continue;
    const first = table.rows.get(word.slice(0, at)) ?? table.rows.get(word.slice(0, at).replace(/e?s$/u, ''));
    if (first === undefined) continue;
    return [
      [last, ofParts.last],
      [first, ofParts.first],
    ];
  }
  return [];
}

/**
 * Returns how closely two words are related in meaning, from 0 to 1, whatever their languages. 0 if one of them is
 * unknown. Words are in lower case and without accents.
 */
export function relatedness(left: string, right: string): number {
  const table = vectors();
  const rights = rowsOf(table, right);
  if (rights.length === 0) return 0;
  let best = 0;
  for (const [row, share] of rowsOf(table, left))
    for (const [other, otherShare] of rights) best = Math.max(best, cosine(table, row, other) * share * otherShare);
  return best;
}

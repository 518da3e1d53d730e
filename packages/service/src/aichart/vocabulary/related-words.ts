import { readFileSync } from 'node:fs';
import { recent } from '../../store/recent.ts';
import { hasConcept } from './concepts.ts';

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
const ofParts = { last: 0.95, first: 0.85 } as const;

/** A row of the table, and how far it stands for a word. */
interface WordRow {
  readonly row: number;
  readonly share: number;
}

/** A part of a compound word, and how far it stands for the whole. */
export interface CompoundPart {
  readonly text: string;
  readonly share: number;
}

/** Ends of German nouns that are joined to a next one by an s, so that it does not belong to the next one. */
const joinedByS = /(?:heit|keit|ung|ion|schaft|tat|tum|ling)$/u;
/** A known word is a compound only if it and its parts are long. */
const [minKnownCompound, minKnownPart] = [9, 4];

/** True for a word that the table or a concept has. */
const isWord = (table: WordVectors, word: string): boolean => table.rows.has(word) || hasConcept(word);

/** "Art" is a kind in compounds such as `Zahlungsart`; as a word of its own it may be English. */
const kinds = 'arten';

/** Returns the parts of a compound such as `zahlungsart`, both of which are known words. */
function partsIn(table: WordVectors, word: string): readonly CompoundPart[] {
  const isKnown = table.rows.has(word);
  if (hasConcept(word) || (isKnown && word.length < minKnownCompound)) return [];
  const shortest = isKnown ? minKnownPart : minPart;
  for (let at = shortest; at <= word.length - shortest; at += 1) {
    const [start, last] = [word.slice(0, at), word.slice(at)];
    if (!isWord(table, last) || (last.startsWith('s') && joinedByS.test(start))) continue;
    const starts = [start, start.replace(/e?s$/u, '')];
    const first = starts.find((text) => table.rows.has(text)) ?? starts.find(hasConcept);
    if (first === undefined) continue;
    return [
      { text: last === 'art' ? kinds : last, share: ofParts.last },
      { text: first, share: ofParts.first },
    ];
  }
  return [];
}

/** Returns the rows of a word: its own, or those of the parts of a compound. */
function rowsOf(table: WordVectors, word: string): readonly WordRow[] {
  const own = table.rows.get(word);
  if (own !== undefined) return [{ row: own, share: 1 }];
  return compoundParts(word).flatMap(({ text, share }) => {
    const row = table.rows.get(text);
    return row === undefined ? [] : [{ row, share }];
  });
}

const maxRecent = 20_000;
const recentParts = recent<string, readonly CompoundPart[]>(maxRecent);
const recentRows = recent<string, readonly WordRow[]>(maxRecent);
const recentPairs = recent<string, number>(maxRecent);

const isSearchable = (word: string): boolean => /^[a-z]{3,30}$/u.test(word);

/** True for a word of one of the languages of questions, as far as they are known. */
export const isKnownWord = (word: string): boolean => isWord(vectors(), word);

/** Returns the parts of a compound word, the last one first; none if a part is unknown. */
export function compoundParts(word: string): readonly CompoundPart[] {
  const known = recentParts.get(word);
  if (known !== undefined) return known;
  const parts = isSearchable(word) ? partsIn(vectors(), word) : [];
  recentParts.set(word, parts);
  return parts;
}

function knownRows(word: string): readonly WordRow[] {
  const known = recentRows.get(word);
  if (known !== undefined) return known;
  const rows = isSearchable(word) ? rowsOf(vectors(), word) : [];
  recentRows.set(word, rows);
  return rows;
}

/**
 * Returns how closely two words are related in meaning, from 0 to 1, whatever their languages. 0 if one of them is
 * unknown. Words are in lower case and without accents.
 */
export function relatedness(left: string, right: string): number {
  const [lefts, rights] = [knownRows(left), knownRows(right)];
  if (lefts.length === 0 || rights.length === 0) return 0;
  const pair = `${left} ${right}`;
  const known = recentPairs.get(pair);
  if (known !== undefined) return known;
  const table = vectors();
  let best = 0;
  for (const { row, share } of lefts)
    for (const other of rights) best = Math.max(best, cosine(table, row, other.row) * share * other.share);
  recentPairs.set(pair, best);
  return best;
}

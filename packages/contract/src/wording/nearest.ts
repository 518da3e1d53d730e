/**
 * Returns the edit distance of two words, in which swapping two neighbouring characters is one edit. If the distance is
 * `limit` or more, returns `limit`: a body can name ten thousand unknown fields, so the computation stops early.
 */
function distance(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) >= limit) return limit;
  let earlierRow = new Uint16Array(to.length + 1);
  let previousRow = Uint16Array.from({ length: to.length + 1 }, (_, index) => index);
  let currentRow = new Uint16Array(to.length + 1);
  for (let row = 1; row <= from.length; row += 1) {
    currentRow[0] = row;
    let minEdits = row;
    for (let column = 1; column <= to.length; column += 1) {
      const replaceEdits = (previousRow[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const swapEdits = isSwap ? (earlierRow[column - 2] ?? 0) + 1 : replaceEdits;
      const edits = Math.min(
        replaceEdits,
        swapEdits,
        (previousRow[column] ?? 0) + 1,
        (currentRow[column - 1] ?? 0) + 1,
      );
      currentRow[column] = edits;
      if (edits < minEdits) minEdits = edits;
    }
    // To detect a transposition, the row before the previous one is needed.
    if (minEdits > limit) return limit;
    [earlierRow, previousRow, currentRow] = [previousRow, currentRow, earlierRow];
  }
  return Math.min(limit, previousRow[to.length] ?? 0);
}

/** Removes case and separators: `datasetId` equals `dataset_id`, and `=` equals `? = ?`. */
const bareForm = (word: string): string => word.toLowerCase().replaceAll(/[\s?_-]/gu, '');

/** By word of another API: its name in this API. */
const elsewhere: ReadonlyMap<string, string> = new Map([
  ['avg', 'average'],
  ['mean', 'average'],
  ['countdistinct', 'distinctcount'],
  ['stdev', 'stddev'],
]);

/** True if `candidate` begins with `word`, and at most a third of the candidate is missing at the end. */
const isStart = (word: string, candidate: string): boolean =>
  candidate.startsWith(word) && word.length * 3 >= candidate.length * 2;

/**
 * Returns the known word that is closest to a misspelt word; undefined if none is close. At most a third of the
 * characters may differ or be missing at the end. Case and separators do not count. Words of other APIs are translated.
 * @example nearest('INLAY_PROT', ['INLAY_PORT', 'INLAY_HOST']) // 'INLAY_PORT'
 */
export function nearest(word: string, knownWords: readonly string[]): string | undefined {
  if (word.length > 60) return undefined;
  const bareWord = bareForm(word);
  const sameWord = knownWords.includes(word) ? word : knownWords.find((candidate) => bareForm(candidate) === bareWord);
  if (sameWord !== undefined) return sameWord;
  const knownTranslation = elsewhere.get(bareWord);
  if (knownTranslation !== undefined && knownWords.includes(knownTranslation)) return knownTranslation;
  let best: string | undefined;
  let fewestEdits = Math.floor(word.length / 3) + 1;
  for (const candidate of knownWords) {
    const edits = distance(word, candidate, fewestEdits);
    if (edits < fewestEdits) [best, fewestEdits] = [candidate, edits];
  }
  return best ?? knownWords.find((candidate) => isStart(bareWord, bareForm(candidate)));
}

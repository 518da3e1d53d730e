/**
 * What a cell expects. A number is that status; `no` is a refusal whose status docs/specification/rights.md leaves open (400, 403 or 404);
 * `see` and `nil` are a search answered with and without the record; `hid` is `nil` or a 403; `-` is no cell.
 */
export const expectations = ['200', '400', '401', '403', '404', '503', 'no', 'see', 'nil', 'hid', '-'] as const;
export type Expectation = (typeof expectations)[number];

export interface GridRow {
  /** The words before the first `|`. */
  readonly head: readonly string[];
  readonly cells: readonly Expectation[];
  /** The last comment line above the row: where the row comes from. */
  readonly source: string;
}

function expectation(word: string): Expectation {
  const found = expectations.find((known) => known === word);
  if (found === undefined) throw new Error(`not an expectation: ${word}`);
  return found;
}

const wordsOf = (text: string): readonly string[] => text.split(' ').filter((word) => word !== '');

/** Reads a table drawn in text: `head words | cells | cells`, with `#` lines naming the source of the rows below them. */
export function parseGrid(text: string, headWords: number, width: number): readonly GridRow[] {
  const rows: GridRow[] = [];
  let source = '';
  for (const line of text.split('\n').map((raw) => raw.trim())) {
    if (line === '') continue;
    if (line.startsWith('#')) {
      source = line.slice(1).trim();
      continue;
    }
    const [first = '', ...rest] = line.split('|');
    const head = wordsOf(first);
    const cells = rest.flatMap(wordsOf).map(expectation);
    if (head.length !== headWords || cells.length !== width) throw new Error(`a broken row: ${line}`);
    rows.push({ head, cells, source });
  }
  return rows;
}

/** True if the expectation is that a call is turned down, so that it must leave no trace. */
export const refuses = (expected: Expectation): boolean =>
  expected === '503' ||
  expected === 'no' ||
  expected === '400' ||
  expected === '401' ||
  expected === '403' ||
  expected === '404';

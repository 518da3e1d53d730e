import { isSameCell, type Cell } from './cells.ts';

type Rows = readonly (readonly Cell[])[];

/** How strictly shown rows are held against the expected ones. */
export interface RowRules {
  /** Shares may be shown as percentages. */
  readonly percent: boolean;
  /** Further measures may stand beside the expected one. */
  readonly measures: boolean;
}

export interface ShownRows {
  readonly rows: Rows;
  /** The number of cells at the start of a row that are groups; the others are measures. */
  readonly groups: number;
}

/**
 * True if shown rows hold the expected ones, whatever the order of rows and columns. Shown groups that do not split
 * the expected rows may stand beside them. Rows without a group or a value are left out on both sides.
 */
export function isSameRows(expected: Rows, shown: ShownRows, { percent, measures }: RowRules): boolean {
  const wanted = expected.filter(isComplete);
  const width = expected[0]?.length ?? 0;
  const shownWidth = shown.rows[0]?.length ?? 0;
  if (expected.length === 0) return shown.rows.length === 0;
  return placements(width, shownWidth).some((places) => {
    const freeMeasures = Array.from({ length: shownWidth - shown.groups }, (_, index) => shown.groups + index).filter(
      (place) => !places.includes(place),
    );
    if (freeMeasures.length > 0 && !measures) return false;
    const found = shown.rows.map((row) => places.map((place) => row[place] ?? null)).filter(isComplete);
    return isSameBag(wanted, found) || (percent && isSameBag(wanted.map(timesHundred), found));
  });
}

const isComplete = (row: readonly Cell[]): boolean => row.every((cell) => cell !== null);

const timesHundred = (row: readonly Cell[]): readonly Cell[] => {
  const last = row.at(-1) ?? null;
  return typeof last === 'number' ? [...row.slice(0, -1), Number((last * 100).toPrecision(6))] : row;
};

/** Every way to give each of the expected columns a shown one of its own. */
function placements(expected: number, shown: number): readonly (readonly number[])[] {
  if (expected > shown) return [];
  let found: readonly (readonly number[])[] = [[]];
  for (let column = 0; column < expected; column += 1)
    found = found.flatMap((places) =>
      Array.from({ length: shown }, (_, place) => place)
        .filter((place) => !places.includes(place))
        .map((place) => [...places, place]),
    );
  return found;
}

/** True if two bags of rows hold the same, numbers within the last of six digits. */
export function isSameBag(expected: Rows, shown: Rows): boolean {
  if (expected.length !== shown.length) return false;
  const left = new Map<string, (readonly Cell[])[]>();
  for (const row of shown) left.set(keyOf(row), [...(left.get(keyOf(row)) ?? []), row]);
  const unmatched = expected.filter((row) => left.get(keyOf(row))?.pop() === undefined);
  if (unmatched.length === 0) return true;
  const rest = [...left.values()].flat();
  return unmatched.every((row) => {
    const at = rest.findIndex((other) => row.every((cell, index) => isSameCell(cell, other[index] ?? null)));
    if (at === -1) return false;
    rest.splice(at, 1);
    return true;
  });
}

const keyOf = (row: readonly Cell[]): string => JSON.stringify(row);

/**
 * True if shown rows hold both periods of a comparison: beside each other, below each other, or as a number with its
 * change. The last two columns of the expected rows are the values of the periods.
 */
export function isSameComparison(
  expected: Rows,
  shown: ShownRows & { readonly pair: readonly [number, number] | null },
  takesGrowth: boolean,
): boolean {
  const split = expected.map((row) => ({
    groups: row.slice(0, -2),
    now: row.at(-2) ?? null,
    before: row.at(-1) ?? null,
  }));
  if (isSameRows(expected, shown, { percent: false, measures: true })) return true;
  const values = (rows: Rows): Rows =>
    rows.flatMap((row) => row.slice(shown.groups).map((cell) => [cell])).filter(isComplete);
  const bothPeriods = split.flatMap(({ now, before }) => [[now], [before]]).filter(isComplete);
  // In long form, each period is a row of its own, with the period as a group.
  if (shown.groups > 0 && isSameBag(bothPeriods, values(shown.rows))) return true;
  const [only] = split;
  if (split.length === 1 && only !== undefined && shown.pair !== null)
    return isSameCell(only.now, shown.pair[0]) && isSameCell(only.before, shown.pair[1]);
  if (!takesGrowth) return false;
  const growth = split.flatMap(({ groups, now, before }) =>
    typeof now === 'number' && typeof before === 'number' && before !== 0
      ? [[...groups, Number((now / before - 1).toPrecision(6))]]
      : [],
  );
  const difference = split.flatMap(({ groups, now, before }) =>
    typeof now === 'number' && typeof before === 'number' ? [[...groups, Number((now - before).toPrecision(6))]] : [],
  );
  const rules = { percent: true, measures: true };
  return [growth, difference].some((rows) => rows.length > 0 && isSameRows(rows, shown, rules));
}

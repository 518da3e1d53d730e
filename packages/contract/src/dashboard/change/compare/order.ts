/** Returns the indexes of a longest increasing run in a list of different numbers; the numbers between are left out. */
function longestRun(numbers: readonly number[]): readonly number[] {
  const previous: number[] = [];
  /** By length: the index at which a run of that length ends with the smallest number. */
  const ends: number[] = [];
  for (const [index, number] of numbers.entries()) {
    const length = ends.findIndex((end) => (numbers[end] ?? 0) > number);
    const at = length === -1 ? ends.length : length;
    previous.push(ends[at - 1] ?? -1);
    ends[at] = index;
  }
  const run: number[] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = previous[index] ?? -1) run.push(index);
  return run.toReversed();
}

/** Returns the ids in both lists that need not be moved to bring them from one order to the other: as many as possible. */
export function stayingIds(before: readonly string[], after: readonly string[]): ReadonlySet<string> {
  const positions = new Map(before.map((id, index) => [id, index]));
  const sharedIds = after.filter((id) => positions.has(id));
  const run = longestRun(sharedIds.map((id) => positions.get(id) ?? 0));
  return new Set(run.map((index) => sharedIds[index] ?? ''));
}

/** An order of ids, and those that were put there; the other ids have the order of the base. */
export interface Arrangement {
  readonly ids: readonly string[];
  readonly placedIds: ReadonlySet<string>;
}

/** Returns the placed ids behind each id that both sides leave where it is; `null` for those at the start. */
function runsBehind({ ids, placedIds }: Arrangement, anchors: ReadonlySet<string>): Map<string | null, string[]> {
  const runs = new Map<string | null, string[]>();
  let anchor: string | null = null;
  for (const id of ids) {
    if (anchors.has(id)) anchor = id;
    else if (placedIds.has(id)) runs.set(anchor, [...(runs.get(anchor) ?? []), id]);
  }
  return runs;
}

/**
 * Merges two orders of one list. `baseIds` are the ids of the base that both sides still have. What each side placed stays
 * behind the same unmoved id, in the order of that side; which side comes first does not depend on the order of the arguments. What both placed in one run is there once.
 */
export function mergedOrder(baseIds: readonly string[], left: Arrangement, right: Arrangement): readonly string[] {
  const anchors = baseIds.filter((id) => !left.placedIds.has(id) && !right.placedIds.has(id));
  const [leftRuns, rightRuns] = [left, right].map((side) => runsBehind(side, new Set(anchors)));
  return [null, ...anchors].flatMap((anchor) => {
    const runs = [leftRuns?.get(anchor) ?? [], rightRuns?.get(anchor) ?? []];
    const texts = new Map(runs.map((run) => [JSON.stringify(run), run]));
    const inOrder = [...new Set([...texts.keys()].toSorted().flatMap((text) => texts.get(text) ?? []))];
    return anchor === null ? inOrder : [anchor, ...inOrder];
  });
}

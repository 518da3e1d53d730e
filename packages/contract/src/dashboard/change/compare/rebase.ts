import { JsonText } from '../../model/json-text.ts';
import type { DashboardModel } from '../../model/model.ts';
import { apply } from '../apply.ts';
import { compare, placingOperation, type Comparison, type Edit, type ListDifference } from './comparison.ts';
import { footprintsOf, touch } from './footprint.ts';
import type { Change, Operation } from '../operation.ts';
import { mergedOrder } from './order.ts';

/** One of our operations, and those of theirs that change the same thing. Addresses are those in the base. */
export interface Conflict {
  readonly ours: Operation;
  readonly theirs: readonly Operation[];
}

/** Our change, rewritten to apply on top of theirs, and our operations that were left out because they conflict. */
export interface RebasedChange {
  readonly change: Change;
  readonly conflicts: readonly Conflict[];
}

/** An edit of members, or the insertion, move or removal of one part. A rebase keeps or rejects it as a whole. */
type Unit =
  | { readonly operation: Edit; readonly list: null }
  | { readonly operation: Operation; readonly list: ListDifference; readonly id: string; readonly run: Run };

/**
 * The ids from the last part that stayed in place to a part that was placed. If both sides have the same run, they put the
 * part in the same place.
 */
type Run = readonly string[];

function runsOf({ afterIds, placed }: ListDifference): ReadonlyMap<string, Run> {
  let run: Run = [];
  return new Map(
    afterIds.map((id) => {
      run = placed.has(id) ? [...run, id] : [id];
      return [id, run];
    }),
  );
}

const unitsOf = ({ edits, lists }: Comparison): readonly Unit[] => [
  ...edits.map((operation): Unit => ({ operation, list: null })),
  ...lists.flatMap((list) => {
    const runs = runsOf(list);
    return [
      ...[...list.removed].map(([id, part]): Unit => ({ operation: { kind: 'remove', part }, list, id, run: [] })),
      ...[...list.placed].map(([id, placement]): Unit => ({
        operation: placingOperation(list, list.afterIds, id, placement),
        list,
        id,
        run: runs.get(id) ?? [],
      })),
    ];
  }),
];

const meaning = (text: string): string => JsonText.read(text).meaning([]);

/** Returns a text that is the same for units with the same effect. */
function effectOf(unit: Unit): string {
  const { operation } = unit;
  const run = unit.list === null ? [] : unit.run;
  switch (operation.kind) {
    case 'set':
      return JSON.stringify(['set', operation.part, operation.path, meaning(operation.text)]);
    case 'unset':
      return JSON.stringify(['unset', operation.part, operation.path]);
    case 'insert':
      return JSON.stringify(['insert', operation.parent, operation.list, run, meaning(operation.text)]);
    case 'remove':
      return JSON.stringify(['remove', operation.part]);
    case 'move':
      return JSON.stringify(['move', operation.part, operation.parent, operation.list, run]);
  }
}

/** Returns the units of our side that are new to their side, those that both have, and those that touch theirs. */
function divide(
  ours: readonly Unit[],
  theirs: readonly Unit[],
): { kept: readonly Unit[]; agreed: readonly Unit[]; conflicts: readonly Conflict[] } {
  const theirEffects = new Set(theirs.map(effectOf));
  const theirFootprints = theirs.map((unit) => ({
    unit,
    prints: footprintsOf(unit.operation, unit.list === null ? '' : unit.id),
  }));
  const sorted = ours
    .filter((unit) => !theirEffects.has(effectOf(unit)))
    .map((unit) => {
      const prints = footprintsOf(unit.operation, unit.list === null ? '' : unit.id);
      const touched = theirFootprints.filter((other) =>
        prints.some((print) => other.prints.some((otherPrint) => touch(print, otherPrint))),
      );
      return { unit, theirs: touched.map((other) => other.unit.operation) };
    });
  return {
    agreed: ours.filter((unit) => theirEffects.has(effectOf(unit))),
    kept: sorted.flatMap(({ unit, theirs: touched }) => (touched.length === 0 ? [unit] : [])),
    conflicts: sorted.flatMap(({ unit, theirs: touched }) =>
      touched.length === 0 ? [] : [{ ours: unit.operation, theirs: touched }],
    ),
  };
}

/** Returns a function from addresses in the base to those after a comparison. Only moves to another list change them. */
function followed({ lists }: Comparison): (address: string) => string {
  const newAddresses = lists.flatMap(({ parent, placed }) =>
    [...placed.values()].flatMap((placement) => {
      if (placement.kind === 'insert' || parent === '') return [];
      const to = `${parent}/${placement.part.slice(placement.part.lastIndexOf('/') + 1)}`;
      return to === placement.part ? [] : [{ from: placement.part, to }];
    }),
  );
  return (address) => {
    const moved = newAddresses.find(({ from }) => address === from || address.startsWith(`${from}/`));
    return moved === undefined ? address : moved.to + address.slice(moved.from.length);
  };
}

const listKey = ({ parent, list }: ListDifference): string => `${parent} ${list}`;

/** A list that both sides change: the changes of ours that do not conflict, and all of theirs. */
interface ListMerge {
  readonly ours: ListDifference;
  readonly theirs: ListDifference | undefined;
  readonly keptIds: ReadonlySet<string>;
  /** Ids of the parts that both sides changed in the same way. */
  readonly agreedIds: ReadonlySet<string>;
  /** Addresses of the parts whose move by us is kept. */
  readonly keptMoves: ReadonlySet<string>;
  readonly follow: (address: string) => string;
}

/** Returns the operations that apply our kept changes of a list on top of their changes. */
function listOperations({ ours, theirs, keptIds, agreedIds, keptMoves, follow }: ListMerge): readonly Operation[] {
  const removed = [...ours.removed].filter(([id]) => keptIds.has(id));
  const movedOut = [...ours.movedOut].filter(([, part]) => keptMoves.has(part));
  const placedIds = new Set([...ours.placed.keys()].filter((id) => keptIds.has(id) || agreedIds.has(id)));
  const goneIds = new Set([
    ...[...removed, ...movedOut].map(([id]) => id),
    ...(theirs?.removed.keys() ?? []),
    ...(theirs?.movedOut.keys() ?? []),
  ]);
  const order = mergedOrder(
    ours.beforeIds.filter((id) => !goneIds.has(id)),
    { ids: ours.afterIds, placedIds },
    { ids: theirs?.afterIds ?? ours.beforeIds, placedIds: new Set(theirs?.placed.keys()) },
  );
  const placingOperations = order.flatMap((id) => {
    const placement = ours.placed.get(id);
    if (placement === undefined || !keptIds.has(id)) return [];
    const placementNow = placement.kind === 'insert' ? placement : { ...placement, part: follow(placement.part) };
    return [placingOperation({ parent: follow(ours.parent), list: ours.list }, order, id, placementNow)];
  });
  return [...removed.map(([, part]): Operation => ({ kind: 'remove', part: follow(part) })), ...placingOperations];
}

/**
 * Rewrites our change to apply on top of their change of the same base. Operations that both sides made are left out.
 * Conflicts are left out too and listed in `conflicts`: both sides changed the same member, one changed something inside
 * a part that the other replaced or removed, or both moved the same part. Without conflicts, the result is the same
 * whichever side is rebased. Raises ChangeError if one of the changes does not apply to the base.
 */
export function rebase(base: DashboardModel, ourChange: Change, theirChange: Change): RebasedChange {
  const [ourComparison, theirComparison] = [
    compare(base, apply(base, ourChange)),
    compare(base, apply(base, theirChange)),
  ];
  const { kept, agreed, conflicts } = divide(unitsOf(ourComparison), unitsOf(theirComparison));
  const follow = followed(theirComparison);
  const theirLists = new Map(theirComparison.lists.map((list) => [listKey(list), list]));
  const keptMoves = new Set(kept.flatMap(({ operation }) => (operation.kind === 'move' ? [operation.part] : [])));
  const edits = kept.flatMap(({ operation, list }) =>
    list === null ? [{ ...operation, part: follow(operation.part) }] : [],
  );
  const arrangements = ourComparison.lists.flatMap((list) => {
    const idsOf = (units: readonly Unit[]): ReadonlySet<string> =>
      new Set(units.flatMap((unit) => (unit.list === list ? [unit.id] : [])));
    const [keptIds, agreedIds] = [idsOf(kept), idsOf(agreed)];
    const theirs = theirLists.get(listKey(list));
    return listOperations({ ours: list, theirs, keptIds, agreedIds, keptMoves, follow });
  });
  return { change: [...edits, ...arrangements], conflicts };
}

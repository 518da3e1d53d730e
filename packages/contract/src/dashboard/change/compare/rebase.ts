import { JsonText } from '../../model/json-text.ts';
import type { DashboardModel } from '../../model/model.ts';
import { apply } from '../apply.ts';
import { compare, placingOperation, type Comparison, type Edit, type ListDifference } from './comparison.ts';
import { footprintsOf, touch } from './footprint.ts';
import type { Change, Operation } from '../operation.ts';
import { mergedOrder } from './order.ts';

/** An operation that changes the same thing as operations of the other side. The addresses are those of the base. */
export interface Conflict {
  readonly ours: Operation;
  readonly theirs: readonly Operation[];
}

/** A change that applies after another one, and what is not in it because both changed it. */
export interface RebasedChange {
  readonly change: Change;
  readonly conflicts: readonly Conflict[];
}

/** An edit, or what happens to one part in a list, and the operation that it is. */
type Unit =
  | { readonly operation: Edit; readonly list: null; readonly id: '' }
  | { readonly operation: Operation; readonly list: ListDifference; readonly id: string };

const unitsOf = ({ edits, lists }: Comparison): readonly Unit[] => [
  ...edits.map((operation): Unit => ({ operation, list: null, id: '' })),
  ...lists.flatMap((list) => [
    ...[...list.removed].map(([id, part]): Unit => ({ operation: { kind: 'remove', part }, list, id })),
    ...[...list.placed].map(([id, placement]): Unit => ({
      operation: placingOperation(list, list.afterIds, id, placement),
      list,
      id,
    })),
  ]),
];

const meaning = (text: string): string => JsonText.read(text).meaning([]);

/** Returns a text that is the same for units with the same effect. */
function effectOf({ operation, id }: Unit): string {
  switch (operation.kind) {
    case 'set':
      return JSON.stringify(['set', operation.part, operation.path, meaning(operation.text)]);
    case 'unset':
      return JSON.stringify(['unset', operation.part, operation.path]);
    case 'insert':
      return JSON.stringify(['insert', operation.parent, operation.list, id, meaning(operation.text)]);
    case 'remove':
      return JSON.stringify(['remove', operation.part]);
    case 'move':
      return JSON.stringify(['move', operation.part, operation.parent, operation.list, operation.after]);
  }
}

/** The units of our side that are new to their side, and those that touch theirs. */
function sort(
  ours: readonly Unit[],
  theirs: readonly Unit[],
): { kept: readonly Unit[]; conflicts: readonly Conflict[] } {
  const theirEffects = new Set(theirs.map(effectOf));
  const theirFootprints = theirs.map((unit) => ({ unit, prints: footprintsOf(unit.operation, unit.id) }));
  const sorted = ours
    .filter((unit) => !theirEffects.has(effectOf(unit)))
    .map((unit) => {
      const prints = footprintsOf(unit.operation, unit.id);
      const touched = theirFootprints.filter((other) =>
        prints.some((print) => other.prints.some((otherPrint) => touch(print, otherPrint))),
      );
      return { unit, theirs: touched.map((other) => other.unit.operation) };
    });
  return {
    kept: sorted.flatMap(({ unit, theirs: touched }) => (touched.length === 0 ? [unit] : [])),
    conflicts: sorted.flatMap(({ unit, theirs: touched }) =>
      touched.length === 0 ? [] : [{ ours: unit.operation, theirs: touched }],
    ),
  };
}

/** Returns a function from addresses in the base to those after the moves of a comparison. */
function followed({ lists }: Comparison): (address: string) => string {
  const moves = lists.flatMap(({ parent, placed }) =>
    [...placed.values()].flatMap((placement) => {
      if (placement.kind === 'insert') return [];
      const newAddress = `${parent}/${placement.part.slice(placement.part.lastIndexOf('/') + 1)}`;
      return [{ from: placement.part, to: parent === '' ? placement.part : newAddress }];
    }),
  );
  return (address) => {
    const move = moves.find(({ from }) => address === from || address.startsWith(`${from}/`));
    return move === undefined ? address : move.to + address.slice(move.from.length);
  };
}

const listKey = ({ parent, list }: ListDifference): string => `${parent} ${list}`;

/**
 * Returns a change so that it applies after another change of the same base. What both did alike is left out. What
 * touches is in `conflicts` and not in the change: the same member, a part and something in it, a part that was removed
 * or moved on both sides. Two changes without conflicts give the same contents, whichever is rebased. Raises ChangeError
 * if one of them does not apply to the base.
 */
export function rebase(base: DashboardModel, ours: Change, theirs: Change): RebasedChange {
  const [ourComparison, theirComparison] = [compare(base, apply(base, ours)), compare(base, apply(base, theirs))];
  const { kept, conflicts } = sort(unitsOf(ourComparison), unitsOf(theirComparison));
  const follow = followed(theirComparison);
  const theirLists = new Map(theirComparison.lists.map((list) => [listKey(list), list]));
  const keptMoves = new Set(kept.flatMap(({ operation }) => (operation.kind === 'move' ? [operation.part] : [])));

  const edits = kept.flatMap(({ operation, list }): Operation[] =>
    list === null ? [{ ...operation, part: follow(operation.part) }] : [],
  );
  const listOperations = ourComparison.lists.flatMap((list): readonly Operation[] => {
    const keptIds = new Set(kept.flatMap((unit) => (unit.list === list ? [unit.id] : [])));
    if (keptIds.size === 0) return [];
    const removed = [...list.removed].filter(([id]) => keptIds.has(id));
    const placed = [...list.placed].filter(([id]) => keptIds.has(id));
    const movedOut = [...list.movedOut].filter(([, part]) => keptMoves.has(part));
    const theirList = theirLists.get(listKey(list));
    const goneIds = new Set([
      ...[...removed, ...movedOut].map(([id]) => id),
      ...(theirList?.removed.keys() ?? []),
      ...(theirList?.movedOut.keys() ?? []),
    ]);
    const order = mergedOrder(
      list.beforeIds.filter((id) => !goneIds.has(id)),
      { ids: list.afterIds, placedIds: new Set(placed.map(([id]) => id)) },
      { ids: theirList?.afterIds ?? list.beforeIds, placedIds: new Set(theirList?.placed.keys()) },
    );
    const placedOperations = order.flatMap((id) => {
      const placement = list.placed.get(id);
      if (placement === undefined || !keptIds.has(id)) return [];
      const followedPlacement =
        placement.kind === 'insert' ? placement : { ...placement, part: follow(placement.part) };
      return [placingOperation({ parent: follow(list.parent), list: list.list }, order, id, followedPlacement)];
    });
    return [...removed.map(([, part]): Operation => ({ kind: 'remove', part: follow(part) })), ...placedOperations];
  });
  return { change: [...edits, ...listOperations], conflicts };
}

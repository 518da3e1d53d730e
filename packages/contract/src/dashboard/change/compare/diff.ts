import type { DashboardModel } from '../../model/model.ts';
import { compare, placingOperation } from './comparison.ts';
import type { Change, Operation } from '../operation.ts';

/**
 * Returns the change from one model to another: few operations, as a person would name them. White space, the order of
 * members and escapes are no differences; digits of numbers are. A part without an id counts as another one once what
 * its id derives from has changed (`DashboardModel.withIds` writes ids before an edit).
 */
export function diff(before: DashboardModel, after: DashboardModel): Change {
  const { edits, lists } = compare(before, after);
  return [
    ...edits,
    ...lists.flatMap((list): readonly Operation[] => [
      ...[...list.removed.values()].map((part): Operation => ({ kind: 'remove', part })),
      ...[...list.placed].map(([id, placement]) => placingOperation(list, list.afterIds, id, placement)),
    ]),
  ];
}

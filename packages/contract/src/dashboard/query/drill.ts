import { isObject, member, type Json, type JsonObject } from '../../json.ts';
import type { Item } from '../../item/item.ts';
import { onlyOf, readFilter, writeCondition, type Filter, type FilterSet } from '../filters/filter.ts';

/**
 * A drill step: the column, the level that it is drilled to, and the member of the level above that the viewer
 * selected.
 */
export interface Step {
  readonly columnId: string;
  readonly level: number;
  readonly filter: Filter;
  readonly text: string;
}

/** Returns an item with each column at the level to which it was drilled. */
export function drilled(item: Item, steps: readonly Step[]): Item {
  if (steps.length === 0) return item;
  const levels = new Map(steps.map(({ columnId, level }) => [columnId, level]));
  return {
    ...item,
    slots: item.slots.map(({ name, content }) => ({
      name,
      content: content.map((entry) => {
        const level = entry.columnId === null ? undefined : levels.get(entry.columnId);
        return level === undefined ? entry : { ...entry, level };
      }),
    })),
  };
}

/** Returns the filters that the drill steps of an item set. */
export const stepSets = (itemId: string, steps: readonly Step[]): readonly FilterSet[] =>
  steps.length === 0 ? [] : [{ origin: onlyOf(itemId), conditions: steps.map(({ filter }) => filter) }];

/** Writes drill steps for an export request, in the order in which they were taken. */
export const writeSteps = (steps: ReadonlyMap<string, readonly Step[]>): readonly JsonObject[] =>
  [...steps].flatMap(([itemId, takenSteps]) =>
    takenSteps.map(({ columnId, level, filter, text }) => ({
      item_id: itemId,
      column_id: columnId,
      level,
      text,
      filter: writeCondition(filter),
    })),
  );

/** Reads the drill steps of an item as `writeSteps` writes them. Skips malformed steps. */
export const readSteps = (steps: readonly Json[], itemId: string): readonly Step[] =>
  steps.flatMap((step) => {
    if (!isObject(step) || member(step, 'item_id') !== itemId) return [];
    const [columnId, level, text] = ['column_id', 'level', 'text'].map((name) => member(step, name));
    const filter = readFilter(member(step, 'filter') ?? null);
    return typeof columnId === 'string' && typeof level === 'number' && filter !== null
      ? [{ columnId, level, filter, text: typeof text === 'string' ? text : '' }]
      : [];
  });

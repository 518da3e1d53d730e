import { isObject, member, type Json, type JsonObject } from '../../json.ts';
import type { Item } from '../../item/item.ts';
import { onlyOf, readFilter, writeCondition, type Filter, type FilterSet } from '../filters/filter.ts';

/** A drill step: the column, its current level, and the member selected above. */
export interface Step {
  readonly columnId: string;
  readonly level: number;
  readonly filter: Filter;
  readonly text: string;
}

/** Returns the item with every column at the level it was drilled to. */
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

/** Returns the filters of an item's drill steps. */
export const stepSets = (itemId: string, steps: readonly Step[]): readonly FilterSet[] =>
  steps.length === 0 ? [] : [{ origin: onlyOf(itemId), conditions: steps.map(({ filter }) => filter) }];

/** Drill steps for an export request, in order. */
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

/** Reads the output of `writeSteps`; skips malformed steps. */
export const readSteps = (steps: readonly Json[], itemId: string): readonly Step[] =>
  steps.flatMap((step) => {
    if (!isObject(step) || member(step, 'item_id') !== itemId) return [];
    const [columnId, level, text] = ['column_id', 'level', 'text'].map((name) => member(step, name));
    const filter = readFilter(member(step, 'filter') ?? null);
    return typeof columnId === 'string' && typeof level === 'number' && filter !== null
      ? [{ columnId, level, filter, text: typeof text === 'string' ? text : '' }]
      : [];
  });

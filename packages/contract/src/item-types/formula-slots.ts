import type { SlotRule } from './declare/slot.ts';
import { ownSlotParts, slotParts } from './tables/query-tables.ts';

/** True if a slot of an item type takes formulas: they are numbers that are aggregated, never members to group by. */
export const takesFormula = (type: string, { name, takes }: SlotRule): boolean =>
  (takes === 'measure' || takes === 'either') &&
  (ownSlotParts[`${type} ${name}`] ?? slotParts[name] ?? 'dimension') !== 'dimension';

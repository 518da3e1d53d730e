import { declarationOf, slotsOf, type ChartFamily, type DataItemType, type SlotRole } from '@inlay/contract';

/** Returns the family of a chart type; null for filters. */
export function familyOf(type: DataItemType): ChartFamily | null {
  const declaration = declarationOf(type);
  return declaration.kind === 'chart' ? declaration.family : null;
}

export const hasRole = (type: DataItemType, role: SlotRole): boolean =>
  slotsOf(type).some((slot) => slot.role === role);

/** Returns the maximum number of quantities of a figure or gauge: its measure and its target. */
export const quantityCount = (type: DataItemType): number => (hasRole(type, 'target') ? 2 : 1);

/** True if a type shows a single quantity, optionally with a time. */
export const isSingleNumber = (type: DataItemType): boolean => familyOf(type) === 'figure' && quantityCount(type) === 1;

import { declarationOf, slotsOf, type ChartFamily, type DataItemType, type SlotRole } from '@inlay/contract';

/** Returns the family of a chart type; null for item types that are not charts. */
export function familyOf(type: DataItemType): ChartFamily | null {
  const declaration = declarationOf(type);
  return declaration.kind === 'chart' ? declaration.family : null;
}

export const hasRole = (type: DataItemType, role: SlotRole): boolean =>
  slotsOf(type).some((slot) => slot.role === role);

/**
 * Returns the maximum number of quantities of a figure or gauge: 2 if it can show a target beside its measure,
 * otherwise 1.
 */
export const quantityCount = (type: DataItemType): number => (hasRole(type, 'target') ? 2 : 1);

/** True if a type shows a single number, perhaps over time. */
export const isSingleNumber = (type: DataItemType): boolean => familyOf(type) === 'figure' && quantityCount(type) === 1;

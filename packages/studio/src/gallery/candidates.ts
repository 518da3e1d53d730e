import { dataItemTypes, listOr, objectOr, type DataItemType, type JsonObject, type SlotRule } from '@inlay/contract';
import { DashboardModel } from '@inlay/contract/change';
import { slotRules, switchedSlots, type ColumnType } from '../edit/changes/slots.ts';

/** A type that an item could have. */
export interface Candidate {
  readonly type: DataItemType;
  /** The item with this type. */
  readonly item: JsonObject;
  /** The first slot that its entries leave empty although the type needs it; null if nothing is missing. */
  readonly missing: SlotRule | null;
}

/** Returns the types that an item could have, with its entries in their slots. */
export const candidatesFor = (item: JsonObject, typeOf: ColumnType): readonly Candidate[] =>
  dataItemTypes.map((type) => {
    const { slots } = switchedSlots(item, type, typeOf);
    const isFilled = ({ name }: SlotRule): boolean =>
      slots.some((slot) => slot['name'] === name && listOr(slot['content']).length > 0);
    const missing = slotRules(type).find((rule) => rule.required && !isFilled(rule)) ?? null;
    return { type, item: { ...item, type, slots }, missing };
  });

/** Returns contents of one view that shows every candidate, so that the service fills in all of them at once. */
export function contentsWith(model: DashboardModel, candidates: readonly Candidate[]): DashboardModel {
  const items = candidates.map(({ type, item }, index) => ({
    ...item,
    id: type,
    position: { col: 0, row: index * 8, sizeX: 24, sizeY: 8 },
  }));
  const contents = {
    ...objectOr(model.contents),
    views: [{ screenModus: 'desktop', options: {}, filterGroups: [], items }],
  };
  return DashboardModel.read(JSON.stringify(contents));
}

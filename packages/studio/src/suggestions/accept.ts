import { listOr, objectOr, textOr, type JsonObject, type ScreenMode } from '@inlay/contract';
import { setMember, type Change, type DashboardModel } from '@inlay/contract/change';
import { sizeOf, slotsReplacement } from '../edit/changes/slots.ts';
import { itemParts, newItem, sourceOf } from '../edit/changes/view-items.ts';

/** Returns the change that adds a chart below the items of a view. */
export function chartAddition(model: DashboardModel, mode: ScreenMode, chart: JsonObject, id: string): Change {
  const type = textOr(chart['type'], '');
  const positions = (sourceOf(model, mode)?.parts ?? []).map(({ value }) => objectOr(value['position']));
  const bottom = Math.max(0, ...positions.map(({ row, sizeY }) => Number(row ?? 0) + Number(sizeY ?? 0)));
  return newItem(model, mode, { ...chart, id, type, position: { col: 0, row: bottom, ...sizeOf(type) } });
}

/**
 * Returns the change that makes an item show a chart, in all views if the views are in step. The item keeps its place,
 * and the options and filters that the chart says nothing of.
 */
export const chartReplacement = (model: DashboardModel, mode: ScreenMode, id: string, chart: JsonObject): Change =>
  itemParts(model, mode, id).flatMap((part): Change => {
    const { options, filters } = part.value;
    const further = listOr(chart['filters']);
    return [
      setMember(part.address, ['type'], chart['type'] ?? null),
      ...(chart['title'] === undefined ? [] : [setMember(part.address, ['title'], chart['title'])]),
      setMember(part.address, ['options'], { ...objectOr(options), ...objectOr(chart['options']) }),
      ...(further.length === 0 ? [] : [setMember(part.address, ['filters'], [...listOr(filters), ...further])]),
      ...slotsReplacement(part, listOr(chart['slots']).map(objectOr)),
    ];
  });

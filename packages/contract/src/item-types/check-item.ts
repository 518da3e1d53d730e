import { isUuid } from '../id.ts';
import { filledText, isList, isObject, member, type Json, type JsonObject } from '../json.ts';
import type { Fault } from '../theme/check-theme.ts';
import { isDataItemType, slotsOf, type SlotRule, type SlotTakes } from './index.ts';

/** Returns the type of a column; undefined if the item may not use the column. */
export type ColumnTypes = (datasetId: string, columnId: string) => string | undefined;

const fits: Readonly<Record<SlotTakes, (type: string, entry: JsonObject) => boolean>> = {
  measure: (type, entry) => type === 'numeric' || isCount(member(entry, 'aggregationFunc')),
  category: (type, entry) => type !== 'numeric' || isBinned(entry),
  either: () => true,
  datetime: (type) => type === 'datetime',
  range: (type) => type === 'numeric' || type === 'datetime',
};
const isCount = (how: Json | undefined): boolean => how === 'count' || how === 'distinctcount';
const isBinned = (entry: JsonObject): boolean => {
  const bins = member(entry, 'bins');
  return isObject(bins) && member(bins, 'enabled') === true;
};

/** True if a slot accepts a column of a type with the options of its entry. specification/dashboards#slots */
export const fitsSlot = (rule: SlotRule, type: string, entry: JsonObject): boolean => fits[rule.takes](type, entry);

function checkEntry(rule: SlotRule, entry: Json, types: ColumnTypes, at: string, fault: Fault): void {
  if (!isObject(entry)) return fault(at, 'must be an object');
  if (['formula', 'formulaId'].some((name) => filledText(member(entry, name)) !== null)) {
    if (!fitsSlot(rule, 'numeric', entry)) fault(at, `does not fit in the slot "${rule.name}"`);
    return;
  }
  const columnId = member(entry, 'columnId');
  const datasetId = member(entry, 'datasetId');
  if (typeof columnId !== 'string' || typeof datasetId !== 'string' || !isUuid(columnId) || !isUuid(datasetId)) {
    return fault(at, 'must name a column and its dataset');
  }
  const type = types(datasetId, columnId);
  if (type === undefined) return fault(at, 'names no column of the dataset');
  if (!fitsSlot(rule, type, entry)) fault(at, `does not fit in the slot "${rule.name}"`);
}

/**
 * Checks a chart or filter of a dashboard against the slots of its type and the available columns. Reports each fault
 * by `fault`. An item must have all slots of its type, each with an allowed number of columns.
 */
export function checkItem(item: JsonObject, types: ColumnTypes, at: string, fault: Fault): void {
  const type = member(item, 'type');
  if (typeof type !== 'string' || !isDataItemType(type))
    return fault(`${at}.type`, 'must be a type of chart or filter');
  const slots = member(item, 'slots');
  if (!isList(slots)) return fault(`${at}.slots`, 'must be a list');
  const rules = slotsOf(type);
  slots.forEach((slot, index) => {
    const name = isObject(slot) ? member(slot, 'name') : undefined;
    if (!rules.some((rule) => rule.name === name)) fault(`${at}.slots[${index}]`, `is no slot of ${type}`);
  });
  const contentOf = (name: string): readonly Json[] | undefined => {
    const slot = slots.find((candidate) => isObject(candidate) && member(candidate, 'name') === name);
    const content = isObject(slot) ? member(slot, 'content') : undefined;
    return isList(content) ? content : undefined;
  };
  for (const rule of rules) {
    const place = `${at}.slots.${rule.name}`;
    const content = contentOf(rule.name);
    if (content === undefined) {
      fault(place, 'is missing');
      continue;
    }
    if (rule.required && content.length === 0) fault(place, 'must hold a column');
    if (!rule.many && content.length > 1) fault(place, 'takes one column');
    content.forEach((entry, index) => checkEntry(rule, entry, types, `${place}[${index}]`, fault));
  }
  // An item with a legend shows only its first measure.
  if ((contentOf('legend')?.length ?? 0) > 0 && (contentOf('measure')?.length ?? 0) > 1) {
    fault(`${at}.slots.legend`, 'cannot stand beside several measures');
  }
}

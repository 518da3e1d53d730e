import {
  filledText,
  isItemType,
  isObject,
  isUuid,
  objectOr,
  slotsOf,
  type Json,
  type JsonObject,
} from '@inlay/contract';
import type { Caller } from '../access/caller.ts';
import { columnsOf, condition, permits } from '../access/permits.ts';
import { forVariety, type Resource } from '../resource/define.ts';
import { mainTable, recordOf, storedColumns, storedOf, tableOf } from '../resource/tables.ts';
import { list, sql } from '../store/sql.ts';
import type { Reader } from '../store/store.ts';
import { withEntries, type EntryPlace } from './slot-entries.ts';

/** Columns whose metadata one dashboard may ask for. */
const most = 5000;

const isUnset = (value: Json | undefined): boolean => value === undefined || value === null || value === '';

/** The column of an entry of a slot that leaves something to it; null where it says everything or names none. */
function openColumn(entry: Json): string | null {
  if (!isObject(entry)) return null;
  const id = filledText(entry['columnId']);
  const isOpen = ['label', 'format', 'type', 'aggregationFunc'].some((name) => isUnset(entry[name]));
  return id !== null && isUuid(id) && isOpen ? id.toLowerCase() : null;
}

/** Whether a slot of an item takes measures alone: in others a number may stand as it is. */
function takesMeasures({ item: { type = null }, slot: { name = null } }: EntryPlace): boolean {
  const rules = typeof type === 'string' && isItemType(type) ? slotsOf[type] : [];
  return rules.some((rule) => rule.name === name && rule.takes === 'measure');
}

function openColumns(contents: JsonObject): readonly string[] {
  const found = new Set<string>();
  withEntries(contents, (entry) => {
    const id = openColumn(entry);
    if (id !== null && found.size < most) found.add(id);
    return entry;
  });
  return [...found];
}

/** What a column says where the slot does not: its name, type and format, of numbers the currency, and in slots of measures the aggregation. */
function filled(entry: JsonObject, column: JsonObject, isMeasure: boolean): JsonObject {
  const type = filledText(entry['type']) ?? filledText(column['type']);
  const isNumber = type === 'numeric';
  const name = objectOr(column['name']);
  const found: JsonObject = {
    type,
    label: Object.keys(name).length === 0 ? filledText(column['source_name']) : name,
    format: filledText(column['format']),
    ...(isNumber ? { currency: filledText(column['currency_id']) } : {}),
    ...(isNumber && isMeasure ? { aggregationFunc: filledText(column['aggregation_type']) } : {}),
  };
  const missing = Object.entries(found).filter(([member, value]) => value !== null && isUnset(entry[member]));
  return { ...entry, ...Object.fromEntries(missing) };
}

/**
 * Contents whose slots have what their columns say: label, type, format and aggregation, as far as the caller may see the
 * columns, which are records of `resource`. What a slot says itself wins. specification/dashboards#slots
 */
export async function withColumnDefaults(
  reader: Reader,
  resource: Resource,
  caller: Caller,
  contents: JsonObject,
): Promise<JsonObject> {
  const ids = openColumns(contents);
  const role = resource.roles.get === undefined ? undefined : forVariety(resource.roles.get, undefined);
  if (ids.length === 0 || role === undefined) return contents;
  const rows = await reader.rows(
    sql`select ${storedColumns(mainTable)} from ${tableOf(resource)} t where t.id in ${list(ids)}
      and ${condition(permits(role, caller, columnsOf(mainTable)))}`,
  );
  const columns = new Map(rows.map(storedOf).map((stored) => [stored.id, recordOf(stored)]));
  return withEntries(contents, (entry, place) => {
    const id = openColumn(entry);
    const column = id === null ? undefined : columns.get(id);
    return column === undefined ? entry : filled(entry, column, takesMeasures(place));
  });
}

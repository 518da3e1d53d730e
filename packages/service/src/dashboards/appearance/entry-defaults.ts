import {
  declarationOf,
  filledText,
  filterTerms,
  isItemType,
  isObject,
  isUuid,
  listOr,
  objectOr,
  type Json,
  type JsonObject,
} from '@inlay/contract';
import type { Caller } from '../../access/caller.ts';
import { columnsOf, condition, permits } from '../../access/permits.ts';
import { forVariety } from '../../declare/variety.ts';
import type { Resource } from '../../resource/define.ts';
import { mainTable, recordOf, storedColumns, storedOf, tableOf } from '../../resource/tables.ts';
import { list, sql } from '../../store/sql.ts';
import type { Reader } from '../../store/store.ts';
import { withEntries, withItemFilters, type EntryPlace } from './slot-entries.ts';

/** The resources that slot entries refer to. */
export interface EntryResources {
  readonly column: Resource;
  readonly formula: Resource;
}

/** Maximum number of columns, and also of formulas, whose metadata a dashboard may load. */
const maxRecords = 5000;

const isUnset = (value: Json | undefined): boolean => value === undefined || value === null || value === '';

/** Members that an entry inherits from the column or formula that it refers to, if they are unset. */
const leaves = {
  columnId: ['label', 'format', 'type', 'subtype', 'aggregationFunc'],
  formulaId: ['label', 'format', 'type'],
} as const;
type EntryReference = keyof typeof leaves;

const isNumber = (entry: JsonObject): boolean => entry['type'] === 'numeric';

/**
 * Returns the id of the record from which an entry inherits members. Returns null if the entry is complete or refers to
 * no record.
 */
function openId(entry: Json, by: EntryReference): string | null {
  if (!isObject(entry)) return null;
  const id = filledText(entry[by]);
  const isOpen = leaves[by].some((name) => isUnset(entry[name])) || (isNumber(entry) && isUnset(entry['currency']));
  return id !== null && isUuid(id) && isOpen ? id.toLowerCase() : null;
}

function openIds(contents: JsonObject, by: EntryReference): readonly string[] {
  const ids = new Set<string>();
  withEntries(contents, (entry) => {
    const id = openId(entry, by);
    if (id !== null && ids.size < maxRecords) ids.add(id);
    return entry;
  });
  return [...ids];
}

/** Returns the id of the column of a filter that has no label. */
function unlabelledId(filter: JsonObject): string | null {
  const id = filledText(filterTerms(filter).columnId);
  return id !== null && isUuid(id) && isUnset(objectOr(filter['properties'])['label']) ? id.toLowerCase() : null;
}

function columnIds(contents: JsonObject): readonly string[] {
  const ids = new Set(openIds(contents, 'columnId'));
  withItemFilters(contents, (filter) => {
    const id = unlabelledId(filter);
    if (id !== null && ids.size < maxRecords) ids.add(id);
    return filter;
  });
  return [...ids];
}

type Records = ReadonlyMap<string, JsonObject>;

/** Returns those records of a resource that a caller may see, by id. */
async function seenRecords(
  reader: Reader,
  resource: Resource,
  caller: Caller,
  ids: readonly string[],
): Promise<Records> {
  const role = resource.roles.get === undefined ? undefined : forVariety(resource.roles.get, undefined);
  if (ids.length === 0 || role === undefined) return new Map();
  const rows = await reader.rows(
    sql`select ${storedColumns(mainTable)} from ${tableOf(resource)} t where t.id in ${list(ids)}
      and ${condition(permits(role, caller, columnsOf(mainTable)))}`,
  );
  return new Map(rows.map(storedOf).map((storedRow) => [storedRow.id, recordOf(storedRow)]));
}

/** True if an entry shows numbers without binning them. */
const isPlainNumber = (entry: JsonObject, column: JsonObject): boolean =>
  (filledText(entry['type']) ?? filledText(column['type'])) === 'numeric' &&
  objectOr(entry['bins'])['enabled'] !== true;

type PlainRows = (entries: readonly JsonObject[], columns: Records) => boolean;
/** Tests whether an item shows raw rows. The type of the item determines which test applies. */
const showsPlainRows: Readonly<Record<'any' | 'numeric', PlainRows>> = {
  any: (entries) => entries.some((entry) => entry['aggregationFunc'] === 'none'),
  numeric: (entries, columns) =>
    entries.every((entry) => {
      const id = filledText(entry['columnId'])?.toLowerCase();
      return id !== undefined && isUnset(entry['aggregationFunc']) && isPlainNumber(entry, columns.get(id) ?? {});
    }),
};

/**
 * True if numbers in a slot are aggregated. This is the case in measure slots, and in tables and scatter plots that do
 * not show raw rows.
 */
function aggregates({ item, slot: { name = null } }: EntryPlace, columns: Records): boolean {
  const { type = null } = item;
  if (typeof type !== 'string' || !isItemType(type)) return false;
  const declaration = declarationOf(type);
  const takes = declaration.slots.find((slot) => slot.name === name)?.takes;
  if (takes !== 'measure' && takes !== 'either') return false;
  const entries = listOr(item['slots']).flatMap((slot) => listOr(objectOr(slot)['content']).map(objectOr));
  const plainRows = declaration.kind === 'chart' ? declaration.plainRows : undefined;
  return plainRows === undefined || !showsPlainRows[plainRows](entries, columns);
}

const currencyOf = (record: JsonObject): string | null =>
  filledText(record['currency_id']) ?? (record['subtype'] === 'currency' ? 'viewer' : null);

/** Returns the subtype of a record. A numeric column whose default aggregation is a count contains identifiers. */
const subtypeOf = (record: JsonObject): string | null =>
  filledText(record['subtype']) ??
  (record['type'] === 'numeric' && record['aggregation_type'] === 'count' ? 'identifier' : null);

function labelOf(record: JsonObject): Json {
  const name = objectOr(record['name']);
  return Object.keys(name).length === 0 ? filledText(record['source_name']) : name;
}

/** Returns the defaults that a column or formula provides to an entry. */
function saidBy(record: JsonObject, hasNumbers: boolean, isAggregated: boolean): JsonObject {
  return {
    type: filledText(record['type']),
    label: labelOf(record),
    format: filledText(record['format']),
    subtype: subtypeOf(record),
    ...(hasNumbers ? { currency: currencyOf(record) } : {}),
    ...(hasNumbers && isAggregated ? { aggregationFunc: filledText(record['aggregation_type']) } : {}),
  };
}

function filledEntry(entry: JsonObject, defaults: JsonObject): JsonObject {
  const missingMembers = Object.entries(defaults).filter(([member, value]) => value !== null && isUnset(entry[member]));
  return { ...entry, ...Object.fromEntries(missingMembers) };
}

/**
 * Fills slots with defaults from their columns and stored formulas, as far as the caller may see them: label, type and
 * format, and for columns the aggregation. Filters of items get the name of their column as label. Members that an entry itself has take precedence.
 * specification/dashboards#slots
 */
export async function withEntryDefaults(
  reader: Reader,
  { column, formula }: EntryResources,
  caller: Caller,
  contents: JsonObject,
): Promise<JsonObject> {
  const columns = await seenRecords(reader, column, caller, columnIds(contents));
  const formulas = await seenRecords(reader, formula, caller, openIds(contents, 'formulaId'));
  if (columns.size + formulas.size === 0) return contents;
  const complete = withEntries(contents, (entry, place) => {
    const entryFormula = formulas.get(openId(entry, 'formulaId') ?? '');
    if (entryFormula !== undefined) return filledEntry(entry, saidBy(entryFormula, false, false));
    const entryColumn = columns.get(openId(entry, 'columnId') ?? '');
    if (entryColumn === undefined) return entry;
    const hasNumbers = (filledText(entry['type']) ?? filledText(entryColumn['type'])) === 'numeric';
    return filledEntry(
      entry,
      saidBy(entryColumn, hasNumbers, isPlainNumber(entry, entryColumn) && aggregates(place, columns)),
    );
  });
  return withItemFilters(complete, (filter) => {
    const filterColumn = columns.get(unlabelledId(filter) ?? '');
    const label = filterColumn === undefined ? null : labelOf(filterColumn);
    return label === null ? filter : { ...filter, properties: { ...objectOr(filter['properties']), label } };
  });
}

import { isDeepStrictEqual } from 'node:util';
import { fold, inWords, isList, isObject, parseObject, textOr, type Json, type JsonObject } from '@inlay/contract';
import { remembered } from '../store/recent.ts';
import { insert, join, name, sql, text, rebind, type RowInsert, type Sql, type Value } from '../store/sql.ts';
import type { Row, Transaction } from '../store/store.ts';
import { textColumn } from '../store/text-columns.ts';
import type { Resource } from './define.ts';
import { derived } from '../declare/derived.ts';
import type { Field } from '../declare/fields.ts';

/** Columns that every table has in addition to the columns of its fields. */
const standard = new Set(['id', 'organization_id', 'created_at', 'updated_at', 'deleted_at']);

/** Fields of a resource that have a column of their own, except the standard columns. */
export const columnFields = derived((resource): readonly (readonly [string, Field])[] =>
  Object.entries(resource.fields).filter(
    ([field, { column, hidden }]) => (column || hidden === true) && !standard.has(field),
  ),
);

/** Fields that key phrases search. Each has a column with its folded text. */
export const searchedFields = derived((resource): readonly string[] =>
  Object.keys(resource.fields).filter((field) => resource.fields[field]?.searched !== undefined),
);

/**
 * Fields that are also stored in the column `texts`, a short JSON object. These are the searched fields of resources
 * whose records contain objects and may thus be long.
 */
export const fieldsInTexts = derived((resource): readonly string[] =>
  Object.values(resource.fields).some(({ kind }) => kind === 'object') ? searchedFields(resource) : [],
);

/** Removes what PostgreSQL does not accept in `jsonb` from texts: NUL and lone surrogates, which plugins may send. */
const searchable = (value: Json): Json => {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\u0000', '');
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, searchable(member ?? null)]))
    : value;
};

export const tableOf = (resource: Resource): Sql => name(resource.name);

/** A stored record with columns that are not part of it. */
export interface StoredRecord {
  readonly id: string;
  readonly organizationId: string | null;
  /** The record as JSON text, with masked secrets. */
  readonly text: string;
  /** False if the text must be upgraded or completed before it is part of an answer. */
  readonly current: boolean;
  readonly revision: number;
  /** Sealed secrets by path. */
  readonly sealed: Readonly<Record<string, string>>;
}

/** Returns the entity tag of a stored record. */
export const entityTag = (stored: StoredRecord): string => `"${stored.revision}"`;

const parsedRecords = new WeakMap<StoredRecord, JsonObject>();

/** Returns the stored record as a parsed value. The result is cached. */
export function recordOf(stored: StoredRecord): JsonObject {
  const known = parsedRecords.get(stored);
  if (known !== undefined) return known;
  const parsed = parseObject(stored.text);
  parsedRecords.set(stored, parsed);
  return parsed;
}

/** Selects the columns that `storedOf` needs to create a record. */
export const storedColumns = (alias: Sql): Sql =>
  alias === mainTable
    ? mainColumns
    : sql`${alias}.id, ${alias}.organization_id, ${alias}.record, ${alias}.shape, ${alias}.revision, ${alias}.secrets`;

/**
 * Alias of the main table of a statement. The SQL of its stored columns is built once, since nearly every statement
 * selects them.
 */
export const mainTable = text('t');
const mainColumns = text('t.id, t.organization_id, t.record, t.shape, t.revision, t.secrets');

export function storedOf(row: Row): StoredRecord {
  const sealed: Record<string, string> = {};
  if (typeof row['secrets'] === 'string') {
    for (const [place, value] of Object.entries(parseObject(row['secrets'])))
      if (typeof value === 'string') sealed[place] = value;
  }
  return {
    id: textOr(row['id'], ''),
    organizationId: typeof row['organization_id'] === 'string' ? row['organization_id'] : null,
    text: textOr(row['record'], ''),
    current: row['shape'] === 1,
    revision: Number(row['revision']),
    sealed,
  };
}

/** Converts the value of a field to its column value. */
export function columnValue(value: Json | undefined): Value {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value);
}

/** Data written for one record. */
export interface RecordWrite {
  readonly record: JsonObject;
  readonly hidden: JsonObject;
  readonly organizationId: string | null;
  readonly sealed: Readonly<Record<string, string>>;
  readonly secretKey: string | null;
}

const foldedText = (value: Json | undefined): string =>
  typeof value === 'string'
    ? fold(value)
    : isObject(value)
      ? Object.values(value)
          .flatMap((words) => (isList(words) ? words : [words]))
          .map((words) => fold(inWords(words)))
          .join('\n')
      : '';

/** Returns the columns of a record, except id and revision. Column names come from the declaration. */
function columnsOf(
  resource: Resource,
  id: string,
  revision: number,
  write: RecordWrite,
): [StoredRecord, Map<string, Value>] {
  const { record, hidden, sealed, organizationId } = write;
  const current = resource.older === undefined || !resource.older(record);
  const stored = { id, organizationId, text: JSON.stringify(record), current, revision, sealed };
  const columns = new Map<string, Value>([['organization_id', organizationId]]);
  for (const time of ['created_at', 'updated_at']) {
    const value = record[time] ?? hidden[time];
    if (value !== undefined) columns.set(time, columnValue(value));
  }
  columns.set('deleted_at', columnValue(record['deleted_at']));
  columns.set('shape', current ? 1 : 0);
  columns.set('secrets', Object.keys(sealed).length === 0 ? null : JSON.stringify(sealed));
  columns.set('secret_key', write.secretKey);
  for (const [field, { hidden: apart }] of columnFields(resource)) {
    if (apart !== true) columns.set(field, columnValue(record[field]));
    else if (Object.hasOwn(hidden, field)) columns.set(field, columnValue(hidden[field]));
  }
  const texts = fieldsInTexts(resource).map((field) => [field, searchable(record[field] ?? null)]);
  if (texts.length > 0) columns.set('texts', JSON.stringify(Object.fromEntries(texts)));
  columns.set('record', stored.text);
  return [stored, columns];
}

/** Memoizes a function of a table's columns, by resource and column list. */
const ofColumns = <Given extends object>(from: (resource: Resource, columns: readonly string[]) => Given) => {
  const known = derived((resource) => remembered(20, (columns: string) => from(resource, columns.split(' '))));
  return (resource: Resource, columns: readonly string[]): Given => known(resource)(columns.join(' '));
};

const insertion = ofColumns((resource, columns): RowInsert => ({ table: resource.name, columns }));

const replacement = ofColumns((resource, columns): Sql => {
  const set = join(
    columns.map((column) => sql`${name(column)} = ${column}`),
    ', ',
  );
  return sql`update ${tableOf(resource)} set ${set} where id = ${null}`;
});

/**
 * Inserts a record and its searchable texts. Returns the record as stored. Raises StoreConflict if a unique value is
 * already used.
 */
export async function insertRecord(
  transaction: Transaction,
  resource: Resource,
  id: string,
  write: RecordWrite,
): Promise<StoredRecord> {
  const [stored, columns] = columnsOf(resource, id, 1, write);
  for (const field of searchedFields(resource)) columns.set(textColumn(field), foldedText(write.record[field]));
  const values = [id, stored.revision, ...columns.values()];
  await transaction.run(insert(insertion(resource, ['id', 'revision', ...columns.keys()]), values));
  return stored;
}

/**
 * Replaces a stored record that the transaction has locked. Returns the record as stored. The searchable texts are
 * written only if they changed.
 */
export async function replaceRecord(
  transaction: Transaction,
  resource: Resource,
  before: StoredRecord,
  write: RecordWrite,
): Promise<StoredRecord> {
  const { id } = before;
  const [stored, columns] = columnsOf(resource, id, before.revision + 1, write);
  const texts = recordOf(before);
  for (const field of searchedFields(resource)) {
    const folded = foldedText(write.record[field]);
    if (folded !== foldedText(texts[field])) columns.set(textColumn(field), folded);
  }
  const values = [stored.revision, ...columns.values(), id];
  await transaction.run(rebind(replacement(resource, ['revision', ...columns.keys()]), ...values));
  return stored;
}

/** Returns the columns that depend on nothing but the record, with the values that they should have. */
function columnsOfRecord(resource: Resource, record: JsonObject): ReadonlyMap<string, Value> {
  const write = { record, hidden: {}, organizationId: null, sealed: {}, secretKey: null };
  const [, columns] = columnsOf(resource, '', 1, write);
  for (const own of ['organization_id', 'created_at', 'updated_at', 'secrets', 'secret_key', 'record'])
    columns.delete(own);
  for (const field of searchedFields(resource)) columns.set(textColumn(field), foldedText(record[field]));
  return columns;
}

/** Selects the columns that depend on nothing but the record. */
export const mendedColumns = derived((resource): Sql =>
  join([...columnsOfRecord(resource, {}).keys()].map(name), ', '),
);

const isSameValue = (stored: Value, expected: Value, column: string): boolean =>
  column === 'texts'
    ? isDeepStrictEqual(JSON.parse(String(stored)), JSON.parse(String(expected)))
    : (stored ?? null) === (expected ?? null) || (stored !== null && String(stored) === String(expected));

/** Corrects columns that do not match the record of their row. Returns true if any column was wrong. */
export async function mendRecord(transaction: Transaction, resource: Resource, row: Row): Promise<boolean> {
  const wrong = [...columnsOfRecord(resource, parseObject(String(row['record'])))].filter(
    ([column, value]) => !isSameValue(row[column] ?? null, value, column),
  );
  if (wrong.length === 0) return false;
  const columns = wrong.map(([column]) => column);
  const values = [...wrong.map(([, value]) => value), String(row['id'])];
  await transaction.run(rebind(replacement(resource, columns), ...values));
  return true;
}

/** Deletes a record and all its links. */
export async function removeRecord(transaction: Transaction, resource: Resource, id: string): Promise<void> {
  await transaction.run(sql`delete from link where first_id = ${id}`);
  await transaction.run(sql`delete from link where target_id = ${id}`);
  await transaction.run(sql`delete from ${tableOf(resource)} where id = ${id}`);
}

import { fold, inWords, isObject, type Json, type JsonObject } from '@inlay/contract';
import { join, name, sql, text, type Sql, type Value } from '../store/sql.ts';
import type { Row, Transaction } from '../store/store.ts';
import type { Resource } from './define.ts';
import type { Field } from './fields.ts';

/** Columns that every table has beside those its fields declare. */
const standard = new Set(['id', 'organization_id', 'created_at', 'updated_at', 'deleted_at']);

/** Fields of a resource with a column of their own, beyond the standard ones. */
export const columnFields = (resource: Resource): readonly (readonly [string, Field])[] =>
  Object.entries(resource.fields).filter(
    ([field, { column, hidden }]) => (column || hidden === true) && !standard.has(field),
  );

/** Fields a key phrase may be searched in; they stand folded in the text table. */
export const searchedFields = (resource: Resource): readonly string[] =>
  Object.entries(resource.fields)
    .filter(([, field]) => field.searched === true)
    .map(([field]) => field);

export const tableOf = (resource: Resource): Sql => name(resource.name);
export const textTableOf = (resource: Resource): string => `${resource.name}_text`;

/** A stored record with what the service keeps beside it. */
export interface Stored {
  readonly id: string;
  readonly organizationId: string | null;
  /** The record as JSON text, secrets masked. */
  readonly text: string;
  /** False where the text must be upgraded or completed before it is shown. */
  readonly current: boolean;
  readonly revision: number;
  /** Sealed secrets by place. */
  readonly sealed: Readonly<Record<string, string>>;
}

const parseObject = (json: string): JsonObject => {
  const parsed: Json = JSON.parse(json);
  return isObject(parsed) ? parsed : {};
};

/** The entity tag of a stored record (decision A4). */
export const entityTag = (stored: Stored): string => `"${stored.revision}"`;

/** The stored record as a value. */
export const recordOf = (stored: Stored): JsonObject => parseObject(stored.text);

/** The columns a Stored is made from, of a table under an alias. */
export const storedColumns = (alias: Sql): Sql =>
  alias === mainTable
    ? mainColumns
    : sql`${alias}.id, ${alias}.organization_id, ${alias}.record, ${alias}.shape, ${alias}.revision, ${alias}.secrets`;

/** The alias of the table a statement is about, and its stored columns: those of nearly every statement. */
export const mainTable = text('t');
const mainColumns = text('t.id, t.organization_id, t.record, t.shape, t.revision, t.secrets');

const textOf = (value: Value | undefined): string => (typeof value === 'string' ? value : '');

export function storedOf(row: Row): Stored {
  const sealed: Record<string, string> = {};
  if (typeof row['secrets'] === 'string') {
    for (const [place, value] of Object.entries(parseObject(row['secrets'])))
      if (typeof value === 'string') sealed[place] = value;
  }
  return {
    id: textOf(row['id']),
    organizationId: typeof row['organization_id'] === 'string' ? row['organization_id'] : null,
    text: textOf(row['record']),
    current: row['shape'] === 1,
    revision: Number(row['revision']),
    sealed,
  };
}

/** A field's value as its column holds it. */
export function columnValue(value: Json | undefined): Value {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value);
}

/** What is written for one record. */
export interface Writing {
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
          .map((words) => fold(inWords(words)))
          .join('\n')
      : '';

function assignments(resource: Resource, writing: Writing): [Sql, Sql][] {
  const { record, hidden, sealed } = writing;
  const current = resource.older === undefined || !resource.older(record);
  const set = (column: string, value: Value): [Sql, Sql] => [name(column), sql`${value}`];
  return [
    set('organization_id', writing.organizationId),
    ...['created_at', 'updated_at'].flatMap((time): [Sql, Sql][] => {
      const value = record[time] ?? hidden[time];
      return value === undefined ? [] : [set(time, columnValue(value))];
    }),
    set('deleted_at', columnValue(record['deleted_at'])),
    set('shape', current ? 1 : 0),
    set('record', JSON.stringify(record)),
    set('secrets', Object.keys(sealed).length === 0 ? null : JSON.stringify(sealed)),
    set('secret_key', writing.secretKey),
    ...columnFields(resource)
      .filter(([field, { hidden: apart }]) => apart !== true || Object.hasOwn(hidden, field))
      .map(([field, { hidden: apart }]) => set(field, columnValue(apart === true ? hidden[field] : record[field]))),
  ];
}

/** Stores a new record and its searchable text. Raises StoreConflict where a unique value is taken. */
export async function insertRecord(
  transaction: Transaction,
  resource: Resource,
  id: string,
  writing: Writing,
): Promise<void> {
  const set = assignments(resource, writing);
  const columns = join([text('id, revision'), ...set.map(([column]) => column)], ', ');
  const values = join([sql`${id}`, text('1'), ...set.map(([, value]) => value)], ', ');
  await transaction.run(sql`insert into ${tableOf(resource)} (${columns}) values (${values})`);
  const fields = searchedFields(resource);
  if (fields.length === 0) return;
  const folded = join(
    fields.map((field) => sql`${foldedText(writing.record[field])}`),
    ', ',
  );
  await transaction.run(
    sql`insert into ${name(textTableOf(resource))} (rowid, ${join(fields.map(name), ', ')}) select seq, ${folded} from ${tableOf(resource)} where id = ${id}`,
  );
}

/** Replaces a stored record; its searchable text is written only where it changed. */
export async function replaceRecord(
  transaction: Transaction,
  resource: Resource,
  id: string,
  before: JsonObject,
  writing: Writing,
): Promise<void> {
  const set = join(
    assignments(resource, writing).map(([column, value]) => sql`${column} = ${value}`),
    ', ',
  );
  await transaction.run(sql`update ${tableOf(resource)} set revision = revision + 1, ${set} where id = ${id}`);
  const changed = searchedFields(resource).filter(
    (field) => foldedText(before[field]) !== foldedText(writing.record[field]),
  );
  if (changed.length === 0) return;
  const folded = join(
    changed.map((field) => sql`${name(field)} = ${foldedText(writing.record[field])}`),
    ', ',
  );
  await transaction.run(
    sql`update ${name(textTableOf(resource))} set ${folded} where rowid = (select seq from ${tableOf(resource)} where id = ${id})`,
  );
}

/** Removes a record, its searchable text and every link from or to it. */
export async function removeRecord(transaction: Transaction, resource: Resource, id: string): Promise<void> {
  if (searchedFields(resource).length > 0) {
    await transaction.run(
      sql`delete from ${name(textTableOf(resource))} where rowid = (select seq from ${tableOf(resource)} where id = ${id})`,
    );
  }
  await transaction.run(sql`delete from link where first_id = ${id}`);
  await transaction.run(sql`delete from link where target_id = ${id}`);
  await transaction.run(sql`delete from ${tableOf(resource)} where id = ${id}`);
}

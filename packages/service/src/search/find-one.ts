import { inWords } from '@inlay/contract';
import type { Caller } from '../access/caller.ts';
import { every } from '../access/permits.ts';
import type { Resource } from '../resource/define.ts';
import { mainTable, tableOf, type StoredRecord } from '../resource/tables.ts';
import { hinted, sql, rebind, type Sql } from '../store/sql.ts';
import { compileFixed, visible } from './compile.ts';
import type { Find } from './find.ts';
import {
  guarded,
  nothingHidden,
  scopeOf,
  seenColumns,
  seenOf,
  type SearchContext,
  type VisibleRecord,
} from './visible-records.ts';

/** Statements that were built for each caller, as a cache. */
const madeFor = new WeakMap<Caller, Map<string, Sql>>();

/** Builds the statement that finds a record visible to the caller. The last bound value is the id. */
function byId(context: SearchContext, resource: Resource, fixedFields: NonNullable<Find['fixed']>): Sql {
  const { caller, reader } = context;
  const makeStatement = (): Sql => {
    const scope = scopeOf(context, resource, mainTable);
    const where = every([
      visible(scope),
      ...(fixedFields.length === 0 ? [] : [compileFixed(scope.alias, fixedFields)]),
    ]);
    return sql`select ${seenColumns(scope)} from ${tableOf(resource)} t where ${where} and t.id = ${null}`;
  };
  if (caller === null) return makeStatement();
  const statements = madeFor.get(caller) ?? new Map<string, Sql>();
  madeFor.set(caller, statements);
  const name = [reader.dialect.name, resource.name, ...fixedFields.map(({ value }) => inWords(value))].join(' ');
  const statement = statements.get(name) ?? makeStatement();
  statements.set(name, statement);
  return statement;
}

/** Finds a record by id; null if it does not exist or the caller may not see it. */
export async function findOne(
  context: SearchContext,
  resource: Resource,
  id: string,
  fixedFields: Find['fixed'] = [],
): Promise<VisibleRecord | null> {
  const [row] = await context.reader.rows(hinted(rebind(byId(context, resource, fixedFields), id), { single: true }));
  return row === undefined ? null : seenOf(resource, row);
}

/** Returns a written record, with the names of the fields that the caller may not see after the write. */
export async function visibleAfterWrite(
  context: SearchContext,
  resource: Resource,
  storedRecord: StoredRecord,
): Promise<VisibleRecord> {
  const fields = guarded(resource);
  if (fields.length === 0) return { stored: storedRecord, hiddenFields: nothingHidden };
  const scope = scopeOf(context, resource, mainTable);
  const [row] = await context.reader.rows(
    sql`select ${seenColumns(scope)} from ${tableOf(resource)} t where t.id = ${storedRecord.id}`,
  );
  return {
    stored: storedRecord,
    hiddenFields: row === undefined ? fields.flatMap(([, names]) => names) : seenOf(resource, row).hiddenFields,
  };
}

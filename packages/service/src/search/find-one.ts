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

/** Cached statements by caller. */
const madeFor = new WeakMap<Caller, Map<string, Sql>>();

/** Builds the statement that finds a record visible to the caller; its last value is the id. */
function byId(context: SearchContext, resource: Resource, fixed: NonNullable<Find['fixed']>): Sql {
  const { caller, reader } = context;
  const makeStatement = (): Sql => {
    const scope = scopeOf(context, resource, mainTable);
    const where = every([visible(scope), ...(fixed.length === 0 ? [] : [compileFixed(scope.alias, fixed)])]);
    return sql`select ${seenColumns(scope)} from ${tableOf(resource)} t where ${where} and t.id = ${null}`;
  };
  if (caller === null) return makeStatement();
  const statements = madeFor.get(caller) ?? new Map<string, Sql>();
  madeFor.set(caller, statements);
  const name = [reader.dialect.name, resource.name, ...fixed.map(({ value }) => inWords(value))].join(' ');
  const statement = statements.get(name) ?? makeStatement();
  statements.set(name, statement);
  return statement;
}

/** Finds a record by id; null if it does not exist or the caller may not see it. */
export async function findOne(
  context: SearchContext,
  resource: Resource,
  id: string,
  fixed: Find['fixed'] = [],
): Promise<VisibleRecord | null> {
  const [row] = await context.reader.rows(hinted(rebind(byId(context, resource, fixed), id), { single: true }));
  return row === undefined ? null : seenOf(resource, row);
}

/** Returns a written record, with the fields that the caller may not see after the write. */
export async function visibleAfterWrite(
  context: SearchContext,
  resource: Resource,
  stored: StoredRecord,
): Promise<VisibleRecord> {
  const fields = guarded(resource);
  if (fields.length === 0) return { stored, hiddenFields: nothingHidden };
  const scope = scopeOf(context, resource, mainTable);
  const [row] = await context.reader.rows(
    sql`select ${seenColumns(scope)} from ${tableOf(resource)} t where t.id = ${stored.id}`,
  );
  return {
    stored,
    hiddenFields: row === undefined ? fields.flatMap(([, names]) => names) : seenOf(resource, row).hiddenFields,
  };
}

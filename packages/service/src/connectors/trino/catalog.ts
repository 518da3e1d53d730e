import { trinoText } from '@inlay/query';
import type { SourceColumn, SourceTable } from '../connector.ts';
import { SourceProblem } from '../problem.ts';
import { column } from '../storage-types.ts';
import { tableId, tablePath } from '../table-id.ts';
import { TrinoError, trinoFailure } from './failure.ts';
import type { TrinoSession } from './session.ts';
import { trinoMeaning } from './types.ts';

const maxTables = 20_000;

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The catalogs of the cluster's own tables. */
const ownCatalogs = new Set(['system', 'jmx']);

async function catalogsOf(session: TrinoSession): Promise<readonly string[]> {
  if (session.catalog !== null) return [session.catalog];
  const rows = await session.rows('show catalogs');
  return rows.map(([name]) => String(name)).filter((name) => !ownCatalogs.has(name));
}

/** Returns the id of a table: without the catalog and the schema where these come from the account. */
function idOf({ catalog, schema }: TrinoSession, path: readonly [string, string, string]): string {
  if (catalog === null) return tableId(path);
  return tableId(schema === null ? path.slice(1) : path.slice(2));
}

async function tablesIn(session: TrinoSession, catalog: string): Promise<readonly SourceTable[]> {
  const { schema } = session;
  const condition = schema === null ? "table_schema <> 'information_schema'" : `table_schema = ${trinoText(schema)}`;
  const rows = await session.rows(
    `select table_schema, table_name, table_type from ${quote(catalog)}.information_schema.tables
     where ${condition} order by 1, 2 limit ${maxTables}`,
  );
  return rows.map(([space, name, type]) => ({
    id: idOf(session, [catalog, String(space), String(name)]),
    name: String(name),
    schema: session.catalog === null ? `${catalog}.${String(space)}` : String(space),
    kind: String(type).includes('VIEW') ? ('view' as const) : ('table' as const),
    rows: null,
  }));
}

/**
 * Returns the tables of the account's catalog that the user may read; those of all catalogs if the account names none.
 * Raises SourceProblem that names the catalog whose tables cannot be listed.
 */
export async function listTables(session: TrinoSession): Promise<readonly SourceTable[]> {
  const tables: SourceTable[] = [];
  for (const catalog of await catalogsOf(session)) {
    try {
      tables.push(...(await tablesIn(session, catalog)));
    } catch (error) {
      if (session.catalog !== null) throw error;
      const { cause, message } = trinoFailure(error);
      throw new SourceProblem(
        cause,
        `The tables of the catalog ${JSON.stringify(catalog)} cannot be listed: ${message} Set the catalog of the connection to list another one.`,
      );
    }
  }
  return tables.slice(0, maxTables);
}

const noTable = (): SourceProblem =>
  new SourceProblem('missing', 'There is no table of this name, or the user may not read it.');

/** Returns catalog, schema and name of a table. Raises SourceProblem `missing`. */
function fullPath({ catalog, schema }: TrinoSession, id: string): readonly [string, string, string] {
  const parts = tablePath(id);
  const name = parts.at(-1);
  const space = parts.at(-2) ?? schema;
  const place = parts.at(-3) ?? catalog;
  if (parts.length > 3 || name === undefined || space === null || place === null) throw noTable();
  return [place, space, name];
}

/** Returns the columns of a table that the user may read and whose values can be read. Raises SourceProblem. */
export async function describeTable(session: TrinoSession, id: string): Promise<readonly SourceColumn[]> {
  const [catalog, schema, table] = fullPath(session, id);
  const rows = await session.rows(
    `select column_name, data_type, is_nullable from ${quote(catalog)}.information_schema.columns
     where table_schema = ${trinoText(schema)} and table_name = ${trinoText(table)} order by ordinal_position`,
  );
  if (rows.length === 0) throw noTable();
  return rows.flatMap(([name, type, nullable]) => {
    const meaning = trinoMeaning(String(type));
    return meaning === undefined ? [] : [column(String(name), meaning, nullable !== 'NO', String(type))];
  });
}

/** Lets the cluster check a query as a separate statement, but does not run it. */
export async function parsedAlone(session: TrinoSession, text: string): Promise<void> {
  await session.rows(`explain (type validate) ${text}`);
}

/** Returns the columns of a checked query, which it runs with a limit of 0 rows. */
export async function describeQuery(session: TrinoSession, sourceQuery: string): Promise<readonly SourceColumn[]> {
  await parsedAlone(session, sourceQuery);
  const columns = await session.columns(`select * from (${sourceQuery}\n) as q limit 0`);
  const names = columns.map(({ name }) => name);
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined)
    throw new SourceProblem('query', `The query gives two columns of the name ${JSON.stringify(duplicate)}.`);
  return columns.map(({ name, type }) => {
    const meaning = trinoMeaning(type);
    if (meaning === undefined)
      throw new SourceProblem(
        'query',
        `The values of the column ${JSON.stringify(name)} have the type ${type}, which cannot be read; convert them in the query.`,
      );
    return column(name, meaning, true, type);
  });
}

/** Kinds of catalogs in which nothing can be written, although the cluster would let a user try. */
const readOnlyCatalogs = new Set(['jmx', 'prometheus', 'system', 'tpcds', 'tpch']);

async function isReadOnly(session: TrinoSession, catalog: string): Promise<boolean> {
  const kinds = await session.rows(
    `select connector_name from system.metadata.catalogs where catalog_name = ${trinoText(catalog)}`,
  );
  return kinds.some(([kind]) => readOnlyCatalogs.has(String(kind)));
}

/**
 * True if the cluster would let the user insert rows into the first table. A cluster answers questions about rights only
 * by checking a statement.
 */
export async function mayWrite(session: TrinoSession): Promise<boolean> {
  const [table] = (await listTables(session)).filter(({ kind }) => kind === 'table');
  if (table === undefined) return false;
  const path = fullPath(session, table.id);
  const name = path.map(quote).join('.');
  try {
    await session.rows(`explain (type validate) insert into ${name} select * from ${name}`);
    return !(await isReadOnly(session, path[0]));
  } catch (error) {
    if (error instanceof TrinoError) return false;
    throw error;
  }
}

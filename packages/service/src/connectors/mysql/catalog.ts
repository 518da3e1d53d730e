import type { Connection } from 'mysql2/promise';
import type { SourceColumn, SourceLink, SourceTable } from '../connector.ts';
import { column } from '../storage-types.ts';
import { SourceProblem } from '../problem.ts';
import { tableId, unqualifiedPath } from '../table-id.ts';
import { mysqlMeaning, wordOfType } from './types.ts';

async function rowsOf(connection: Connection, sql: string, values: string[]): Promise<readonly (readonly unknown[])[]> {
  const [rows] = await connection.execute(sql, values);
  return Array.isArray(rows) ? rows.filter((row): row is unknown[] & typeof row => Array.isArray(row)) : [];
}

/** Returns the tables of the account's database that the user may read. */
export async function listTables(connection: Connection): Promise<readonly SourceTable[]> {
  const sql = `select table_name, table_schema, table_type, table_rows from information_schema.tables t
    where table_schema = database() and exists (select 1 from information_schema.columns c
      where c.table_schema = database() and c.table_name = t.table_name and c.privileges like '%select%')
    order by binary table_name limit 20000`;
  const rows = await rowsOf(connection, sql, []);
  return rows.map(([name, schema, type, rowEstimate]) => ({
    id: tableId([String(name)]),
    name: String(name),
    schema: String(schema),
    kind: String(type).includes('VIEW') ? ('view' as const) : ('table' as const),
    rows: rowEstimate === null ? null : Number(rowEstimate),
  }));
}

/**
 * Returns the single-column foreign keys within the account's database. The server omits foreign keys whose columns the
 * user may not see.
 */
export async function listForeignKeys(connection: Connection): Promise<readonly SourceLink[]> {
  const sql = `select k.table_name, k.column_name, k.referenced_table_name, k.referenced_column_name,
      exists (select 1 from information_schema.statistics s where s.table_schema = database()
        and s.table_name = k.table_name and s.column_name = k.column_name and s.non_unique = 0
        and (select count(*) from information_schema.statistics o where o.table_schema = database()
          and o.table_name = s.table_name and o.index_name = s.index_name) = 1)
    from information_schema.key_column_usage k
    where k.table_schema = database() and k.referenced_table_schema = database()
      and (select count(*) from information_schema.key_column_usage o where o.table_schema = database()
        and o.table_name = k.table_name and o.constraint_name = k.constraint_name) = 1
    order by binary k.table_name, binary k.column_name limit 20000`;
  const rows = await rowsOf(connection, sql, []);
  return rows.map(([table, name, toTable, toName, isUnique]) => ({
    table: tableId([String(table)]),
    column: String(name),
    toTable: tableId([String(toTable)]),
    toColumn: String(toName),
    cardinality: Number(isUnique) === 1 ? 'one_to_one' : 'many_to_one',
  }));
}

const writes = ['INSERT', 'UPDATE', 'DELETE', 'CREATE', 'DROP', 'ALTER', 'FILE', 'SUPER'];

/** True if the user has any privilege to change data. */
export async function mayWrite(connection: Connection): Promise<boolean> {
  const marks = writes.map(() => '?').join(', ');
  const of = (table: string): string => `select 1 from information_schema.${table} where privilege_type in (${marks})`;
  const tables = ['user_privileges', 'schema_privileges', 'table_privileges'];
  const sql = `select 1 from (${tables.map(of).join(' union all ')}) as p limit 1`;
  return (await rowsOf(connection, sql, [...writes, ...writes, ...writes])).length > 0;
}

/** Returns the columns of a table that the user may read. Raises SourceProblem `missing`. */
export async function describeTable(connection: Connection, id: string): Promise<readonly SourceColumn[]> {
  const sql = `select c.column_name, c.data_type, c.column_type, c.is_nullable,
      c.character_set_name = 'utf8mb4' and t.table_type = 'BASE TABLE'
    from information_schema.columns c
    left join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
    where c.table_schema = database() and c.table_name = ? and c.privileges like '%select%'
    order by c.ordinal_position`;
  const rows = await rowsOf(connection, sql, [...unqualifiedPath(id)]);
  if (rows.length === 0)
    throw new SourceProblem('missing', 'There is no table of this name, or the user may not read it.');
  return rows.map(([name, word, nativeType, nullable, isWhole]) =>
    column(
      ...([String(name), mysqlMeaning(String(word)), nullable === 'YES', String(nativeType)] as const),
      // Without a cast, the server cannot compare a column with a text that its character set does not contain. It
      // cannot compare a column of a view that mixes collations, either.
      Number(isWhole) === 1 && /^(?:var)?char$|text$/u.test(String(word)),
    ),
  );
}

/**
 * Lets the server parse a query as a separate statement, but does not run it. If this succeeds, the query cannot close
 * the parentheses in which it is later embedded.
 */
export async function parsedAlone(connection: Connection, text: string): Promise<void> {
  await connection.prepare(text);
  connection.unprepare(text);
}

/** Returns the columns of a checked query, which it runs with a limit of 0 rows. */
export async function describeQuery(connection: Connection, sourceQuery: string): Promise<readonly SourceColumn[]> {
  await parsedAlone(connection, sourceQuery);
  const [, fields] = await connection.execute(`select * from (${sourceQuery}\n) as q limit 0`);
  return fields.map(({ name, columnType }) => {
    const word = wordOfType(columnType);
    return column(name, mysqlMeaning(word), true, word);
  });
}

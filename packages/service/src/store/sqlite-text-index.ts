import type { SqliteConnection } from './sqlite-connection.ts';
import { join, name, sql } from './sql.ts';
import { textIndexOf } from './text-table.ts';

/** Rows of one table taken into its index at a time. */
const mostRows = 1000;

function bringUp(connection: SqliteConnection, table: string, until: number): void {
  const texts = name(table);
  const [newest] = connection.rows(
    sql`select max(rowid) as last from (select rowid from ${texts} where rowid > ${until} order by rowid limit ${mostRows})`,
  );
  const last = newest?.['last'];
  if (typeof last !== 'number') return;
  const columns = connection.rows(sql`select name from pragma_table_info(${table}) where pk = 0 order by cid`);
  const names = join(
    columns.map((column) => name(String(column['name']))),
    ', ',
  );
  connection.run(
    sql`insert into ${textIndexOf(table)} (rowid, ${names}) select rowid, ${names} from ${texts} where rowid > ${until} and rowid <= ${last}`,
  );
  connection.run(sql`update text_indexed set until = ${last} where text_table = ${table}`);
}

/**
 * Brings the index of every text table up with its newest rows, in a transaction of its own. Raises StoreUnavailable;
 * nothing is lost then, for rows that wait are found one by one.
 */
export function indexTexts(connection: SqliteConnection): void {
  try {
    connection.keyword('begin immediate');
    const tables = connection.rows(sql`select text_table, until from text_indexed`);
    for (const { text_table: table, until } of tables) bringUp(connection, String(table), Number(until));
    connection.keyword('commit');
  } finally {
    if (connection.database.isTransaction) connection.keyword('rollback');
  }
}

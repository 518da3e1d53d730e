import type { SqliteConnection } from './connection.ts';
import { compatibleFrom, requireCompatible } from '../lease.ts';
import { join, name, sql } from '../sql.ts';
import { textIndexOf } from '../text-columns.ts';

/** Maximum number of rows to index per transaction. */
const maxRows = 1000;

function bringUp(connection: SqliteConnection, table: string, until: number): void {
  const [rows, index] = [name(table), textIndexOf(table)];
  const [newest] = connection.rows(sql`select max(seq) as last from ${rows}`);
  const lastSeq = Math.min(Number(newest?.['last'] ?? 0), until + maxRows);
  if (lastSeq <= until) return;
  const columns = connection.rows(sql`select name from pragma_table_info(${`${table}_text_index`}) order by cid`);
  const names = join(
    columns.map((column) => name(String(column['name']))),
    ', ',
  );
  connection.run(
    sql`insert into ${index} (rowid, ${names}) select seq, ${names} from ${rows} where seq > ${until} and seq <= ${lastSeq}`,
  );
  connection.run(sql`update text_indexed set until = ${lastSeq} where text_table = ${table}`);
}

/**
 * Adds the newest rows of every table to the table's text index, in a transaction. Raises StoreUnavailable and
 * StoreNewer. A failure does no harm, since searches scan the rows that are not indexed.
 */
export function indexTexts(connection: SqliteConnection, schema: number): void {
  try {
    connection.keyword('begin immediate');
    requireCompatible(connection.rows(compatibleFrom), schema);
    const tables = connection.rows(sql`select text_table, until from text_indexed`);
    for (const { text_table: table, until } of tables) bringUp(connection, String(table), Number(until));
    connection.keyword('commit');
  } finally {
    if (connection.database.isTransaction) connection.keyword('rollback');
  }
}

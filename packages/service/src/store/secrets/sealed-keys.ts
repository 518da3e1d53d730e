import { name, sql, type Sql } from '../sql.ts';
import type { Row } from '../store.ts';

/** Name of the setting with the id of the current secret key. All instances use this key. */
export const currentKeySetting = 'secret_key';

/** Anything that can run a query, including a store of which only the file or the connection is open. */
export interface Rows {
  rows(statement: Sql): Promise<readonly Row[]>;
}

/** Counts the rows sealed with each secret key. `tables` must have a `secret_key` column. */
export async function rowsBySecretKey(reader: Rows, tables: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const table of tables) {
    const counted = await reader.rows(
      sql`select secret_key, count(*) as n from ${name(table)} where secret_key is not null group by secret_key`,
    );
    for (const row of counted) {
      // The secrets of a row may have been sealed with different keys. The row then lists several keys.
      for (const id of String(row['secret_key']).split(',')) counts.set(id, (counts.get(id) ?? 0) + Number(row['n']));
    }
  }
  return counts;
}

/** Returns the id of the current secret key; undefined if no secret has been stored yet. */
export async function currentSecretKey(reader: Rows): Promise<string | undefined> {
  const [row] = await reader.rows(sql`select value from setting where name = ${currentKeySetting}`);
  return typeof row?.['value'] === 'string' ? row['value'] : undefined;
}

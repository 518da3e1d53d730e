import { name, sql, type Sql } from '../sql.ts';
import type { Row } from '../store.ts';

/** The setting that tells every instance which key is current. */
export const currentKeySetting = 'secret_key';

/** Anything that gives rows; not every one of them is an open store. */
export interface Rows {
  rows(statement: Sql): Promise<readonly Row[]>;
}

/** How many rows each secret key has sealed. `tables` are those with a `secret_key` column. */
export async function rowsBySecretKey(reader: Rows, tables: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (const table of tables) {
    const counted = await reader.rows(
      sql`select secret_key, count(*) as n from ${name(table)} where secret_key is not null group by secret_key`,
    );
    for (const row of counted) {
      // A row whose secrets were sealed at different times names several keys.
      for (const id of String(row['secret_key']).split(',')) found.set(id, (found.get(id) ?? 0) + Number(row['n']));
    }
  }
  return found;
}

/** The key that the store says is current; undefined before the first secret. */
export async function currentSecretKey(reader: Rows): Promise<string | undefined> {
  const [row] = await reader.rows(sql`select value from setting where name = ${currentKeySetting}`);
  return typeof row?.['value'] === 'string' ? row['value'] : undefined;
}

import type { DuckDBConnection } from '@duckdb/node-api';
import { faultOf } from '../faults.ts';
import { identifier, literal } from '../quote.ts';
import { checkWidth, isWide, madeFor } from './layout.ts';
import { makeMembers } from './members.ts';
import { columnsOf } from './statistics.ts';
import { writtenWhole, type WrittenRows } from './version.ts';

/**
 * True if an error is about a value. The cause may be an incomplete enum type, so a second attempt with complete enum
 * types may succeed.
 */
const mayBeNoMember = (error: unknown): boolean => faultOf(error)?.cause === 'sql';

/**
 * Creates a database for a table of this many columns, and attaches it. Does nothing if an earlier attempt already did.
 */
export async function attachMade(
  connection: DuckDBConnection,
  path: string,
  name: string,
  columns: number,
): Promise<void> {
  await connection.run(`attach if not exists ${literal(path)} as ${name} ${madeFor(columns)}`);
  // Each thread buffers blocks for every column.
  if (isWide(columns)) await connection.run('set threads = 1');
}

/** Column name for the original position of a row; a column of the data cannot have this name. */
const position = '\u0001 position';

/**
 * Writes the rows of a relation to the target, stably sorted by the columns in `order`. Enum values are in text order,
 * so an enum column is sorted by its texts.
 */
export async function writeWhole(
  connection: DuckDBConnection,
  from: string,
  isCsv: boolean,
  target: string,
  order: readonly string[] = [],
): Promise<WrittenRows> {
  const columns = await columnsOf(connection, from);
  checkWidth(columns.length);
  await attachMade(connection, target, 'target', columns.length);
  await connection.run('use target');
  const places = order.map((name) => columns.findIndex((column) => column.name === name) + 1).filter((at) => at > 0);
  const sortedRows =
    places.length === 0
      ? from
      : `(select *, row_number() over () as ${identifier(position)} from ${from}) order by ${places.join(', ')}, ${identifier(position)}`;
  const attempt = async (expect: boolean): Promise<void> => {
    const members = await makeMembers(connection, from, columns, expect);
    const cells = columns.map((column) => {
      const name = identifier(column.name);
      const columnMembers = members.get(column.name);
      return `${columnMembers === undefined ? name : `${name}::${columnMembers.type}`} as ${name}`;
    });
    // With two threads and preserved order, row groups stay half full unless the source is CSV: files were 1.5 times as
    // large, and writing was not faster.
    if (!isCsv) await connection.run('set threads = 1');
    try {
      await connection.run(`create or replace table "rows" as select ${cells.join(', ')} from ${sortedRows}`);
    } catch (error) {
      if (mayBeNoMember(error) && [...members.values()].some(({ isCertain }) => !isCertain)) return attempt(false);
      throw error;
    }
  };
  await attempt(true);
  return { ...writtenWhole, order: places.length === 0 ? [] : order };
}

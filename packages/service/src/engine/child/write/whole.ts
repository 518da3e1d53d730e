import type { DuckDBConnection } from '@duckdb/node-api';
import { faultOf } from '../faults.ts';
import { identifier, literal } from '../quote.ts';
import { checkWidth, isWide, madeFor } from './layout.ts';
import { makeMembers } from './members.ts';
import { columnsOf } from './statistics.ts';
import { writtenWhole, type WrittenRows } from './version.ts';

/** Whether rows may be written where all members are looked for first: whatever went wrong with a value is tried again. */
const mayBeNoMember = (error: unknown): boolean => faultOf(error)?.cause === 'sql';

/** Attaches a database that is made for a table of so many columns; once, where a first attempt failed. */
export async function attachMade(
  connection: DuckDBConnection,
  path: string,
  name: string,
  columns: number,
): Promise<void> {
  await connection.run(`attach if not exists ${literal(path)} as ${name} ${madeFor(columns)}`);
  // Each thread holds blocks of its own for every column.
  if (isWide(columns)) await connection.run('set threads = 1');
}

/** A name that no column has. */
const position = '\u0001 position';

/** Writes the rows of a relation to the target, sorted by `order` and within equal values as they come; members of an ENUM are in the order of text, so that sorting by it is sorting by text. */
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
  const sorted =
    places.length === 0
      ? from
      : `(select *, row_number() over () as ${identifier(position)} from ${from}) order by ${places.join(', ')}, ${identifier(position)}`;
  const attempt = async (expect: boolean): Promise<void> => {
    const members = await makeMembers(connection, from, columns, expect);
    const cells = columns.map((column) => {
      const name = identifier(column.name);
      const few = members.get(column.name);
      return `${few === undefined ? name : `${name}::${few.type}`} as ${name}`;
    });
    // Two threads that keep the order of rows leave row groups of anything but CSV half full: the file was half as large again, and not made sooner.
    if (!isCsv) await connection.run('set threads = 1');
    try {
      await connection.run(`create or replace table "rows" as select ${cells.join(', ')} from ${sorted}`);
    } catch (error) {
      if (mayBeNoMember(error) && [...members.values()].some(({ isCertain }) => !isCertain)) return attempt(false);
      throw error;
    }
  };
  await attempt(true);
  return { ...writtenWhole, order: places.length === 0 ? [] : order };
}

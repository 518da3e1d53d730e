import type { DuckDBConnection } from '@duckdb/node-api';
import { identifier, literal } from '../quote.ts';
import type { BaseVersion } from './base.ts';
import { isSmall, madeFor, madeSmall } from './layout.ts';
import { columnsOf, type StagedColumn } from './statistics.ts';
import { changesOf, type WrittenRows } from './version.ts';

/** Parts with at most this many rows are merged into the new file instead of staying separate. */
const fewRows = 2000;

/**
 * A version is rewritten as a whole after this many appended rows, or this share of its rows, whichever is larger. This
 * limits the number of files, and adds new values to the enum columns.
 */
const wholeAgain = { rows: 20_000, share: 1 / 8 } as const;

/**
 * Returns how many leading parts stay unchanged. The rows of the other parts are merged into the new file, so that each
 * part has more rows than the next one.
 */
function partsThatStay({ parts }: BaseVersion, addedRows: number): number {
  let rows = addedRows;
  let stayCount = parts.length;
  for (const part of parts.toReversed()) {
    if (part.rows > Math.max(fewRows, rows)) break;
    rows += part.rows;
    stayCount -= 1;
  }
  return stayCount;
}

const typeOf = ({ type }: StagedColumn): string => type.alias ?? type.toString();

/**
 * Writes new rows to a separate file, and makes the files of the previous version the parts of the new version.
 * Therefore the time does not depend on the size of these files. Texts are stored as text; readers use the enum types
 * of the first part. Returns null and writes nothing if rewriting everything is better: for few rows, or if columns or
 * types change.
 */
export async function appendRows(
  connection: DuckDBConnection,
  version: BaseVersion,
  freshTable: string,
  addedRows: number,
  target: string,
): Promise<WrittenRows | null> {
  const changes = await changesOf(connection, 'base');
  const stayCount = partsThatStay(version, addedRows);
  const { columns, facts } = version;
  if (changes === null || facts === null || stayCount === 0) return null;
  const changedRows = changes.changed + addedRows;
  if (changedRows > Math.max(wholeAgain.rows, changes.whole * wholeAgain.share)) return null;
  const names = new Set(columns.map(({ name }) => name.toLowerCase()));
  const newColumns = await columnsOf(connection, freshTable);
  if (newColumns.some(({ name }) => !names.has(name.toLowerCase()))) return null;
  const absorbedParts = version.parts.slice(stayCount);
  const rows = absorbedParts.reduce((sum, part) => sum + part.rows, addedRows);
  const layout = isSmall(rows, columns.length) ? madeSmall : madeFor(columns.length);
  await connection.run(`attach ${literal(target)} as target ${layout}`);
  await connection.run('use target');
  await connection.run('begin');
  const missingColumns = columns.filter(
    ({ name }) => !newColumns.some((newColumn) => newColumn.name.toLowerCase() === name.toLowerCase()),
  );
  const selectAll = (table: string, nulls: readonly StagedColumn[]): string =>
    `select *${nulls.map(({ name }) => `, null as ${identifier(name)}`).join('')} from ${table}`;
  const tables = await version.tablesOf(absorbedParts);
  const newRows = [...tables.map((table) => selectAll(table, [])), selectAll(freshTable, missingColumns)].join(
    ' union all by name ',
  );
  const cells = columns.map((column) => `${identifier(column.name)}::${typeOf(column)} as ${identifier(column.name)}`);
  await connection.run(`create table target.main."rows" as select ${cells.join(', ')} from (${newRows})`);
  const parts = version.parts.slice(0, stayCount);
  return {
    changes: { ...changes, changed: changedRows },
    order: [],
    earlier: {
      rows: parts.reduce((sum, part) => sum + part.rows, 0),
      facts,
      added: addedRows,
      parts,
    },
    isOpen: true,
  };
}

import type { DuckDBConnection } from '@duckdb/node-api';
import type { VersionPart } from '../../versions/parts.ts';
import { identifier, literal } from '../quote.ts';
import { keepStatistics, statistics, statisticsOfAll, type EarlierRows } from './statistics.ts';

/**
 * Change history of a version: the number of rows when it was last rewritten as a whole, and how many rows were added
 * or removed since then.
 */
export interface Changes {
  readonly whole: number;
  readonly changed: number;
  /** Columns by which the rows were stably sorted when they were last rewritten as a whole. */
  readonly order: readonly string[];
}

/** Reads the change history of an attached version; null if the version has none. */
export async function changesOf(connection: DuckDBConnection, database: string): Promise<Changes | null> {
  const reader = await connection.runAndReadAll(`from ${database}.main."changes"`).catch(() => null);
  const [row] = reader?.getRowObjects() ?? [];
  const [wholeRows, changedRows] = [Number(row?.['whole']), Number(row?.['changed'])];
  // Versions of earlier releases do not record by which columns they are sorted.
  const order = row?.['sorted_by'];
  const columns: unknown = typeof order === 'string' ? JSON.parse(order) : [];
  const names = Array.isArray(columns) ? columns.map(String) : [];
  return Number.isNaN(wholeRows) || Number.isNaN(changedRows)
    ? null
    : { whole: wholeRows, changed: changedRows, order: names };
}

async function typesOf(connection: DuckDBConnection): Promise<readonly string[]> {
  const reader = await connection.runAndReadAll(
    "select type_name from duckdb_types() where database_name = 'target' and not internal",
  );
  return reader.getRows().map(([name]) => String(name));
}

/** How rows were written to a target. */
export interface WrittenRows {
  /** Change history of the version; null if the rows were rewritten as a whole. */
  readonly changes: Changes | null;
  /** If the rows were rewritten as a whole, the columns by which they were sorted. */
  readonly order: readonly string[];
  /**
   * The rows of the version that are in other files, with those files; null if all rows are in the version's own file.
   */
  readonly earlier: (EarlierRows & { readonly parts: readonly VersionPart[] }) | null;
  /** True if the transaction is still open and no enum types were created, as for few rows. */
  readonly isOpen: boolean;
}

export const writtenWhole: WrittenRows = { changes: null, order: [], earlier: null, isOpen: false };

/**
 * Stores statistics and change history next to the rows of the target, which is the current database. Returns the
 * statistics. Drops the named enum types: the types of the columns still contain the values, which would otherwise be
 * stored twice.
 */
export async function finishVersion(
  connection: DuckDBConnection,
  { changes, order, earlier, isOpen }: WrittenRows,
): Promise<Awaited<ReturnType<typeof statistics>>> {
  const rows = 'target.main."rows"';
  const summary =
    earlier === null ? await statistics(connection, rows) : await statisticsOfAll(connection, rows, earlier);
  const { whole, changed, order: sortOrder } = changes ?? { whole: summary.rows, changed: 0, order };
  if (!isOpen) await connection.run('begin');
  if (!isOpen) for (const name of await typesOf(connection)) await connection.run(`drop type ${identifier(name)}`);
  await keepStatistics(connection, 'target', summary.columns);
  await connection.run(
    `create or replace table target.main."changes" as
      select ${whole}::BIGINT as whole, ${changed}::BIGINT as changed, ${literal(JSON.stringify(sortOrder))} as sorted_by`,
  );
  await connection.run('commit');
  return summary;
}

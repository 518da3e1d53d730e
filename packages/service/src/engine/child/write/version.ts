import type { DuckDBConnection } from '@duckdb/node-api';
import type { VersionPart } from '../../versions/parts.ts';
import { identifier, literal } from '../quote.ts';
import { keepStatistics, statistics, statisticsOfAll, type EarlierRows } from './statistics.ts';

/**
 * Change history of a version: the number of rows when it was last rewritten as a whole, and how many were added or
 * removed since.
 */
export interface Changes {
  readonly whole: number;
  readonly changed: number;
  /** Sort columns of the rows when last rewritten; the sort is stable. */
  readonly order: readonly string[];
}

/** Reads the change history of an attached version; null if it has none. */
export async function changesOf(connection: DuckDBConnection, database: string): Promise<Changes | null> {
  const reader = await connection.runAndReadAll(`from ${database}.main."changes"`).catch(() => null);
  const [row] = reader?.getRowObjects() ?? [];
  const [wholeRows, changedRows] = [Number(row?.['whole']), Number(row?.['changed'])];
  // Versions of earlier releases do not record their order.
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

/** Result of writing rows to a target. */
export interface WrittenRows {
  /** Null if the rows were rewritten as a whole. */
  readonly changes: Changes | null;
  /** Sort columns if the rows were rewritten as a whole. */
  readonly order: readonly string[];
  /** Rows of the version in other files, and these files. */
  readonly earlier: (EarlierRows & { readonly parts: readonly VersionPart[] }) | null;
  /** True if the transaction is still open and no enum types were created. */
  readonly isOpen: boolean;
}

export const writtenWhole: WrittenRows = { changes: null, order: [], earlier: null, isOpen: false };

/**
 * Stores statistics and history next to the rows of the target, which is the current database, and returns the
 * statistics. Drops the named enum types, so that values are stored once, in the columns.
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

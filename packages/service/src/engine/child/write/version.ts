import type { DuckDBConnection } from '@duckdb/node-api';
import type { VersionPart } from '../../versions/parts.ts';
import { identifier, literal } from '../quote.ts';
import { keepStatistics, statistics, statisticsOfAll, type EarlierRows } from './statistics.ts';

/** How many rows were written together when a version was last written whole, and how many came or went since, over all versions. */
export interface Changes {
  readonly whole: number;
  readonly changed: number;
  /** Columns by which the rows that were written together are sorted, and within equal values as they came. */
  readonly order: readonly string[];
}

/** What an attached version has seen of changes; null where it does not say. */
export async function changesOf(connection: DuckDBConnection, database: string): Promise<Changes | null> {
  const reader = await connection.runAndReadAll(`from ${database}.main."changes"`).catch(() => null);
  const [row] = reader?.getRowObjects() ?? [];
  const [whole, changed] = [Number(row?.['whole']), Number(row?.['changed'])];
  // Earlier versions do not say in which order they are.
  const order = row?.['sorted_by'];
  const columns: unknown = typeof order === 'string' ? JSON.parse(order) : [];
  const names = Array.isArray(columns) ? columns.map(String) : [];
  return Number.isNaN(whole) || Number.isNaN(changed) ? null : { whole, changed, order: names };
}

async function typesOf(connection: DuckDBConnection): Promise<readonly string[]> {
  const reader = await connection.runAndReadAll(
    "select type_name from duckdb_types() where database_name = 'target' and not internal",
  );
  return reader.getRows().map(([name]) => String(name));
}

/** How the rows of a target came to be. */
export interface WrittenRows {
  /** Null where they were written whole. */
  readonly changes: Changes | null;
  /** The columns by which rows are sorted that were written whole. */
  readonly order: readonly string[];
  /** Rows of the version that stand in other files, and these files. */
  readonly earlier: (EarlierRows & { readonly parts: readonly VersionPart[] }) | null;
  /** Whether they are part of a transaction that has begun, and no types were made for them. */
  readonly isOpen: boolean;
}

export const writtenWhole: WrittenRows = { changes: null, order: [], earlier: null, isOpen: false };

/**
 * Puts beside the rows of the target, the database in use, what is known of them; gives it. Columns hold the members of their types:
 * the types themselves are dropped, so that members are kept once.
 */
export async function finishVersion(
  connection: DuckDBConnection,
  { changes, order, earlier, isOpen }: WrittenRows,
): Promise<Awaited<ReturnType<typeof statistics>>> {
  const rows = 'target.main."rows"';
  const found =
    earlier === null ? await statistics(connection, rows) : await statisticsOfAll(connection, rows, earlier);
  const { whole, changed, order: sorted } = changes ?? { whole: found.rows, changed: 0, order };
  if (!isOpen) await connection.run('begin');
  if (!isOpen) for (const name of await typesOf(connection)) await connection.run(`drop type ${identifier(name)}`);
  await keepStatistics(connection, 'target', found.columns);
  await connection.run(
    `create or replace table target.main."changes" as
      select ${whole}::BIGINT as whole, ${changed}::BIGINT as changed, ${literal(JSON.stringify(sorted))} as sorted_by`,
  );
  await connection.run('commit');
  return found;
}

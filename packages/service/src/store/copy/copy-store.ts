import { StoreRefused } from '../refused.ts';
import type { Rows } from '../secrets/sealed-keys.ts';
import type { Row } from '../store.ts';
import { TableSum, type StoredTable } from './stored-tables.ts';

/** A refused copy; the message has the reason. The target is unchanged. */
export class CopyRefused extends StoreRefused {}

/** A consistent snapshot of a store. No other process uses the store. */
export interface CopySource extends Rows {
  tables(): Promise<readonly StoredTable[]>;
  /** Streams all rows of a table in batches. */
  read(table: StoredTable): AsyncIterable<readonly Row[]>;
  close(): Promise<void>;
}

/** A new store, which others cannot see before `publish`. Without `publish`, `close` discards the store. */
export interface CopyTarget extends CopySource {
  insert(table: StoredTable, rows: readonly Row[]): Promise<void>;
  /** Updates sequences and indexes after all inserts. */
  finish(tables: readonly StoredTable[]): Promise<void>;
  publish(): Promise<void>;
}

/**
 * Called repeatedly while a table is copied, with the number of rows so far. `done` is true in the last call for the
 * table.
 */
export type CopyProgress = (table: string, rows: number, done: boolean) => void;

const progressEveryMs = 5_000;

/** Raises CopyRefused if the two schemas have different columns. */
function requireSame(source: readonly StoredTable[], target: readonly StoredTable[]): void {
  const columnNames = (tables: readonly StoredTable[]): readonly string[] =>
    tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column}`));
  const [from, to] = [columnNames(source), columnNames(target)];
  const differences = [...from.filter((entry) => !to.includes(entry)), ...to.filter((entry) => !from.includes(entry))];
  if (differences.length > 0)
    throw new CopyRefused(`the tables of the two stores differ: ${differences.slice(0, 10).join(', ')}`);
}

async function sumOf(source: CopySource, table: StoredTable): Promise<TableSum> {
  const sum = new TableSum(table);
  for await (const rows of source.read(table)) for (const row of rows) sum.add(row);
  return sum;
}

/**
 * Copies all tables and preserves the order of their rows. Then compares checksums of source and target. Returns the
 * number of rows by table. Raises CopyRefused.
 */
export async function copyTables(
  source: CopySource,
  target: CopyTarget,
  progress: CopyProgress,
): Promise<ReadonlyMap<string, number>> {
  const [from, to] = [await source.tables(), await target.tables()];
  requireSame(from, to);
  const json = new Map(
    from.map(({ name, json: jsonColumns }, index) => [name, new Set([...jsonColumns, ...(to[index]?.json ?? [])])]),
  );
  const tables = from.map((table) => ({ ...table, json: json.get(table.name) ?? table.json }));
  const sums = new Map<string, TableSum>();
  for (const table of tables) {
    const sum = new TableSum(table);
    let lastNoteMs = performance.now();
    // Deletes the rows that migrations created in the target.
    await target.insert(table, []);
    for await (const rows of source.read(table)) {
      await target.insert(table, rows);
      for (const row of rows) sum.add(row);
      if (performance.now() - lastNoteMs < progressEveryMs) continue;
      lastNoteMs = performance.now();
      progress(table.name, sum.rows, false);
    }
    sums.set(table.name, sum);
    progress(table.name, sum.rows, true);
  }
  await target.finish(tables);
  for (const table of tables) {
    const [readSum, writtenSum] = [sums.get(table.name), await sumOf(target, table)];
    if (readSum?.isSame(writtenSum) !== true)
      throw new CopyRefused(
        `the ${writtenSum.rows} rows of ${table.name} in the target are not the ${readSum?.rows} of the source`,
      );
  }
  return new Map([...sums].map(([name, { rows }]) => [name, rows]));
}

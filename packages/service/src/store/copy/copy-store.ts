import { StoreRefused } from '../refused.ts';
import type { Rows } from '../secrets/sealed-keys.ts';
import type { Row } from '../store.ts';
import { TableSum, type StoredTable } from './stored-tables.ts';

/** A copy that was not made; the message says why. The target was not changed. */
export class CopyRefused extends StoreRefused {}

/** A store as it was at one moment. Nothing else uses it. */
export interface CopySource extends Rows {
  tables(): Promise<readonly StoredTable[]>;
  /** All rows of a table, some at a time. */
  read(table: StoredTable): AsyncIterable<readonly Row[]>;
  close(): Promise<void>;
}

/** A new store that nobody sees before `publish`; `close` without it leaves nothing. */
export interface CopyTarget extends CopySource {
  insert(table: StoredTable, rows: readonly Row[]): Promise<void>;
  /** Brings sequences and indexes up with what was inserted. */
  finish(tables: readonly StoredTable[]): Promise<void>;
  publish(): Promise<void>;
}

/** Called with each table and the number of its rows, while they are copied and once they are. */
export type CopyProgress = (table: string, rows: number, done: boolean) => void;

const progressEveryMs = 5_000;

/** Raises CopyRefused where the tables of two stores differ. */
function requireSame(source: readonly StoredTable[], target: readonly StoredTable[]): void {
  const described = (tables: readonly StoredTable[]): readonly string[] =>
    tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column}`));
  const [from, to] = [described(source), described(target)];
  const differing = [...from.filter((one) => !to.includes(one)), ...to.filter((one) => !from.includes(one))];
  if (differing.length > 0)
    throw new CopyRefused(`the tables of the two stores differ: ${differing.slice(0, 10).join(', ')}`);
}

async function sumOf(source: CopySource, table: StoredTable): Promise<TableSum> {
  const sum = new TableSum(table);
  for await (const rows of source.read(table)) for (const row of rows) sum.add(row);
  return sum;
}

/**
 * Copies all rows of all tables, with their order, and compares what the target then holds with what was read. Gives the number of
 * rows by table. Raises CopyRefused.
 */
export async function copyTables(
  source: CopySource,
  target: CopyTarget,
  progress: CopyProgress,
): Promise<ReadonlyMap<string, number>> {
  const [from, to] = [await source.tables(), await target.tables()];
  requireSame(from, to);
  const json = new Map(from.map(({ name, json: own }, index) => [name, new Set([...own, ...(to[index]?.json ?? [])])]));
  const tables = from.map((table) => ({ ...table, json: json.get(table.name) ?? table.json }));
  const sums = new Map<string, TableSum>();
  for (const table of tables) {
    const sum = new TableSum(table);
    let noted = performance.now();
    // The target has rows of its own that its migrations made.
    await target.insert(table, []);
    for await (const rows of source.read(table)) {
      await target.insert(table, rows);
      for (const row of rows) sum.add(row);
      if (performance.now() - noted < progressEveryMs) continue;
      noted = performance.now();
      progress(table.name, sum.rows, false);
    }
    sums.set(table.name, sum);
    progress(table.name, sum.rows, true);
  }
  await target.finish(tables);
  for (const table of tables) {
    const [read, written] = [sums.get(table.name), await sumOf(target, table)];
    if (read?.isSame(written) !== true)
      throw new CopyRefused(
        `the ${written.rows} rows of ${table.name} in the target are not the ${read?.rows} of the source`,
      );
  }
  return new Map([...sums].map(([name, { rows }]) => [name, rows]));
}

import type { DuckDBConnection } from '@duckdb/node-api';
import type { FreshColumn } from './column-types/column-target.ts';

/** Returns the next batch as JSON text of an array of rows; null at the end. */
export type NextBatch = () => Promise<string | null>;

/** Rows to load into a table of texts. */
export interface TextRows {
  readonly names: readonly string[];
  readonly next: NextBatch;
  /** Types of the cells of each column, as bits of `cellKinds`; call after the last row. */
  readonly kinds: () => readonly number[];
  readonly close: () => Promise<void>;
}

/** Rows to load that may also have been counted without the reader. */
export interface CountedRows extends TextRows {
  /** Number of rows; null if not counted. Call after the last row. */
  readonly count: () => number | null;
}

/**
 * Reads up to two batches ahead to find out whether there is only one. `next` of the result starts with the first
 * batch.
 */
export async function peek(next: NextBatch): Promise<{ readonly next: NextBatch; readonly isOnly: boolean }> {
  const batchesAhead = [await next()];
  if (batchesAhead[0] !== null) batchesAhead.push(await next());
  const isOnly = batchesAhead.at(-1) === null;
  return {
    isOnly,
    next: async () => {
      const batch = batchesAhead.shift();
      return batch === undefined ? (isOnly ? null : next()) : batch;
    },
  };
}

/** Creates a table whose columns are all text from batches of rows. Returns the number of rows. */
export async function stageRows(
  connection: DuckDBConnection,
  table: string,
  { names, next }: TextRows,
  onLoaded: (rows: number) => void,
): Promise<number> {
  await connection.run(`create or replace table ${table} (${names.map((_, index) => `c${index} VARCHAR`).join(', ')})`);
  const cells = names.map((_, index) => `r[${index + 1}]`).join(', ');
  const insert = await connection.prepare(
    `insert into ${table} select ${cells} from (select unnest(from_json($1, '[["VARCHAR"]]')) as r)`,
  );
  let rows = 0;
  // One transaction for all batches: DuckDB writes full row groups to the file before the commit. A commit per batch
  // would also write the incomplete last row group each time.
  await connection.run('begin');
  for (let batch = await next(); batch !== null; batch = await next()) {
    insert.bindVarchar(1, batch);
    rows += (await insert.run()).rowsChanged;
    onLoaded(rows);
  }
  await connection.run('commit');
  return rows;
}

/** Returns the columns of a table created by `stageRows`. */
export const stagedColumns = ({ names, kinds }: Pick<TextRows, 'names' | 'kinds'>): readonly FreshColumn[] =>
  names.map((name, index) => ({ name, text: `c${index}`, kinds: kinds()[index] ?? 0 }));

/** Number of tables into which a table is divided at each step. */
const divisions = 8;

/**
 * Creates a table in the database `stage` for rows that must be converted a few at a time. DuckDB converts the nested
 * cells of a whole vector even if a query selects few of its rows. Therefore the unconverted rows are first divided
 * into smaller and smaller tables.
 */
export async function stageParts(
  connection: DuckDBConnection,
  table: string,
  { raw, cells, rows: maxRows }: { readonly raw: string; readonly cells: string; readonly rows: number },
): Promise<void> {
  const wholeTable = 'stage.main."part_0"';
  await connection.run('set threads = 1');
  await connection.run(`create or replace table ${wholeTable} as from ${raw}`);
  await connection.run(`create or replace table ${table} as select ${cells} from ${wholeTable} limit 0`);
  const divide = async (from: string, depth: number): Promise<void> => {
    const countReader = await connection.runAndReadAll(`select count(*)::double from ${from}`);
    const count = Number(countReader.getRows()[0]?.[0]);
    if (count <= maxRows) await connection.run(`insert into ${table} select ${cells} from ${from}`);
    else {
      const part = `stage.main."part_${depth}"`;
      const size = Math.max(maxRows, Math.ceil(count / divisions));
      for (let at = 0; at < count; at += size) {
        const rows = `rowid >= ${at} and rowid < ${at + size}`;
        await connection.run(`create or replace table ${part} as from ${from} where ${rows}`);
        await divide(part, depth + 1);
      }
    }
    await connection.run(`drop table ${from}`);
  };
  await divide(wholeTable, 1);
}

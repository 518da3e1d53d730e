import type { DuckDBConnection } from '@duckdb/node-api';
import type { FreshColumn } from './column-types/column-target.ts';

/** The next batch as the JSON text of an array of rows; null when there are no more. */
export type NextBatch = () => Promise<string | null>;

/** Rows on their way into a table of texts. */
export interface TextRows {
  readonly names: readonly string[];
  readonly next: NextBatch;
  /** What the cells of each column are; asked for when all rows are there. */
  readonly kinds: () => readonly number[];
  readonly close: () => Promise<void>;
}

/** Rows with a count that does not come from the parser, to detect rows that were lost or invented while reading. */
export interface CountedRows extends TextRows {
  /** Asked for when all rows are there; null where nobody counted them. */
  readonly count: () => number | null;
}

/** Batches from the first on; whether that is the only one is known before the others are asked for. */
export async function peek(next: NextBatch): Promise<{ readonly next: NextBatch; readonly isOnly: boolean }> {
  const ahead = [await next()];
  if (ahead[0] !== null) ahead.push(await next());
  const isOnly = ahead.at(-1) === null;
  return {
    isOnly,
    next: async () => {
      const batch = ahead.shift();
      return batch === undefined ? (isOnly ? null : next()) : batch;
    },
  };
}

/** Makes a table of a quoted name, in a database, of rows as texts; gives how many there are. */
export async function stageRows(
  connection: DuckDBConnection,
  table: string,
  { names, next }: TextRows,
  loaded: (rows: number) => void,
): Promise<number> {
  await connection.run(`create or replace table ${table} (${names.map((_, index) => `c${index} VARCHAR`).join(', ')})`);
  const cells = names.map((_, index) => `r[${index + 1}]`).join(', ');
  const insert = await connection.prepare(
    `insert into ${table} select ${cells} from (select unnest(from_json($1, '[["VARCHAR"]]')) as r)`,
  );
  let rows = 0;
  // Groups of rows go to the file as they are full; each commit would write the last of them again.
  await connection.run('begin');
  for (let batch = await next(); batch !== null; batch = await next()) {
    insert.bindVarchar(1, batch);
    rows += (await insert.run()).rowsChanged;
    loaded(rows);
  }
  await connection.run('commit');
  return rows;
}

/** The columns of a table that `stageRows` made. */
export const stagedColumns = ({ names, kinds }: Pick<TextRows, 'names' | 'kinds'>): readonly FreshColumn[] =>
  names.map((name, index) => ({ name, text: `c${index}`, kinds: kinds()[index] ?? 0 }));

/** Into how many tables rows are divided at once. */
const divisions = 8;

/**
 * Makes a table of a quoted name, beside others in the database `stage`, of rows whose cells are made a few rows at a time: cells of nested
 * types are made for all rows of a vector, whichever are asked for. So the rows are divided into tables until one has few of them.
 */
export async function stageParts(
  connection: DuckDBConnection,
  table: string,
  { raw, cells, rows: most }: { readonly raw: string; readonly cells: string; readonly rows: number },
): Promise<void> {
  const all = 'stage.main."part_0"';
  await connection.run('set threads = 1');
  await connection.run(`create or replace table ${all} as from ${raw}`);
  await connection.run(`create or replace table ${table} as select ${cells} from ${all} limit 0`);
  const divide = async (from: string, depth: number): Promise<void> => {
    const counted = await connection.runAndReadAll(`select count(*)::double from ${from}`);
    const count = Number(counted.getRows()[0]?.[0]);
    if (count <= most) await connection.run(`insert into ${table} select ${cells} from ${from}`);
    else {
      const part = `stage.main."part_${depth}"`;
      const size = Math.max(most, Math.ceil(count / divisions));
      for (let at = 0; at < count; at += size) {
        const rows = `rowid >= ${at} and rowid < ${at + size}`;
        await connection.run(`create or replace table ${part} as from ${from} where ${rows}`);
        await divide(part, depth + 1);
      }
    }
    await connection.run(`drop table ${from}`);
  };
  await divide(all, 1);
}

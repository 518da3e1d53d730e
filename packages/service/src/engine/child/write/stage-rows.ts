import type { DuckDBConnection } from '@duckdb/node-api';
import type { FreshColumn } from './decide.ts';

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

/** Rows that are counted while they are read, by another count than that of the reader. */
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

import type { DuckDBConnection } from '@duckdb/node-api';
import { partsOf } from '../../version-parts.ts';
import { identifier } from '../quote.ts';
import { attachVersion } from '../versions.ts';
import type { BaseRows } from './decide.ts';
import { columnsOf, enumColumns, keptStatistics } from './statistics.ts';

/** The relation that gives the rows of the version before; its texts are texts. */
export const base = 'temp.main."base_rows"';

/** A file of the version before, and its rows. */
export interface BasePart {
  readonly path: string;
  /** Its table, quoted. */
  readonly table: string;
  readonly rows: number;
}

/** The version that rows are put onto. */
export interface BaseVersion extends BaseRows {
  /** Its files in the order of their rows, its own one last. */
  readonly parts: readonly BasePart[];
  readonly rows: number;
}

/** Attaches the version that rows are put onto; its own file as `base`. */
export async function openBase(connection: DuckDBConnection, path: string): Promise<BaseVersion> {
  const { relation, parts: names } = await attachVersion(connection, path, 'base');
  const texts = (await enumColumns(connection, relation)).map(
    (name) => `${identifier(name)}::VARCHAR as ${identifier(name)}`,
  );
  const all = texts.length === 0 ? '*' : `* replace (${texts.join(', ')})`;
  await connection.run(`create or replace temp view "base_rows" as select ${all} from ${relation}`);
  const tables = names.map((name) => `${name}.main."rows"`);
  const counts = await connection.runAndReadAll(
    `select ${tables.map((table) => `(select count(*) from ${table})`).join(', ')}`,
  );
  const rows = (counts.getRows()[0] ?? []).map(Number);
  const paths = partsOf(path);
  return {
    table: base,
    columns: await columnsOf(connection, base),
    facts: await keptStatistics(connection, 'base'),
    parts: tables.map((table, index) => ({ path: paths[index] ?? path, table, rows: rows[index] ?? 0 })),
    rows: rows.reduce((sum, one) => sum + one, 0),
  };
}

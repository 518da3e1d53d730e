import type { DuckDBConnection } from '@duckdb/node-api';
import { listedParts, type VersionPart } from '../../versions/parts.ts';
import { attach } from '../database.ts';
import { rowsOf } from '../parts.ts';
import { identifier } from '../quote.ts';
import type { BaseRows } from './column-types/decide.ts';
import { columnsOf, enumColumns, keptStatistics } from './statistics.ts';

/** The relation with the rows of the previous version, with enum values as text. */
export const base = 'temp.main."base_rows"';

/** The version that rows are appended to. */
export interface BaseVersion extends BaseRows {
  /** Files of the version in the order of their rows, with the version's own file last. */
  readonly parts: readonly VersionPart[];
  readonly rows: number;
  /** Attaches files of the version if needed, and returns the tables of those files. */
  readonly tablesOf: (parts: readonly VersionPart[]) => Promise<readonly string[]>;
}

/**
 * Attaches the previous version's own file as `base`. Attaches its other files on demand, since attaching a file with
 * many enum values takes as long as writing a few rows.
 */
export async function openBase(connection: DuckDBConnection, path: string): Promise<BaseVersion> {
  await attach(connection, path, 'base');
  const ownRows = rowsOf('base');
  const asText = async (relation: string): Promise<string> => {
    const texts = (await enumColumns(connection, relation))
      .map(identifier)
      .map((name) => `${name}::VARCHAR as ${name}`);
    return `select ${texts.length === 0 ? '*' : `* replace (${texts.join(', ')})`} from ${relation}`;
  };
  const earlierParts = listedParts(path);
  const countReader = await connection.runAndReadAll(`select count(*) from ${ownRows}`);
  const parts = [...earlierParts, { path, rows: Number(countReader.getRows()[0]?.[0]) }];
  const attachedNames = new Map<string, string>([[path, 'base']]);
  const tablesOf = async (someParts: readonly VersionPart[]): Promise<readonly string[]> => {
    const tables: string[] = [];
    for (const part of someParts) {
      const name = attachedNames.get(part.path) ?? `base_${parts.indexOf(part)}`;
      if (!attachedNames.has(part.path)) await attach(connection, part.path, name);
      attachedNames.set(part.path, name);
      tables.push(rowsOf(name));
    }
    return tables;
  };
  let wholeTable: Promise<string> | null = null;
  const makeAll = async (): Promise<string> => {
    const tables = (await tablesOf(parts)).map((table) => `from ${table}`);
    const query = await asText(tables.length === 1 ? ownRows : `(${tables.join(' union all by name ')})`);
    await connection.run(`create or replace temp view "base_rows" as ${query}`);
    return base;
  };
  return {
    columns: await columnsOf(connection, `(${await asText(ownRows)})`),
    facts: await keptStatistics(connection, 'base'),
    table: () => (wholeTable ??= makeAll()),
    parts,
    tablesOf,
    rows: parts.reduce((sum, part) => sum + part.rows, 0),
  };
}

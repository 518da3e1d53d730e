import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import type { BenchTable, Domain } from './domain.ts';
import { csvOf, generateRows } from './generate.ts';

export type ExpectedCell = string | number | boolean | null;

/** The tables of a domain in DuckDB, to ask for the right rows. */
export class ExpectedAnswers {
  readonly #connection: DuckDBConnection;

  private constructor(connection: DuckDBConnection) {
    this.#connection = connection;
  }

  static async open(domain: Domain): Promise<ExpectedAnswers> {
    const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
    const folder = mkdtempSync(join(tmpdir(), 'inlay-questions-'));
    try {
      for (const table of domain.tables) {
        const file = join(folder, 'table.csv');
        writeFileSync(file, csvOf(table, generateRows(domain.name, table, domain.today)));
        await connection.run(`create table "${table.name}" as select * from read_csv('${file}',
          header = true, nullstr = '', columns = {${columnTypes(table)}})`);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
    return new ExpectedAnswers(connection);
  }

  async rows(sql: string): Promise<ExpectedCell[][]> {
    const reader = await this.#connection.runAndReadAll(sql);
    return reader.getRowsJson().map((row) => row.map(cellOf));
  }

  close(): void {
    this.#connection.closeSync();
  }
}

/** DuckDB writes numbers beyond JavaScript's as text. */
function cellOf(value: unknown): ExpectedCell {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value !== 'string') throw new Error(`no cell: ${JSON.stringify(value)}`);
  return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
}

const duckdbTypes = { hierarchy: 'varchar', numeric: 'double', datetime: 'timestamp' } as const;

function columnTypes(table: BenchTable): string {
  return table.columns.map(({ name, type }) => `'${name}': '${duckdbTypes[type]}'`).join(', ');
}

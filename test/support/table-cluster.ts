import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { ClusterSchema } from '../../packages/service/src/cluster/connect.ts';
import type { SourceRows } from '../../packages/service/src/connectors/connector.ts';
import { SourceProblem } from '../../packages/service/src/connectors/problem.ts';

async function countRows(folder: string): Promise<number> {
  const paths = readdirSync(folder).map((name) => `'${join(folder, name)}'`);
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const reader = await connection.runAndReadAll(`select count(*) from read_parquet([${paths.join(', ')}])`);
  connection.closeSync();
  instance.closeSync();
  return Number(reader.getRows()[0]?.[0]);
}

/** A cluster that has external tables and counts the rows of their files, and can do nothing else. */
export class TableCluster {
  /** Locations of the files of the tables, by name. */
  readonly tables = new Map<string, string>();
  isDown = false;
  /** Called before a statement runs. */
  before: (sql: string) => unknown = () => undefined;

  /** The connection of a service to this cluster, for all but queries. */
  get connection(): ClusterSchema {
    return {
      catalog: 'lake',
      schema: 'inlay',
      execute: async (sql) => {
        await this.before(sql);
        if (this.isDown) throw new SourceProblem('refused');
        return this.#rows(sql);
      },
    };
  }

  async #rows(sql: string): Promise<SourceRows> {
    const [, name = ''] = /"lake"\."inlay"\."(\w+)"/u.exec(sql) ?? [];
    if (sql.startsWith('CREATE TABLE')) {
      const [, location = ''] = /external_location = 'file:\/\/([^']+)'/u.exec(sql) ?? [];
      this.tables.set(name, location);
    } else if (sql.startsWith('DROP TABLE')) this.tables.delete(name);
    else if (sql.startsWith('SELECT count')) return [[await countRows(this.tables.get(name) ?? '')]];
    else if (sql.startsWith('SELECT table_name'))
      return [...this.tables.keys(), 'of_somebody_else'].map((each) => [each]);
    else if (sql.startsWith('SHOW SESSION')) return [['lake.timestamp_precision', 'MICROSECONDS']];
    else throw new Error(`what is ${sql}`);
    return [];
  }
}

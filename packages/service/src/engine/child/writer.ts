import type { DuckDBConnection } from '@duckdb/node-api';
import { rollupRows } from '../engine.ts';
import type { IngestRequest } from '../messages.ts';
import { identifier } from './quote.ts';
import { attachedNames } from './versions.ts';
import { base } from './write/base.ts';
import { makeFits } from './write/column-types/fits.ts';

/** Resources for writing a version. */
export interface WriterBounds {
  readonly threads: number;
  /** Memory limit for the shared strings of a workbook, in MB. */
  readonly textsMb: number;
}

/** For few rows, a second thread costs more in synchronization than it saves. */
const fewThreads = 1;

/** Configures a connection that writes versions, before access is restricted. */
export async function prepareWriter(connection: DuckDBConnection): Promise<void> {
  // Commits go directly to the file. A log would repeat the values of every ENUM for each row group: 190 MB for 15
  // million rows.
  await connection.run("set checkpoint_threshold = '0KB'");
  await connection.run('set auto_checkpoint_skip_wal_threshold = 0');
  await connection.run(`set threads = ${fewThreads}`);
  await connection.run('set enable_progress_bar = true');
  await connection.run('set enable_progress_bar_print = false');
  await makeFits(connection);
}

/** Temporary objects that writing a version may leave behind. */
const leftovers = [
  ...['memory.main."whole_view"', 'memory.main."fresh_view"', `temp.main.${identifier(rollupRows)}`, base].map(
    (name) => `drop view if exists ${name}`,
  ),
  ...['memory.main."staged"', 'memory.main."fresh"', 'temp.main."found"'].map((name) => `drop table if exists ${name}`),
];

/** Resets the connection after a version was written or failed. Raises errors of DuckDB. */
export async function clearWriter(connection: DuckDBConnection, { onto }: IngestRequest): Promise<void> {
  const attachedDatabases = ['stage', 'target', ...(onto === null ? [] : attachedNames(onto.path, 'base'))];
  const detached = attachedDatabases.map((name) => `detach database if exists ${name}`);
  // One call for all statements: each separate call would wait for its turn on a busy machine.
  await connection.run(['use memory', ...leftovers, ...detached, `set threads = ${fewThreads}`].join('; '));
}

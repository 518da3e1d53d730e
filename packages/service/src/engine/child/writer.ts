import type { DuckDBConnection } from '@duckdb/node-api';
import type { IngestRequest } from '../messages.ts';
import { attachedNames } from './versions.ts';
import { base } from './write/base.ts';
import { makeFits } from './write/column-types/fits.ts';

/** What writing a version may use. */
export interface WriterBounds {
  readonly threads: number;
  /** Memory for what a workbook's sheets share. */
  readonly textsMb: number;
}

/** More threads than this wait for each other longer than few rows take. */
const fewThreads = 1;

/** Sets a connection up that writes versions, before it is confined. */
export async function prepareWriter(connection: DuckDBConnection): Promise<void> {
  // What is committed goes to the file at once: a log of it would repeat the members of every ENUM for each row group, 190 MB for 15 million rows.
  await connection.run("set checkpoint_threshold = '0KB'");
  await connection.run('set auto_checkpoint_skip_wal_threshold = 0');
  await connection.run(`set threads = ${fewThreads}`);
  await connection.run('set enable_progress_bar = true');
  await connection.run('set enable_progress_bar_print = false');
  await makeFits(connection);
}

/** Names in memory and in the session that are used while a version is written. */
const leftovers = [
  ...['memory.main."whole_view"', 'memory.main."fresh_view"', base].map((name) => `drop view if exists ${name}`),
  ...['memory.main."staged"', 'memory.main."fresh"', 'temp.main."found"'].map((name) => `drop table if exists ${name}`),
];

/** Leaves nothing of a version that was written, or not, behind on its connection. Raises what DuckDB raises. */
export async function clearWriter(connection: DuckDBConnection, { onto }: IngestRequest): Promise<void> {
  const attached = ['stage', 'target', ...(onto === null ? [] : attachedNames(onto.path, 'base'))];
  const detached = attached.map((name) => `detach database if exists ${name}`);
  // Sent together: each statement of its own waits for its turn with others of the machine.
  await connection.run(['use memory', ...leftovers, ...detached, `set threads = ${fewThreads}`].join('; '));
}

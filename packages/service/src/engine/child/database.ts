import { mkdirSync } from 'node:fs';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { isDiskFull, isDiskUnwritable } from '../../problems/disk-full.ts';
import type { ChildLimits } from '../messages.ts';
import { literal, literals } from './quote.ts';

const settings = ({ memoryMb, threads, workFolder, spillMb }: ChildLimits): Readonly<Record<string, string>> => ({
  memory_limit: `${memoryMb}MB`,
  threads: String(threads),
  temp_directory: workFolder,
  max_temp_directory_size: `${spillMb}MB`,
  max_expression_depth: '1000',
  allow_community_extensions: 'false',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_persistent_secrets: 'false',
  allow_unsigned_extensions: 'false',
  enable_object_cache: 'false',
});

/** Opens an empty in-memory database with the limits of this child, not yet locked down. */
export async function openDatabase(limits: ChildLimits): Promise<DuckDBInstance> {
  try {
    mkdirSync(limits.workFolder, { recursive: true, mode: 0o700 });
  } catch (error) {
    // Only statements that spill need the folder.
    if (!isDiskFull(error) && !isDiskUnwritable(error)) throw error;
  }
  return DuckDBInstance.create(':memory:', settings(limits));
}

/** Restricts file access to these folders and files. */
export async function confine(
  connection: DuckDBConnection,
  allowed: { readonly folders: readonly string[]; readonly files: readonly string[] },
): Promise<void> {
  await connection.run(`set allowed_directories = ${literals(allowed.folders)}`);
  await connection.run(`set allowed_paths = ${literals(allowed.files)}`);
  await connection.run('set enable_external_access = false');
}

/** Prevents any further change of settings. */
export const lock = (connection: DuckDBConnection): Promise<unknown> => connection.run('set lock_configuration = true');

/** Attaches a dataset version read-only under a name. */
export const attach = (connection: DuckDBConnection, path: string, name: string): Promise<unknown> =>
  connection.run(`attach ${literal(path)} as ${name} (read_only)`);

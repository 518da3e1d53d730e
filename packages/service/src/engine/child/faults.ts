import { EngineProblem } from '../engine.ts';
import { isDiskFull, isDiskUnwritable } from '../../problems/disk-full.ts';
import type { ChildFault } from '../messages.ts';

/** DuckDB error classes whose messages describe the statement and never contain values of rows. */
const shapeOnly = ['Binder', 'Catalog', 'Parser', 'Syntax'];

const detailOf = (text: string): string =>
  (text.split('\n')[0] ?? '').replaceAll(/(?:"|')?\/[^\s"']*(?:"|')?/gu, 'a file').slice(0, 300);

/**
 * True if the disk is full, according to the system or DuckDB. False if only DuckDB's limit for spill files is reached,
 * since the service sets that limit.
 */
export const isNoRoom = (error: unknown): boolean =>
  isDiskFull(error) ||
  (error instanceof Error && /No space left on device|Disk quota exceeded|disk is full/iu.test(error.message));

/** True if the folder of a version is not writable, according to the system or DuckDB. */
const isReadOnly = (error: unknown): boolean =>
  isDiskUnwritable(error) ||
  (error instanceof Error && /Read-only file system|Permission denied/iu.test(error.message));

/** True if the child has run out of file descriptors, according to the system or DuckDB. */
const hasNoDescriptors = (error: unknown): boolean =>
  error instanceof Error && /EMFILE|ENFILE|Too many open files/iu.test(error.message);

const saysDamage = /Corrupt database file|valid DuckDB database file|\.duckdb["' ]|Could not read enough bytes/u;

/** True if a file of a version is corrupt. */
export function isDamage(error: unknown): boolean {
  if (!(error instanceof Error) || /No such file|does not exist/iu.test(error.message)) return false;
  const { message } = error;
  return message.startsWith('Serialization Error') || (message.startsWith('IO Error: ') && saysDamage.test(message));
}

/**
 * Converts an error of DuckDB to a fault. Omits values of rows and paths, which could reveal what a row filter hides
 * from the caller. Returns null if the database is unusable; the child must then exit.
 */
export function faultOf(error: unknown): ChildFault | null {
  if (error instanceof EngineProblem) return { cause: error.cause, ...(error.detail && { detail: error.detail }) };
  if (isNoRoom(error)) return { cause: 'disk' };
  if (isReadOnly(error)) return { cause: 'unwritable' };
  if (hasNoDescriptors(error)) return { cause: 'descriptors' };
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { cause: 'missing' };
  if (isDamage(error)) return { cause: 'damaged' };
  const text = error instanceof Error ? error.message : String(error);
  const [, kind = '', rest = ''] = /^([A-Za-z -]+) Error: ([\s\S]*)$/u.exec(text) ?? [];
  if (kind === 'INTERRUPT') return { cause: 'interrupted' };
  if (kind === 'Out of Memory' || /max_temp_directory_size|temp_directory/u.test(text)) return { cause: 'memory' };
  if (kind === 'FATAL' || kind === 'INTERNAL' || /has been invalidated/u.test(text)) return null;
  if (kind === 'Permission') return { cause: 'forbidden_sql' };
  if (kind === 'IO') return { cause: /No such file|does not exist|no files found/iu.test(rest) ? 'missing' : 'input' };
  if (kind === 'Conversion') return { cause: 'sql', detail: 'a value does not fit the type it is converted to' };
  if (kind === 'Out of Range') return { cause: 'sql', detail: 'a number becomes too large' };
  return shapeOnly.includes(kind) ? { cause: 'sql', detail: detailOf(rest) } : { cause: 'sql' };
}

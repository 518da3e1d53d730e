import type { Caller } from '../access/caller.ts';
import { Problem } from '../problems/problem.ts';
import type { Sql } from '../store/sql.ts';
import { ReadsBusy, ReadTooLong, type Reader, type Row } from '../store/store.ts';

/** Maximum number of bytes that the main thread reads and serializes. */
export const nearBytes = 1024 ** 2;

/** How to run a statement. */
export interface LongRead {
  readonly statement: Sql;
  /** True if the statement may scan every record and much of each record. */
  readonly isCostly: boolean;
  /** True if the result is too large for the main thread. */
  readonly isLarge?: boolean;
}

/**
 * Runs a search statement among short reads, and if it takes longer than a few milliseconds, isolated from them. Raises
 * Problem `find_too_long`, `overloaded`, and StoreUnavailable.
 */
export async function readLong(
  reader: Reader,
  caller: Caller | null,
  { statement, isCostly, isLarge = false }: LongRead,
): Promise<readonly Row[]> {
  const { long } = reader;
  if (long === undefined || (long.atOnce === null && !isCostly)) return reader.rows(statement);
  try {
    if (long.atOnce !== null && !isLarge) return await long.atOnce(statement);
  } catch (error) {
    if (!(error instanceof ReadTooLong)) throw error;
  }
  try {
    return await long.rows(statement, caller?.organizationId ?? '');
  } catch (error) {
    throw longReadProblem(error);
  }
}

/** Converts an error of a long read to a Problem; returns other errors unchanged. */
export function longReadProblem(error: unknown): unknown {
  if (error instanceof ReadTooLong) return new Problem('find_too_long');
  if (error instanceof ReadsBusy)
    return new Problem('overloaded', { message: 'Too many searches wait.', retryAfterS: 5 });
  return error;
}

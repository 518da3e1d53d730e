import type { Caller } from '../access/caller.ts';
import { Problem } from '../problems/problem.ts';
import type { Sql } from '../store/sql.ts';
import { ReadsBusy, ReadTooLong, type Reader, type Row } from '../store/store.ts';

/** Bytes of records that are read and written out on the thread that answers others. */
export const nearBytes = 1024 ** 2;

/** How a statement is to be read. */
export interface LongRead {
  readonly statement: Sql;
  /** Whether it may look at every record and at much of each. */
  readonly isCostly: boolean;
  /** Known to be too much for the thread that answers others. */
  readonly isLarge?: boolean;
}

/**
 * Rows of a search: at once where that is over in a few milliseconds, else away from whatever answers others. Raises
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

/** The Problem of a long read that failed; other errors unchanged. */
export function longReadProblem(error: unknown): unknown {
  if (error instanceof ReadTooLong) return new Problem('find_too_long');
  if (error instanceof ReadsBusy)
    return new Problem('overloaded', { message: 'Too many searches wait.', retryAfterS: 5 });
  return error;
}

import { OutcomeUnknown, StoreConflict, StoreDamaged, StoreFull, StoreUnavailable } from '../store.ts';

const uniquePrefix = 'UNIQUE constraint failed: ';

/**
 * Primary result codes (https://sqlite.org/rescode.html) for failures of the store; the statement itself is correct.
 */
const unavailableCodes: ReadonlySet<number> = new Set([5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 26]);

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const damaged: ReadonlySet<number> = new Set([11, 26]);

/**
 * True for SQLITE_FULL and SQLITE_IOERR_SHMSIZE. The latter occurs if the disk is too full for the index of the log.
 */
const isFull = (code: number): boolean => (code & 0xff) === 13 || code === 4874;

/** SQLITE_IOERR_FSYNC and SQLITE_IOERR_DIR_FSYNC. After them, it is unknown what the disk contains. */
const unsyncedCodes: ReadonlySet<number> = new Set([1034, 1290]);

const resultCode = (error: unknown): number =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : 0;

/** True if a statement did nothing because another connection held a lock. */
export const isBusy = (error: unknown): boolean =>
  error instanceof StoreUnavailable && (resultCode(error.cause) & 0xff) === 5;

/** True if a flush to disk failed. No later write can then be trusted. */
export const isUnsynced = (error: unknown): boolean => unsyncedCodes.has(resultCode(error));

/**
 * Parses the name of a violated unique rule. For an expression index it is `index '<table>__<column>__unique'`,
 * otherwise `<table>.<column>, <table>.<column>`.
 */
function conflict(rule: string): StoreConflict {
  const index = /^index '(.+)__unique'$/u.exec(rule)?.[1];
  const [table = '', ...columns] =
    index === undefined
      ? [rule.split('.')[0] ?? '', ...rule.split(', ').map((column) => column.slice(column.indexOf('.') + 1))]
      : index.split('__');
  return new StoreConflict(table, columns.toSorted().join(','));
}

/** Converts an error of the driver to one of the store; returns other errors unchanged. */
export function sqliteError(error: unknown): unknown {
  const code = resultCode(error);
  if (!(error instanceof Error) || code === 0) return error;
  if (isUnsynced(error)) return new OutcomeUnknown(error.message, { cause: error });
  if (damaged.has(code & 0xff)) return new StoreDamaged(error.message, { cause: error });
  if (isFull(code)) return new StoreFull(error.message, { cause: error });
  if (unavailableCodes.has(code & 0xff)) return new StoreUnavailable(error.message, { cause: error });
  if (error.message.startsWith(uniquePrefix)) return conflict(error.message.slice(uniquePrefix.length));
  return error;
}

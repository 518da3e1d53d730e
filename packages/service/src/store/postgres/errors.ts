import postgres from 'postgres';
import { ReadTooLong, StoreConflict, StoreFull, StoreUnavailable } from '../store.ts';

/** SQLSTATE classes and codes for failures of the server and for timeouts; the statement itself is correct. */
const unavailableStates = /^(?:08|28|53|58|57P0|57014|55P03|25006|25P03|3D000|XX00|40001|40P01)/u;

const diskFull = '53100';

/** Error codes of the driver for incorrect use by this program. */
const misuse: ReadonlySet<string> = new Set([
  'UNDEFINED_VALUE',
  'MAX_PARAMETERS_EXCEEDED',
  'UNSAFE_TRANSACTION',
  'COPY_IN_PROGRESS',
  'NOT_TAGGED_CALL',
  'MESSAGE_NOT_SUPPORTED',
]);

const isFatal = (error: postgres.PostgresError): boolean => error.severity === 'FATAL' || error.severity === 'PANIC';

/** True if the connection is unusable: it broke, the server closed it, or it leads to a read-only standby server. */
export function breaksConnection(error: unknown): boolean {
  if (error instanceof postgres.PostgresError) return isFatal(error) || error.code === '25006';
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && !misuse.has(error.code);
}

/** True if the server has refused a statement and rolled back its transaction, but keeps the session. */
export const isRefusal = (error: unknown): boolean => error instanceof postgres.PostgresError && !isFatal(error);

/** True for a serialization failure or a deadlock; a retry may then succeed. */
export const isPassing = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && (error.code === '40001' || error.code === '40P01');

/** True if a statement did not get a lock in time. */
export const isLockWait = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && error.code === '55P03';

/** True if a statement exceeded its time limit. */
const isTooLong = (error: unknown): boolean => error instanceof postgres.PostgresError && error.code === '57014';

/**
 * Returns the conflict that a unique index reports. Indexes with the name `<table>__<column>__<column>__unique` are
 * identified by their name, others by the columns in the error's detail.
 */
function conflict(error: postgres.PostgresError): StoreConflict {
  const table = error.table_name ?? '';
  const rule = error.constraint_name ?? '';
  const isUniqueRule = rule.startsWith(`${table}__`) && rule.endsWith('__unique');
  const columns = isUniqueRule
    ? rule.slice(table.length + 2, -'__unique'.length).split('__')
    : (/\(([^()]+)\)=\(/u.exec(error.detail ?? '')?.[1] ?? 'id').split(', ');
  return new StoreConflict(table, columns.toSorted().join(','));
}

/** Converts an error of the driver to one of the store; returns other errors unchanged. */
export function postgresError(error: unknown): unknown {
  if (breaksConnection(error))
    return new StoreUnavailable(error instanceof Error ? error.message : '', { cause: error });
  if (!(error instanceof postgres.PostgresError)) return error;
  if (error.code === '23505') return conflict(error);
  if (error.code === diskFull) return new StoreFull(error.message, { cause: error });
  return unavailableStates.test(error.code) ? new StoreUnavailable(error.message, { cause: error }) : error;
}

/** Like `postgresError`, but a timeout becomes ReadTooLong. */
export const longReadError = (error: unknown): unknown =>
  isTooLong(error) ? new ReadTooLong('the read took longer than it may', { cause: error }) : postgresError(error);

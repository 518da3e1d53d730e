import postgres from 'postgres';
import { ReadTooLong, StoreConflict, StoreFull, StoreUnavailable } from '../store.ts';

/** SQLSTATE classes and codes which say that the server, not the statement, is at fault, or that it took too long. */
const unavailable = /^(?:08|28|53|58|57P0|57014|55P03|25006|25P03|3D000|XX00|40001|40P01)/u;

const diskFull = '53100';

/** Codes of the driver which say that it was used wrongly. */
const misuse: ReadonlySet<string> = new Set([
  'UNDEFINED_VALUE',
  'MAX_PARAMETERS_EXCEEDED',
  'UNSAFE_TRANSACTION',
  'COPY_IN_PROGRESS',
  'NOT_TAGGED_CALL',
  'MESSAGE_NOT_SUPPORTED',
]);

const isFatal = (error: postgres.PostgresError): boolean => error.severity === 'FATAL' || error.severity === 'PANIC';

/** Whether the connection is of no more use: it broke, the server ended it, or it leads to a read-only standby. */
export function breaksConnection(error: unknown): boolean {
  if (error instanceof postgres.PostgresError) return isFatal(error) || error.code === '25006';
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && !misuse.has(error.code);
}

/** Whether the server itself has refused a statement and goes on: whatever transaction it was in will not be. */
export const isRefusal = (error: unknown): boolean => error instanceof postgres.PostgresError && !isFatal(error);

/** Whether the same work may succeed when it is done once more: serialization failure, deadlock. */
export const isPassing = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && (error.code === '40001' || error.code === '40P01');

/** Whether another session held a lock for too long. */
export const isLockWait = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && error.code === '55P03';

/** Whether a statement ran past its time. */
const isTooLong = (error: unknown): boolean => error instanceof postgres.PostgresError && error.code === '57014';

/** Unique indexes are called `<table>__<column>__<column>__unique`; others are known by the columns in the detail. */
function conflict(error: postgres.PostgresError): StoreConflict {
  const table = error.table_name ?? '';
  const rule = error.constraint_name ?? '';
  const named = rule.startsWith(`${table}__`) && rule.endsWith('__unique');
  const columns = named
    ? rule.slice(table.length + 2, -'__unique'.length).split('__')
    : (/\(([^()]+)\)=\(/u.exec(error.detail ?? '')?.[1] ?? 'id').split(', ');
  return new StoreConflict(table, columns.toSorted().join(','));
}

/** Gives the error of the store for an error of the driver; any other error comes back as it is. */
export function postgresError(error: unknown): unknown {
  if (breaksConnection(error))
    return new StoreUnavailable(error instanceof Error ? error.message : '', { cause: error });
  if (!(error instanceof postgres.PostgresError)) return error;
  if (error.code === '23505') return conflict(error);
  if (error.code === diskFull) return new StoreFull(error.message, { cause: error });
  return unavailable.test(error.code) ? new StoreUnavailable(error.message, { cause: error }) : error;
}

/** The same for a read that may take long. */
export const longReadError = (error: unknown): unknown =>
  isTooLong(error) ? new ReadTooLong('the read took longer than it may', { cause: error }) : postgresError(error);

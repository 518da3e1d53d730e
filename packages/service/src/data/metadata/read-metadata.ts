import { timestamp, type JsonObject } from '@inlay/contract';
import type { FoundColumn } from '../../commands/sources.ts';
import type { Preparation } from '../../resource/rules.ts';
import { mainTable, recordOf, storedColumns, storedOf } from '../../resource/tables.ts';
import { sql } from '../../store/sql.ts';
import type { Reader } from '../../store/store.ts';
import type { Caller } from '../../access/caller.ts';
import { toProblem } from '../problems.ts';
import { foundColumn } from './found.ts';
import { readAccount } from '../model/load-account.ts';
import { resolveAccount } from '../resolve-account.ts';
import { untraced } from '../../tracing/trace.ts';
import { atSource, type SourceAsking } from '../run/at-source.ts';
import { askedOf, connectorOf, type AccountResolver } from '../sources.ts';

/** Dependencies for reading the schema of a source. */
export interface MetadataContext extends AccountResolver, SourceAsking {
  readonly reader: Reader;
}

/** The caller when the service itself reads a source in the background. */
const itself: Pick<Caller, 'authorizationId' | 'userId'> = { authorizationId: '', userId: null };

/** Returns the current columns of a dataset at its source; null if the dataset has no source. Raises Problem. */
export async function readColumns(
  context: MetadataContext,
  dataset: JsonObject,
  caller: Pick<Caller, 'authorizationId' | 'userId'> | null,
  signal: AbortSignal,
): Promise<readonly FoundColumn[] | null> {
  const accountId = dataset['account_id'];
  const of = askedOf({ record: dataset });
  const account = typeof accountId === 'string' ? await readAccount(context.reader, accountId) : null;
  if (account === null || of === null) return null;
  try {
    const askingCaller = caller ?? itself;
    const resolvedAccount = resolveAccount(account, null, askingCaller.authorizationId, context.open, context.now());
    const { resolved, connector } = await connectorOf(context, resolvedAccount, askingCaller, null);
    const columns = await atSource(context, resolved, untraced(), (params) => connector.describe(params, of, signal));
    return columns.map(foundColumn);
  } catch (error) {
    throw toProblem(error, '');
  }
}

/** Returns the record of a dataset; null if the dataset was deleted. */
export async function storedDataset(reader: Reader, id: string): Promise<JsonObject | null> {
  const [row] = await reader.rows(sql`select ${storedColumns(mainTable)} from securable t where t.id = ${id}`);
  return row === undefined ? null : recordOf(storedOf(row));
}

/** Dependencies for reading the schema during an update. */
export interface MetadataUpdateContext extends MetadataContext {
  /** Stores fields of a dataset, even if the update fails later. */
  readonly noted: (securableId: string, fields: JsonObject) => Promise<void>;
}

/**
 * Reads the schema for an update with `update_metadata`, which passes the columns to its rules. On failure, stores the
 * time of the attempt.
 */
export const createReadMetadata =
  (context: MetadataUpdateContext, deadlineMs: number) =>
  async ({ id, sent, caller }: Preparation): Promise<JsonObject> => {
    if (sent['update_metadata'] !== true || id === null) return {};
    const storedRecord = await storedDataset(context.reader, id);
    try {
      const columns = await readColumns(context, { ...storedRecord, ...sent }, caller, AbortSignal.timeout(deadlineMs));
      return columns === null ? {} : { columns: columns.map(({ fields, storageType }) => ({ fields, storageType })) };
    } catch (error) {
      await context.noted(id, { last_metadata_sync_attempt_at: timestamp(context.now()) });
      throw error;
    }
  };

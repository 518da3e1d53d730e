import { timestamp } from '@inlay/contract';
import type { Command, WriteResult } from '../../commands/command.ts';
import type { JobType } from '../../jobs/job.ts';
import type { Store } from '../../store/store.ts';
import { readAccount } from '../model/load-account.ts';
import { readColumns, storedDataset, type MetadataContext } from './read-metadata.ts';
import { dueAfter, dueAfterFailure, syncHours } from './sync-due.ts';

/** Dependencies for syncing metadata. */
export interface SyncContext extends MetadataContext {
  readonly store: Store<Command, WriteResult>;
  readonly failed: (securableId: string, error: unknown) => void;
}

const eachMs = 30_000;

async function syncDataset(context: SyncContext, securableId: string, signal: AbortSignal): Promise<void> {
  const dataset = await storedDataset(context.store, securableId);
  if (dataset === null) return;
  const accountId = dataset['account_id'];
  const account = typeof accountId === 'string' ? await readAccount(context.store, accountId) : null;
  const hours = syncHours(account?.record ?? null, dataset);
  const now = timestamp(context.now());
  const note = (
    columns: Extract<Command, { kind: 'columns' }>['columns'],
    isAttempted: boolean,
    dueAt: string | null,
  ) => context.store.write({ kind: 'columns', securableId, columns, attempted: isAttempted, dueAt });
  if (hours === null) return void (await note(null, false, null));
  try {
    const columns = await readColumns(context, dataset, null, AbortSignal.any([signal, AbortSignal.timeout(eachMs)]));
    await note(columns, columns !== null, dueAfter(account?.record ?? null, dataset, now));
  } catch (error) {
    signal.throwIfAborted();
    context.failed(securableId, error);
    await note(null, true, dueAfterFailure(dataset['last_metadata_sync_at'] ?? null, hours, now));
  }
}

/**
 * Syncs the metadata of a dataset. Triggers add a job when `securable.sync_due_at` changes, and each run sets the next
 * due time.
 */
export const createSyncJob = (context: SyncContext): JobType => ({
  name: 'metadata sync',
  slots: 4,
  timeoutMs: 120_000,
  maxAttempts: 5,
  run: async ({ job, signal }) => {
    await syncDataset(context, job.subject ?? '', signal);
    return null;
  },
});

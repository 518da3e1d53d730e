import { timestamp, type JsonObject } from '@inlay/contract';
import type { Command, WriteResult } from '../../commands/command.ts';
import { recordOf, type StoredRecord } from '../../resource/tables.ts';
import type { Store } from '../../store/store.ts';
import { readAccount } from '../model/load-account.ts';
import { readColumns, type MetadataContext } from './read-metadata.ts';
import { dueAfter, dueAfterFailure, syncHours } from './sync-due.ts';

/** What reading metadata from time to time works with. */
export interface SyncContext extends MetadataContext {
  readonly store: Store<Command, WriteResult>;
  readonly failed: (securableId: string, error: unknown) => void;
}

/** Datasets read in one turn, and how long another instance leaves them alone. */
const most = 20;
const leaseMs = 10 * 60_000;
const eachMs = 30_000;

async function syncOne(context: SyncContext, { id: securableId, ...stored }: StoredRecord): Promise<void> {
  const dataset: JsonObject = recordOf({ id: securableId, ...stored });
  const accountId = dataset['account_id'];
  const account = typeof accountId === 'string' ? await readAccount(context.store, accountId) : null;
  const hours = syncHours(account?.record ?? null, dataset);
  const now = timestamp(context.now());
  const note = (columns: Extract<Command, { kind: 'columns' }>['columns'], attempted: boolean, dueAt: string | null) =>
    context.store.write({ kind: 'columns', securableId, columns, attempted, dueAt });
  if (hours === null) return void (await note(null, false, null));
  try {
    const columns = await readColumns(context, dataset, null, AbortSignal.timeout(eachMs));
    await note(columns, columns !== null, dueAfter(account?.record ?? null, dataset, now));
  } catch (error) {
    context.failed(securableId, error);
    await note(null, true, dueAfterFailure(dataset['last_metadata_sync_at'] ?? null, hours, now));
  }
}

/**
 * Reads the metadata of the datasets that are due, those of this turn one after the other. Whoever
 * takes a dataset has it alone. Gives how many there were.
 */
export async function syncDue(context: SyncContext): Promise<number> {
  const nowMs = context.now();
  const [at, untilAt] = [timestamp(nowMs), timestamp(nowMs + leaseMs)];
  const claimed = await context.store.write({ kind: 'claim', at, untilAt, most });
  if (claimed.kind !== 'records') return 0;
  for (const stored of claimed.stored) await syncOne(context, stored);
  return claimed.stored.length;
}

import { timestamp, type JsonObject } from '@inlay/contract';
import type { Command, Written } from '../../commands/command.ts';
import { recordOf, type Stored } from '../../resource/tables.ts';
import type { Store } from '../../store/store.ts';
import { readAccount } from '../model/load-account.ts';
import { readColumns, type Describing } from './read-metadata.ts';
import { dueAfter, dueAfterFailure, syncHours } from './sync-due.ts';

/** What reading metadata from time to time works with. */
export interface Syncing extends Describing {
  readonly store: Store<Command, Written>;
  readonly failed: (securableId: string, error: unknown) => void;
}

/** Datasets read in one turn, and how long another instance leaves them alone. */
const most = 20;
const leaseMs = 10 * 60_000;
const eachMs = 30_000;

async function syncOne(syncing: Syncing, { id: securableId, ...stored }: Stored): Promise<void> {
  const dataset: JsonObject = recordOf({ id: securableId, ...stored });
  const accountId = dataset['account_id'];
  const account = typeof accountId === 'string' ? await readAccount(syncing.store, accountId) : null;
  const hours = syncHours(account?.record ?? null, dataset);
  const now = timestamp(syncing.now());
  const note = (columns: Extract<Command, { kind: 'columns' }>['columns'], attempted: boolean, dueAt: string | null) =>
    syncing.store.write({ kind: 'columns', securableId, columns, attempted, dueAt });
  if (hours === null) return void (await note(null, false, null));
  try {
    const columns = await readColumns(syncing, dataset, null, AbortSignal.timeout(eachMs));
    await note(columns, columns !== null, dueAfter(account?.record ?? null, dataset, now));
  } catch (error) {
    syncing.failed(securableId, error);
    await note(null, true, dueAfterFailure(dataset['last_metadata_sync_at'] ?? null, hours, now));
  }
}

/**
 * Reads the metadata of the datasets that are due, those of this turn one after the other. Whoever
 * takes a dataset has it alone. Gives how many there were.
 */
export async function syncDue(syncing: Syncing): Promise<number> {
  const nowMs = syncing.now();
  const [at, untilAt] = [timestamp(nowMs), timestamp(nowMs + leaseMs)];
  const claimed = await syncing.store.write({ kind: 'claim', at, untilAt, most });
  if (claimed.kind !== 'records') return 0;
  for (const stored of claimed.stored) await syncOne(syncing, stored);
  return claimed.stored.length;
}

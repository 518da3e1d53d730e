import { timestamp } from '@inlay/contract';
import type { Command, WriteResult } from '../commands/command.ts';
import { sql } from '../store/sql.ts';
import type { Row, Store } from '../store/store.ts';
import type { PublicationKey } from './publication-names.ts';
import type { PublicationPlaces } from './publish.ts';

export interface PublicationSweepContext {
  readonly store: Store<Command, WriteResult>;
  readonly places: () => Promise<PublicationPlaces>;
  readonly now: () => number;
}

/** How long files and tables stay after their last use could begin, so that running queries can end. */
const graceMs = 10 * 60_000;

const keyOf = (row: Row): PublicationKey => ({
  id: String(row['id']),
  organizationId: String(row['organization_id']),
  folder: String(row['folder']),
});

/** One sweep of the publications. */
class PublicationSweep {
  readonly #context: PublicationSweepContext;
  readonly #places: PublicationPlaces;
  readonly #signal: AbortSignal;
  #swept = 0;

  constructor(context: PublicationSweepContext, places: PublicationPlaces, signal: AbortSignal) {
    this.#context = context;
    this.#places = places;
    this.#signal = signal;
  }

  async run(): Promise<number> {
    const { store } = this.#context;
    const { files, tables } = this.#places;
    await store.write({ kind: 'publication', step: 'outdate' });
    await this.#dropped();
    const used = await store.rows(sql`select id from publication where ready_at is not null and dropped_at is null`);
    const [folders, tableIds] = [await files.list(this.#signal), await tables.list(this.#signal)];
    // Publications are noted before their files and tables exist, so whatever is listed but not noted is left over.
    const rows = await store.rows(sql`select id from publication`);
    const noted = new Set(rows.map(({ id }) => String(id)));
    for (const key of folders) if (!noted.has(key.id)) await this.#remove(key);
    for (const id of tableIds) if (!noted.has(id)) await this.#dropTable(id);
    const [withFiles, withTable] = [new Set(folders.map(({ id }) => id)), new Set(tableIds)];
    await this.#lost(used.map(({ id }) => String(id)).filter((id) => !withFiles.has(id) || !withTable.has(id)));
    return this.#swept;
  }

  /** Deletes the files and tables of dropped publications. If the cluster is down, a later sweep deletes the tables. */
  async #dropped(): Promise<void> {
    const { store, now } = this.#context;
    const before = timestamp(now() - graceMs);
    const rows = await store.rows(
      sql`select id, organization_id, folder from publication where dropped_at <= ${before} order by id`,
    );
    const keys = rows.map(keyOf);
    for (const key of keys) await this.#remove(key);
    for (const { id } of keys) {
      await this.#dropTable(id);
      await store.write({ kind: 'publication', step: 'forget', ids: [id] });
    }
  }

  /** Drops publications in use whose files or table are gone, so that they are made anew. */
  async #lost(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#context.store.write({ kind: 'publication', step: 'drop', ids });
  }

  async #remove(key: PublicationKey): Promise<void> {
    await this.#places.files.remove(key, this.#signal);
    this.#swept += 1;
  }

  async #dropTable(id: string): Promise<void> {
    const { tables } = this.#places;
    await tables.drop(tables.names.placeOf({ id }), this.#signal);
  }
}

/**
 * Deletes the files and tables of versions that are no longer current, and those that nothing leads to. Returns the
 * number of deleted publications. Raises SourceProblem if the cluster does not answer, and what the store raises.
 */
export async function sweepPublications(context: PublicationSweepContext, signal: AbortSignal): Promise<number> {
  return new PublicationSweep(context, await context.places(), signal).run();
}

import type { Command, WriteResult } from '../../commands/command.ts';
import { compatibleFrom, requireCompatible, type Lease } from '../../store/lease.ts';
import { StoreNewer, type Store } from '../../store/store.ts';

type ServiceStore = Store<Command, WriteResult>;

const renewEveryMs = 10_000;
const lookEveryMs = 2_000;

/** An instance's lease on the store: renews it and checks whether the instance may still write. */
class RunningLease {
  readonly #store: ServiceStore;
  readonly #lease: Lease;
  readonly #failed: (what: string, error: unknown) => void;
  readonly #timers: readonly NodeJS.Timeout[];
  #newer: StoreNewer | null = null;

  constructor(store: ServiceStore, lease: Lease, onFailure: (what: string, error: unknown) => void) {
    this.#store = store;
    this.#lease = lease;
    this.#failed = onFailure;
    this.#timers = [
      setInterval(() => void this.#renew(), renewEveryMs).unref(),
      setInterval(() => void this.look().catch(() => undefined), lookEveryMs).unref(),
    ];
  }

  /**
   * Checks that this program may still write. Raises StoreNewer if a schema change forbids it, and errors of the store.
   */
  async look(): Promise<void> {
    const rows = await this.#store.rows(compatibleFrom);
    try {
      requireCompatible(rows, this.#lease.schema);
      this.#newer = null;
    } catch (error) {
      if (error instanceof StoreNewer) this.#note(error);
      throw error;
    }
  }

  #note(newerStore: StoreNewer): void {
    if (this.#newer === null)
      this.#failed(
        'the store was migrated by a newer version: this instance writes nothing any more; stop it and start the new version',
        newerStore,
      );
    this.#newer = newerStore;
  }

  async #renew(): Promise<void> {
    if (this.#newer !== null) return;
    const { id, version, schema } = this.#lease;
    await this.#store
      .write({ kind: 'lease', id, version, schema })
      .catch((error: unknown) => this.#failed('the lease of this instance was not renewed; it is tried again', error));
  }

  async end(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#store.write({ kind: 'lease end', id: this.#lease.id }).catch(() => undefined);
  }
}

/**
 * Returns the store of a running instance. `openStore` has already taken the lease. The store is no longer ready once a
 * newer program has changed the schema.
 */
export function leasedStore(
  store: ServiceStore,
  lease: Lease,
  onFailure: (what: string, error: unknown) => void,
): ServiceStore {
  const runningLease = new RunningLease(store, lease, onFailure);
  return {
    ...store,
    ping: async () => {
      await runningLease.look();
      await store.ping();
    },
    close: async () => {
      await runningLease.end();
      await store.close();
    },
  };
}
